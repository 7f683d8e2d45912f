package io.fengyu.scheduler.queue;

import io.fengyu.scheduler.queue.TurnStore.Outcome;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/** What operators see of the queue. Counters tell of this process, gauges of the whole queue. */
@ApplicationScoped
class QueueMetrics {

  private static final String PRIORITY = "priority";
  private static final List<String> REASONS =
      List.of("owner", "global", "owner-priority", "global-priority");
  private static final Duration[] BUCKETS = {
    Duration.ofMillis(5),
    Duration.ofMillis(10),
    Duration.ofMillis(25),
    Duration.ofMillis(50),
    Duration.ofMillis(100),
    Duration.ofMillis(250),
    Duration.ofMillis(500),
    Duration.ofSeconds(1),
    Duration.ofMillis(2_500),
    Duration.ofSeconds(5),
    Duration.ofSeconds(10),
    Duration.ofSeconds(30),
    Duration.ofSeconds(60),
    Duration.ofSeconds(300)
  };

  private final MeterRegistry registry;
  private final Map<Priority, Timer> executed = new EnumMap<>(Priority.class);
  private final Map<Priority, Timer> cancelled = new EnumMap<>(Priority.class);

  QueueMetrics(MeterRegistry registry, Pressure pressure) {
    this.registry = registry;
    for (var priority : Priority.values()) {
      executed.put(priority, wait(priority, "executed"));
      cancelled.put(priority, wait(priority, "cancelled"));
      dispatched(priority, 0);
      REASONS.forEach(reason -> rejected(priority, reason, 0));
      Gauge.builder("fengyu.bg.queue.inqueue", () -> pressure.now().queued(priority))
          .tag(PRIORITY, priority.wire())
          .description("Tasks that wait, on all replicas")
          .register(registry);
      Gauge.builder("fengyu.bg.queue.oldest_wait_ms", () -> pressure.now().oldestMs(priority))
          .tag(PRIORITY, priority.wire())
          .description("How long the oldest of them has been waiting")
          .register(registry);
    }
  }

  private Timer wait(Priority priority, String outcome) {
    return Timer.builder("fengyu.bg.task.queue.wait")
        .tags(PRIORITY, priority.wire(), "outcome", outcome)
        .description("From admission to the start of the body, or to the end without one")
        .serviceLevelObjectives(BUCKETS)
        .register(registry);
  }

  void rejected(Priority priority, String reason) {
    rejected(priority, reason, 1);
  }

  private void rejected(Priority priority, String reason, int amount) {
    registry
        .counter("fengyu.bg.tasks.rejected", PRIORITY, priority.wire(), "reason", reason)
        .increment(amount);
  }

  private void dispatched(Priority priority, int amount) {
    registry.counter("fengyu.bg.tasks.dispatched", PRIORITY, priority.wire()).increment(amount);
  }

  /** A turn was committed. */
  void decided(Outcome outcome) {
    for (var task : outcome.started()) {
      dispatched(task.priority(), 1);
      record(executed, task.priority(), Duration.between(task.createdAt(), task.startedAt()));
    }
    for (var killed : new ArrayList<>(outcome.killed().values())) {
      if (killed.wasQueued()) {
        var waited = Duration.ofNanos((long) (killed.waitedMs() * 1_000_000));
        record(cancelled, killed.lane().priority(), waited);
      }
    }
  }

  private static void record(Map<Priority, Timer> timers, Priority priority, Duration waited) {
    var timer = timers.get(priority);
    if (timer != null) {
      timer.record(waited.isNegative() ? Duration.ZERO : waited);
    }
  }
}
