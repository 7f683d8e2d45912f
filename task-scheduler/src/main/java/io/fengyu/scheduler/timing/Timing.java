package io.fengyu.scheduler.timing;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The due times of one schedule, as a function of nothing but the schedule itself: neither a late
 * tick nor a restart moves them.
 */
public sealed interface Timing permits CalendarTiming, IntervalTiming {

  /** The first due time after this moment, never the moment itself; null when there is none. */
  @Nullable Fire next(Instant after);

  /** From here on nothing fires any more; null for a schedule that lives until it is deleted. */
  @Nullable Instant expiresAt();

  /** In one English sentence, what it does also where the clocks change. */
  String policy();
}
