package io.fengyu.agent.run;

import io.fengyu.agent.setting.SettingsReader;
import io.smallrye.mutiny.Uni;
import jakarta.enterprise.context.ApplicationScoped;

/** Whether plugins run in a sandbox right now, as runs remember it. */
@ApplicationScoped
class SandboxPosture {

  private static final String SANDBOXED = "sandboxed";
  private static final String UNSANDBOXED = "unsandboxed";

  private final SettingsReader settings;

  SandboxPosture(SettingsReader settings) {
    this.settings = settings;
  }

  /** The profile of a run that begins now. */
  Uni<String> profile(String owner) {
    return settings
        .of(owner)
        .map(found -> found.deployment().unsandboxedPlugins() ? UNSANDBOXED : SANDBOXED);
  }

  /** True when a run of the first profile would meet less protection under the second. */
  static boolean weakened(String then, String now) {
    return now.equals(UNSANDBOXED) && !then.equals(UNSANDBOXED);
  }
}
