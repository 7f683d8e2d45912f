package io.fengyu.webhook.delivery;

import com.fasterxml.jackson.annotation.JsonProperty;
import io.vertx.mutiny.sqlclient.Row;
import java.time.Duration;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * One row of the audit; nothing in it comes from the body, the secret or the event id.
 *
 * @param taskId null while no task is known
 * @param completedAt null until the end
 * @param durationMs from acceptance to the end; null until then
 */
record DeliveryView(
    @JsonProperty("taskId") @Nullable UUID taskId,
    @JsonProperty("status") String status,
    @JsonProperty("acceptedAt") Instant acceptedAt,
    @JsonProperty("completedAt") @Nullable Instant completedAt,
    @JsonProperty("durationMs") @Nullable Long durationMs,
    @JsonProperty("idempotencyKeyPresent") boolean idempotencyKeyPresent,
    @JsonProperty("error") @Nullable String error) {

  static DeliveryView of(Row row) {
    var accepted = row.getOffsetDateTime("accepted_at").toInstant();
    var completed = row.getOffsetDateTime("completed_at");
    var end = completed == null ? null : completed.toInstant();
    return new DeliveryView(
        row.getString("state").equals("CLAIMED") ? null : row.getUUID("id"),
        row.getString("state"),
        accepted,
        end,
        end == null ? null : Duration.between(accepted, end).toMillis(),
        row.getBoolean("keyed"),
        row.getString("error"));
  }
}
