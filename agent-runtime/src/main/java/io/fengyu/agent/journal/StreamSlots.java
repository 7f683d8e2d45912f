package io.fengyu.agent.journal;

import io.fengyu.contract.net.Drain;
import io.micrometer.core.instrument.MeterRegistry;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import java.util.concurrent.ConcurrentHashMap;

/** How many event streams an owner has open on this replica, of whatever kind. */
@ApplicationScoped
public class StreamSlots {

  private final JournalConfig config;
  private final ConcurrentHashMap<String, Integer> perOwner = new ConcurrentHashMap<>();
  private volatile boolean draining;

  StreamSlots(JournalConfig config, MeterRegistry metrics) {
    this.config = config;
    metrics.gauge("fengyu.sse.connections", perOwner, StreamSlots::inAll);
  }

  private static double inAll(ConcurrentHashMap<String, Integer> perOwner) {
    return perOwner.values().stream().mapToInt(Integer::intValue).sum();
  }

  void stop(@Observes Drain step) {
    draining = draining || step == Drain.CLOSED;
  }

  /**
   * Takes a place for one more stream.
   *
   * @throws io.fengyu.contract.problem.ProblemException 429 when the owner has no more, 503 when
   *     the process stops
   */
  public void take(String owner) {
    if (draining) {
      throw RunProblems.unavailable();
    }
    var limit = config.streamsPerOwner();
    if (perOwner.merge(owner, 1, Integer::sum) > limit) {
      giveBack(owner);
      throw RunProblems.tooManyStreams(limit);
    }
  }

  /** A stream is over. */
  public void giveBack(String owner) {
    perOwner.computeIfPresent(owner, (who, count) -> count > 1 ? count - 1 : null);
  }
}
