package io.fengyu.scheduler.schedule;

import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;
import jakarta.validation.constraints.Min;
import java.time.Duration;

/** Bounds of schedules. */
@ConfigMapping(prefix = "fengyu.schedule")
interface ScheduleConfig {

  /** The shortest interval; to be lowered in tests only. */
  Duration minInterval();

  /** How many schedules of one owner may be active; one more is refused. */
  @Min(1)
  int maxActive();

  /** How many occurrences are remembered of each schedule; older ones are removed. */
  @Min(1)
  @WithDefault("1000")
  int rememberedFires();
}
