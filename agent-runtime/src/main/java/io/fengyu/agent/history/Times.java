package io.fengyu.agent.history;

import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import org.jspecify.annotations.Nullable;

/** Times on the wire: UTC, milliseconds. */
public final class Times {

  private static final DateTimeFormatter MILLIS =
      DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss.SSS'Z'").withZone(ZoneOffset.UTC);

  private Times() {}

  /** ISO-8601. */
  public static String wire(Instant time) {
    return MILLIS.format(time);
  }

  static @Nullable String wireOrNull(@Nullable Instant time) {
    return time == null ? null : wire(time);
  }

  static @Nullable String wireOrNull(@Nullable OffsetDateTime time) {
    return time == null ? null : wire(time.toInstant());
  }
}
