package io.fengyu.scheduler.schedule;

import io.smallrye.config.ConfigMapping;
import java.time.Duration;

/** Bounds of schedules. */
@ConfigMapping(prefix = "fengyu.schedule")
interface ScheduleConfig {

  /** The shortest interval; to be lowered in tests only. */
  Duration minInterval();
}
