package io.fengyu.agent.tool.command;

import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;
import jakarta.validation.constraints.Min;

/** How commands are confined, and what one of their processes may use. */
@ConfigMapping(prefix = "fengyu.commands")
interface CommandConfig {

  /** Which sandbox is wanted. */
  enum Wanted {
    /** The best there is. */
    AUTO,
    BUBBLEWRAP,
    LANDLOCK,
    NONE
  }

  /** Another backend than the one wanted is never taken. */
  @WithDefault("${SANDBOX:auto}")
  Wanted sandbox();

  /** True to refuse commands while there is no sandbox. */
  @WithDefault("${SANDBOX_REQUIRED:false}")
  boolean sandboxRequired();

  /** Memory of one process in MiB; past it allocations fail. */
  @Min(16)
  @WithDefault("4096")
  int memoryMib();

  /** Processor time of one process in seconds; past it the process is killed. */
  @Min(1)
  @WithDefault("1200")
  int cpuSeconds();

  /** Processes and threads of the user commands run as; past it none can be started. */
  @Min(32)
  @WithDefault("4096")
  int processes();

  /** Length of one file in MiB; past it writing fails. */
  @Min(1)
  @WithDefault("4096")
  int fileMib();
}
