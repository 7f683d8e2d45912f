package io.fengyu.scheduler.schedule;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import jakarta.inject.Singleton;
import java.time.Clock;
import java.time.Duration;

/** How fires went on this replica. */
@Singleton
class FireMetrics {

  private final Counter submitted;
  private final Counter refused;
  private final Counter interrupted;
  private final Counter missed;
  private final Timer lag;
  private final Clock clock;

  FireMetrics(MeterRegistry registry, Clock clock) {
    this.submitted = registry.counter("fengyu.schedule.fires", "outcome", "submitted");
    this.refused = registry.counter("fengyu.schedule.fires", "outcome", "refused");
    this.interrupted = registry.counter("fengyu.schedule.fires", "outcome", "interrupted");
    this.missed = registry.counter("fengyu.schedule.missed");
    this.lag = registry.timer("fengyu.schedule.lag");
    this.clock = clock;
  }

  void fired(Occurrence one, boolean stored) {
    if (stored) {
      submitted.increment();
      missed.increment((double) one.missed());
      var late = Duration.between(one.dueAt(), clock.instant());
      lag.record(late.isNegative() ? Duration.ZERO : late);
    }
  }

  void refused() {
    refused.increment();
  }

  void interrupted() {
    interrupted.increment();
  }
}
