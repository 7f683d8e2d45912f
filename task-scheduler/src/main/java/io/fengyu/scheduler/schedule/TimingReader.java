package io.fengyu.scheduler.schedule;

import com.fasterxml.jackson.databind.JsonNode;
import io.fengyu.scheduler.timing.IntervalTiming;
import io.fengyu.scheduler.timing.Timing;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;

/**
 * Reads when a schedule is to fire: {@code {calendar?, intervalSeconds?, recurring?,
 * fireImmediately?}}. With a calendar the interval is ignored.
 */
@ApplicationScoped
class TimingReader {

  private static final long DEFAULT_INTERVAL_SECONDS = 3600;
  private static final Duration LONGEST_WAIT = Duration.ofDays(366);

  private final ScheduleConfig config;

  TimingReader(ScheduleConfig config) {
    this.config = config;
  }

  /**
   * The timing of a schedule that is created now.
   *
   * @param at where the schedule stands in the body, as a JSON pointer; empty for the root
   * @throws io.fengyu.contract.problem.ProblemException 400, naming what is wrong
   */
  Timing read(JsonNode schedule, String at, Instant now) {
    return wish(schedule, at).timing(now);
  }

  /** The same before its moment of creation is known. */
  TimingWish wish(JsonNode schedule, String at) {
    boolean recurring = flag(schedule, at, "recurring", true);
    boolean atOnce = flag(schedule, at, "fireImmediately", false);
    if (atOnce && !recurring) {
      throw ScheduleProblems.contradiction();
    }
    return schedule.hasNonNull("calendar")
        ? calendar(schedule, recurring, atOnce)
        : interval(schedule, at, recurring, atOnce);
  }

  private static TimingWish calendar(JsonNode schedule, boolean recurring, boolean atOnce) {
    if (!recurring) {
      throw ScheduleProblems.contradiction();
    }
    var calendar = schedule.path("calendar");
    CalendarReader.check(calendar);
    return new TimingWish(DEFAULT_INTERVAL_SECONDS, true, atOnce, calendar);
  }

  private TimingWish interval(JsonNode schedule, String at, boolean recurring, boolean atOnce) {
    var seconds = seconds(schedule.path("intervalSeconds"), at);
    if (seconds < config.minInterval().toSeconds()) {
      throw ScheduleProblems.tooShort(config.minInterval());
    }
    var longest = recurring ? IntervalTiming.LIFE.minusSeconds(1) : LONGEST_WAIT;
    if (seconds > longest.toSeconds()) {
      throw ScheduleProblems.tooLong(longest);
    }
    return new TimingWish(seconds, recurring, atOnce, null);
  }

  private static long seconds(JsonNode value, String at) {
    if (value.isMissingNode() || value.isNull()) {
      return DEFAULT_INTERVAL_SECONDS;
    }
    if (!value.isIntegralNumber()) {
      throw ScheduleProblems.field(at + "/intervalSeconds", "WRONG_TYPE", Map.of());
    }
    return value.canConvertToLong() ? value.longValue() : Long.MAX_VALUE;
  }

  private static boolean flag(JsonNode schedule, String at, String name, boolean absent) {
    var value = schedule.path(name);
    if (value.isMissingNode() || value.isNull()) {
      return absent;
    }
    if (!value.isBoolean()) {
      throw ScheduleProblems.field(at + "/" + name, "WRONG_TYPE", Map.of());
    }
    return value.booleanValue();
  }
}
