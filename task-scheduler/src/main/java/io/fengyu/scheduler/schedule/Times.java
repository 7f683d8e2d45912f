package io.fengyu.scheduler.schedule;

import io.vertx.mutiny.sqlclient.Row;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import org.jspecify.annotations.Nullable;

/** Moments as Postgres keeps them. */
final class Times {

  private Times() {}

  static Instant of(Row row, String column) {
    return row.getOffsetDateTime(column).toInstant();
  }

  static @Nullable Instant orNull(Row row, String column) {
    var time = row.getOffsetDateTime(column);
    return time == null ? null : time.toInstant();
  }

  static @Nullable OffsetDateTime value(@Nullable Instant time) {
    return time == null ? null : time.atOffset(ZoneOffset.UTC);
  }
}
