package io.fengyu.agent.guard;

import io.fengyu.agent.setting.Settings;
import io.fengyu.agent.setting.Settings.Own;
import io.fengyu.agent.setting.SettingsReader;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.concurrent.ConcurrentHashMap;

/** The rules of every owner, read from the settings and kept as long as those stay the same. */
@ApplicationScoped
class OwnerRules implements RuleSource {

  private static final int MOST = 10_000;

  private record Read(Settings from, RuleSet rules) {}

  private final SettingsReader settings;
  private final ConcurrentHashMap<String, Read> known = new ConcurrentHashMap<>();

  OwnerRules(SettingsReader settings) {
    this.settings = settings;
  }

  @Override
  @SuppressWarnings("ReferenceEquality") // the same object means: nothing was changed
  public RuleSet of(String owner) {
    var now = settings.now(owner);
    var read = known.get(owner);
    return read != null && read.from == now ? read.rules : read(owner, now);
  }

  private RuleSet read(String owner, Settings now) {
    if (known.size() >= MOST) {
      known.clear();
    }
    var rules = rules(now);
    known.put(owner, new Read(now, rules));
    return rules;
  }

  private static RuleSet rules(Settings now) {
    var byAdmins =
        now.byAdmins().stream()
            .filter(Own::rulesByAdmin)
            .map(admin -> StoredRules.read(admin.permissionRules()).rules())
            .toList();
    return RuleSet.of(StoredRules.read(now.own().permissionRules()).rules(), byAdmins);
  }
}
