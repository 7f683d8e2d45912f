package io.fengyu.scheduler.schedule;

import jakarta.enterprise.context.ApplicationScoped;
import java.time.Clock;
import java.time.Duration;

/**
 * What time schedules go by: the database's, so that the clocks of replicas don't matter. A clock
 * that is set differently from the machine's, as tests do, moves it by as much.
 */
@ApplicationScoped
class ScheduleTime {

  private final Clock clock;

  ScheduleTime(Clock clock) {
    this.clock = clock;
  }

  /** To be added to the database's {@code now()}, in milliseconds. */
  long aheadMs() {
    var machine = Clock.systemUTC();
    return clock.equals(machine)
        ? 0
        : Duration.between(machine.instant(), clock.instant()).toMillis();
  }
}
