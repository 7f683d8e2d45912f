package io.fengyu.scheduler.execution;

import io.smallrye.config.ConfigMapping;
import java.time.Duration;

/** Bounds of one body. */
@ConfigMapping(prefix = "fengyu.background")
interface ExecutionConfig {

  /** A body that runs longer is stopped, and its task has failed. */
  Duration taskTimeout();
}
