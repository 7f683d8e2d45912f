package io.fengyu.agent.hook;

import io.fengyu.agent.setting.Settings;
import io.fengyu.agent.setting.Settings.Own;
import io.fengyu.agent.setting.SettingsReader;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The hooks that owners configured: first the commands of admins, which are run for everybody, then
 * the owner's own.
 */
@ApplicationScoped
class OwnerHooks implements HookSource {

  private static final int MOST_OWNERS = 10_000;

  private record Read(Settings from, List<Hook> hooks) {}

  private final SettingsReader settings;
  private final HookConfig config;
  private final ConcurrentHashMap<String, Read> known = new ConcurrentHashMap<>();

  OwnerHooks(SettingsReader settings, HookConfig config) {
    this.settings = settings;
    this.config = config;
  }

  @Override
  public int rank() {
    return 0;
  }

  @Override
  @SuppressWarnings("ReferenceEquality") // the same object means: nothing was changed
  public List<Hook> of(String owner) {
    var now = settings.now(owner);
    var read = known.get(owner);
    return read != null && read.from == now ? read.hooks : read(owner, now);
  }

  private List<Hook> read(String owner, Settings now) {
    if (known.size() >= MOST_OWNERS) {
      known.clear();
    }
    var all = new ArrayList<HookDefinition>();
    now.byAdmins().stream()
        .filter(admin -> admin.hooksByAdmin() && !admin.owner().equals(owner))
        .forEach(admin -> all.addAll(commands(admin)));
    all.addAll(HookDefinitions.stored(owner, now.own().hooks()));
    boolean commands = config.commandsAllowed();
    var hooks =
        all.stream()
            .filter(HookDefinition::enabled)
            .filter(hook -> hook.command() == null || commands)
            .map(HookDefinition::hook)
            .toList();
    known.put(owner, new Read(now, hooks));
    return hooks;
  }

  private static List<HookDefinition> commands(Own admin) {
    return HookDefinitions.stored(admin.owner(), admin.hooks()).stream()
        .filter(hook -> hook.command() != null)
        .toList();
  }
}
