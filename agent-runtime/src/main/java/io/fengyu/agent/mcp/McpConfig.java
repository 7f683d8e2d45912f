package io.fengyu.agent.mcp;

import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;
import java.time.Duration;
import java.util.Optional;

/** What an operator decides about tool servers. */
@ConfigMapping(prefix = "fengyu.mcp")
interface McpConfig {

  /** {@code server} or {@code workstation}. */
  String profile();

  /** Servers in private networks; absent means yes on a workstation, no on a server. */
  Optional<Boolean> allowPrivate();

  /** Servers that are programs of this machine; absent as above. */
  Optional<Boolean> allowCommands();

  /** False keeps tools that write reports out of the catalog. */
  boolean reportingTools();

  /** Wait after the first failed discovery; doubles with each further one. */
  @WithDefault("30s")
  Duration firstRetry();

  /** Longest wait between attempts, and between looks at a server that works. */
  @WithDefault("10m")
  Duration lastRetry();

  /** How often a replica looks for servers whose tools are to be discovered. */
  @WithDefault("2s")
  Duration rhythm();

  /** True when private addresses may be called. */
  default boolean privateAllowed() {
    return allowPrivate().orElse(workstation());
  }

  /** True when programs may be configured. */
  default boolean commandsAllowed() {
    return allowCommands().orElse(workstation());
  }

  private boolean workstation() {
    return profile().equals("workstation");
  }
}
