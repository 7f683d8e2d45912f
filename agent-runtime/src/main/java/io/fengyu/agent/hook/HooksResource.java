package io.fengyu.agent.hook;

import com.fasterxml.jackson.databind.JsonNode;
import io.fengyu.agent.setting.SettingsWriter;
import io.fengyu.contract.identity.Caller;
import io.smallrye.mutiny.Uni;
import jakarta.ws.rs.PUT;
import jakarta.ws.rs.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Takes an owner's hooks. */
@Path("/api/settings/hooks")
public class HooksResource {

  private final SettingsWriter settings;
  private final HookConfig config;
  private final Caller caller;

  HooksResource(SettingsWriter settings, HookConfig config, Caller caller) {
    this.settings = settings;
    this.config = config;
    this.caller = caller;
  }

  /** Hooks that are run from the next call on. */
  public record Saved(boolean ok, int hooks) {}

  /** Replaces all hooks of the caller; commands are an admin's, and are run for everybody. */
  @PUT
  public Uni<Saved> save(@Nullable JsonNode body) {
    var hooks = HookDefinitions.read(body);
    HookRights.check(hooks, caller.admin(), config.commandsAllowed());
    return settings
        .saveHooks(caller.owner(), HookDefinitions.write(hooks).toString(), caller.admin())
        .replaceWith(new Saved(true, hooks.size()));
  }

  /** Who may save which hooks. */
  private static final class HookRights {

    private HookRights() {}

    static void check(List<HookDefinition> hooks, boolean admin, boolean commandsAllowed) {
      for (int i = 0; i < hooks.size(); i++) {
        if (hooks.get(i).command() != null) {
          command(i, admin, commandsAllowed);
        }
      }
    }

    private static void command(int index, boolean admin, boolean allowed) {
      if (!admin) {
        throw HookProblems.adminOnly();
      }
      if (!allowed) {
        throw HookProblems.commandsDisabled(index);
      }
    }
  }
}
