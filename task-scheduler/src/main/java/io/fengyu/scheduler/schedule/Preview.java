package io.fengyu.scheduler.schedule;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.databind.JsonNode;
import io.fengyu.scheduler.timing.CalendarTiming;
import io.fengyu.scheduler.timing.Fire;
import io.fengyu.scheduler.timing.Timing;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What a schedule would do: its next due times, exactly as the scheduler computes them.
 *
 * @param fireTimes the moments alone
 * @param fires the same, each with what the clock on the wall shows
 * @param expiresAt null for a schedule that lives until it is deleted
 * @param policy in words
 */
record Preview(
    @JsonProperty("fireTimes") List<Instant> fireTimes,
    @JsonProperty("fires") List<Fire> fires,
    @JsonProperty("expiresAt") @Nullable Instant expiresAt,
    @JsonProperty("policy") String policy) {

  private static final int DEFAULT_COUNT = 10;
  private static final int MOST = 24;

  /** Reads {@code {calendar | schedule, after?, count?}}. */
  static Preview of(JsonNode body, TimingReader reader, Instant now) {
    var timing =
        body.hasNonNull("schedule")
            ? reader.read(object(body.path("schedule")), "/schedule", now)
            : CalendarReader.read(body.path("calendar"));
    return of(timing, after(body.path("after"), timing, now), count(body.path("count")));
  }

  private static JsonNode object(JsonNode schedule) {
    if (!schedule.isObject()) {
      throw ScheduleProblems.field("/schedule", "WRONG_TYPE", Map.of());
    }
    return schedule;
  }

  private static Preview of(Timing timing, Instant after, int count) {
    var fires = new ArrayList<Fire>(count);
    var fire = timing.next(after);
    while (fire != null && fires.size() < count) {
      fires.add(fire);
      fire = timing.next(fire.at());
    }
    var times = fires.stream().map(Fire::at).toList();
    return new Preview(times, List.copyOf(fires), timing.expiresAt(), timing.policy());
  }

  // A schedule that fires at once has its creation as its first due time.
  private static Instant after(JsonNode value, Timing timing, Instant now) {
    if (value.isMissingNode() || value.isNull()) {
      return timing instanceof CalendarTiming ? now : now.minusNanos(1);
    }
    try {
      return OffsetDateTime.parse(value.asText()).toInstant();
    } catch (DateTimeException noTime) {
      throw ScheduleProblems.field("/after", "NOT_A_TIME", Map.of());
    }
  }

  private static int count(JsonNode value) {
    if (value.isMissingNode() || value.isNull()) {
      return DEFAULT_COUNT;
    }
    if (!value.isInt() || value.intValue() < 1 || value.intValue() > MOST) {
      throw ScheduleProblems.field("/count", "OUT_OF_RANGE", Map.of("min", 1, "max", MOST));
    }
    return value.intValue();
  }
}
