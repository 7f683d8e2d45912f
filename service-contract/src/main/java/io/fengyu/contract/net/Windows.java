package io.fengyu.contract.net;

import java.time.Duration;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;

/** Counts events by key within the running minute; forgets everything when the minute is over. */
public final class Windows {

  private static final long LENGTH = Duration.ofMinutes(1).toNanos();
  private static final int MOST_KEYS = 100_000;

  private final LongSupplier nanos;
  private final ConcurrentHashMap<String, Integer> counts = new ConcurrentHashMap<>();
  private volatile long began;

  /** Reads the time from a monotonic clock. */
  public Windows(LongSupplier nanos) {
    this.nanos = nanos;
    this.began = nanos.getAsLong();
  }

  /** Counts one more and answers how many there are by now. */
  public int count(String key) {
    renew();
    return counts.merge(key, 1, Integer::sum);
  }

  /** How many there are by now. */
  public int counted(String key) {
    renew();
    return counts.getOrDefault(key, 0);
  }

  /** Until the next minute begins. */
  public Duration remaining() {
    return Duration.ofNanos(Math.max(0, LENGTH - (nanos.getAsLong() - began)));
  }

  // Two threads may both renew: the second clears what the first has just counted, at most once a
  // minute and only to the caller's advantage.
  private void renew() {
    var now = nanos.getAsLong();
    if (now - began >= LENGTH || counts.size() > MOST_KEYS) {
      began = now;
      counts.clear();
    }
  }
}
