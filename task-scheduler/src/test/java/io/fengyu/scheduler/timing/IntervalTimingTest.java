package io.fengyu.scheduler.timing;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

class IntervalTimingTest {

  private static final Instant CREATED = Instant.parse("2026-01-06T05:00:00.250Z");

  private static Instant next(IntervalTiming timing, Instant after) {
    return requireNonNull(timing.next(after)).at();
  }

  @Test
  void everyTimeIsAWholeNumberOfIntervalsAfterCreation() {
    var random = RandomGenerator.of("L64X128MixRandom");
    for (int i = 0; i < 1000; i++) {
      var interval = Duration.ofSeconds(random.nextLong(60, 100_000));
      var timing = new IntervalTiming(CREATED, interval, random.nextBoolean(), true);
      var after = CREATED.plusMillis(random.nextLong(0, Duration.ofDays(5).toMillis()));

      var at = next(timing, after);

      assertThat(Duration.between(CREATED, at).toMillis() % interval.toMillis()).isZero();
      assertThat(at).isAfter(after).isBeforeOrEqualTo(after.plus(interval));
    }
  }

  @Test
  void theFirstIsAnIntervalAfterCreationUnlessItFiresAtOnce() {
    var hour = Duration.ofHours(1);

    assertThat(next(new IntervalTiming(CREATED, hour, false, true), CREATED.minusMillis(1)))
        .isEqualTo(CREATED.plus(hour));
    assertThat(next(new IntervalTiming(CREATED, hour, true, true), CREATED.minusMillis(1)))
        .isEqualTo(CREATED);
    assertThat(next(new IntervalTiming(CREATED, hour, true, true), CREATED))
        .isEqualTo(CREATED.plus(hour));
  }

  @Test
  void nothingFiresFromTheSeventhDayOn() {
    var timing = new IntervalTiming(CREATED, Duration.ofDays(1), false, true);
    var end = requireNonNull(timing.expiresAt());

    assertThat(end).isEqualTo(CREATED.plus(Duration.ofDays(7)));
    assertThat(next(timing, end.minus(Duration.ofDays(1)).minusMillis(1)))
        .isEqualTo(end.minus(Duration.ofDays(1)));
    assertThat(timing.next(end.minus(Duration.ofDays(1)))).isNull();
    assertThat(timing.next(end)).isNull();
  }

  @Test
  void aSingleFireMayLieFurtherAheadAndHasNoSecond() {
    var timing = new IntervalTiming(CREATED, Duration.ofDays(300), false, false);

    var only = next(timing, CREATED);

    assertThat(only).isEqualTo(CREATED.plus(Duration.ofDays(300)));
    assertThat(timing.next(only)).isNull();
    assertThat(timing.expiresAt()).isNull();
  }
}
