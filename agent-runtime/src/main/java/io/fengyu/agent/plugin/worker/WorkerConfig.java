package io.fengyu.agent.plugin.worker;

import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;
import jakarta.validation.constraints.Min;
import java.time.Duration;

/** Bounds of the processes of plugins. */
@ConfigMapping(prefix = "fengyu.plugin-workers")
interface WorkerConfig {

  /** Processes at one time on this replica; past it one that is idle ends, or the call fails. */
  @Min(1)
  @WithDefault("16")
  int most();

  /** A process that nobody calls for so long ends. */
  @WithDefault("30m")
  Duration idle();

  /** Likewise one that was started for the files of a run. */
  @WithDefault("2m")
  Duration idleWithFiles();

  /** Memory of one process in MiB; past it allocations fail. */
  @Min(64)
  @WithDefault("2048")
  int memoryMib();

  /** How long a call that is cancelled may take to say so; then its process is killed. */
  @WithDefault("3s")
  Duration cancelGrace();

  /** Pause before a process that broke twice in a row is started again; doubles each time. */
  @WithDefault("1s")
  Duration firstPause();

  /** Longest such pause. */
  @WithDefault("1m")
  Duration longestPause();

  /** True to refuse calls while there is no sandbox, unless an admin runs plugins without one. */
  @WithDefault("${SANDBOX_REQUIRED:false}")
  boolean sandboxRequired();
}
