package io.fengyu.scheduler.schedule;

import com.fasterxml.jackson.annotation.JsonProperty;
import io.vertx.mutiny.sqlclient.Row;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * One occurrence that was claimed.
 *
 * @param dueAt when it should have fired
 * @param claimedAt when it did
 * @param taskId null when no task came of it
 * @param outcome {@code claimed}, {@code submitted}, {@code refused} or {@code interrupted}
 * @param missedFires further due times that had passed by then and count as missed
 */
record FireRecord(
    @JsonProperty("dueAt") Instant dueAt,
    @JsonProperty("claimedAt") Instant claimedAt,
    @JsonProperty("taskId") @Nullable UUID taskId,
    @JsonProperty("outcome") String outcome,
    @JsonProperty("missedFires") long missedFires,
    @JsonProperty("errorCode") @Nullable String errorCode,
    @JsonProperty("error") @Nullable String error) {

  static FireRecord of(Row row) {
    var outcome = row.getString("outcome");
    return new FireRecord(
        Times.of(row, "due_at"),
        Times.of(row, "claimed_at"),
        outcome.equals("submitted") ? row.getUUID("task_id") : null,
        outcome,
        row.getLong("missed"),
        row.getString("error_code"),
        row.getString("error"));
  }
}
