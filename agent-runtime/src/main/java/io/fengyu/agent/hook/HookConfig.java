package io.fengyu.agent.hook;

import io.smallrye.config.ConfigMapping;
import java.util.Optional;

/** What an operator decides about hooks. */
@ConfigMapping(prefix = "fengyu.hooks")
public interface HookConfig {

  /** {@code server} or {@code workstation}. */
  String profile();

  /** Hooks that run commands; absent means yes on a workstation, no on a server. */
  Optional<Boolean> allowCommands();

  /** Hooks that post to private networks; absent as above. */
  Optional<Boolean> allowPrivate();

  /** Where commands run. */
  String directory();

  default boolean commandsAllowed() {
    return allowCommands().orElse(workstation());
  }

  default boolean privateAllowed() {
    return allowPrivate().orElse(workstation());
  }

  private boolean workstation() {
    return profile().equals("workstation");
  }
}
