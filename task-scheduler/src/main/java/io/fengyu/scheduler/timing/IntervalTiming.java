package io.fengyu.scheduler.timing;

import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import org.jspecify.annotations.Nullable;

/**
 * A fixed grid {@code createdAt + k * interval}. It counts seconds that pass, so no change of the
 * clocks concerns it.
 *
 * @param createdAt the grid's origin
 * @param interval at least a second
 * @param fromOrigin true when the origin itself is due, false when the first is one interval later
 * @param recurring false for the first due time only
 */
public record IntervalTiming(
    Instant createdAt, Duration interval, boolean fromOrigin, boolean recurring) implements Timing {

  /** How long an interval goes on firing. */
  public static final Duration LIFE = Duration.ofDays(7);

  /** Refuses a grid without width, which would have no next point. */
  public IntervalTiming {
    if (interval.toSeconds() < 1) {
      throw new IllegalArgumentException("an interval is at least a second");
    }
  }

  @Override
  public @Nullable Fire next(Instant after) {
    var at = gridAfter(after);
    var end = expiresAt();
    if ((end != null && !at.isBefore(end)) || (!recurring && at.isAfter(first()))) {
      return null;
    }
    return Fire.of(LocalDateTime.ofInstant(at, ZoneOffset.UTC), ZoneOffset.UTC, at, null);
  }

  private Instant gridAfter(Instant after) {
    var first = first();
    if (after.isBefore(first)) {
      return first;
    }
    var passed = Duration.between(createdAt, after).dividedBy(interval);
    return createdAt.plus(interval.multipliedBy(passed + 1));
  }

  private Instant first() {
    return fromOrigin ? createdAt : createdAt.plus(interval);
  }

  /** Seven days after creation; null for a single fire, which ends by firing. */
  @Override
  public @Nullable Instant expiresAt() {
    return recurring ? createdAt.plus(LIFE) : null;
  }

  @Override
  public String policy() {
    var every = interval.toSeconds() + " s";
    return recurring
        ? "Every "
            + every
            + " from the moment of creation, for seven days; clock changes do not move it."
        : "Once, " + every + " after creation.";
  }
}
