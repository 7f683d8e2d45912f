package io.fengyu.scheduler.schedule;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.fengyu.scheduler.timing.IntervalTiming;
import io.fengyu.scheduler.timing.Timing;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * When a schedule is to fire, as it was asked for and checked.
 *
 * @param intervalSeconds without meaning beside a calendar
 * @param calendar null for an interval
 */
record TimingWish(
    long intervalSeconds, boolean recurring, boolean fireImmediately, @Nullable JsonNode calendar) {

  private static final ObjectMapper JSON = new ObjectMapper();

  /** Of a schedule that was created at this moment. */
  Timing timing(Instant createdAt) {
    return calendar != null
        ? CalendarReader.read(calendar)
        : new IntervalTiming(
            createdAt, Duration.ofSeconds(intervalSeconds), fireImmediately, recurring);
  }

  /** When it fires first; null never happens to one that was checked. */
  @Nullable Instant first(Instant createdAt) {
    if (fireImmediately) {
      return createdAt;
    }
    var fire = timing(createdAt).next(createdAt);
    return fire == null ? null : fire.at();
  }

  String text() {
    var object =
        JsonNodeFactory.instance
            .objectNode()
            .put("intervalSeconds", intervalSeconds)
            .put("recurring", recurring)
            .put("fireImmediately", fireImmediately);
    object.set("calendar", calendar);
    return object.toString();
  }

  static TimingWish stored(String text) {
    try {
      var stored = JSON.readTree(text);
      var calendar = stored.path("calendar");
      return new TimingWish(
          stored.path("intervalSeconds").asLong(3600),
          stored.path("recurring").asBoolean(true),
          stored.path("fireImmediately").asBoolean(false),
          calendar.isObject() ? calendar : null);
    } catch (IOException broken) {
      throw new IllegalStateException("a stored schedule is no JSON", broken);
    }
  }
}
