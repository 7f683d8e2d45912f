package io.fengyu.chat.model;

import io.vertx.core.MultiMap;
import java.time.Duration;
import java.time.Instant;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeParseException;
import org.jspecify.annotations.Nullable;

/** When a provider wants to be asked again: seconds, milliseconds or a date. */
final class RetryAfter {

  private static final long LONGEST_SECONDS = 86_400;

  private RetryAfter() {}

  static @Nullable Duration of(MultiMap headers) {
    var millis = headers.get("retry-after-ms");
    if (millis != null) {
      return number(millis, 0.001);
    }
    var value = headers.get("retry-after");
    if (value == null) {
      return null;
    }
    var seconds = number(value, 1);
    return seconds == null ? date(value) : seconds;
  }

  private static @Nullable Duration number(String value, double secondsPerUnit) {
    try {
      var seconds = Double.parseDouble(value.strip()) * secondsPerUnit;
      return seconds >= 0 && seconds <= LONGEST_SECONDS
          ? Duration.ofMillis(Math.round(seconds * 1000))
          : null;
    } catch (NumberFormatException none) {
      return null;
    }
  }

  private static @Nullable Duration date(String value) {
    try {
      var at = ZonedDateTime.parse(value.strip(), DateTimeFormatter.RFC_1123_DATE_TIME);
      var wait = Duration.between(Instant.now(), at.toInstant());
      return wait.isNegative() ? Duration.ZERO : wait;
    } catch (DateTimeParseException none) {
      return null;
    }
  }
}
