package io.fengyu.scheduler.schedule;

import io.vertx.mutiny.sqlclient.Row;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A schedule as it is stored.
 *
 * @param timing as it was asked for: interval, calendar and flags
 * @param inputs as JSON text
 * @param nextFireAt null when it will not fire again
 * @param held true while it is due and the sandbox is weaker than it was at creation
 */
record Schedule(
    UUID id,
    String owner,
    String workflowId,
    String status,
    TimingWish timing,
    String inputs,
    String permissionMode,
    String sandboxProfile,
    @Nullable Instant nextFireAt,
    @Nullable Instant expiresAt,
    boolean held,
    long fires,
    long missedFires,
    @Nullable Instant lastFireAt,
    @Nullable UUID lastTaskId,
    @Nullable String lastError,
    @Nullable String lastErrorCode,
    Instant createdAt) {

  static final String UNSANDBOXED = "unsandboxed";

  /** Anything that is not known to be weaker counts as sandboxed. */
  boolean sandboxed() {
    return !sandboxProfile.equals(UNSANDBOXED);
  }

  static Schedule of(Row row) {
    return new Schedule(
        row.getUUID("id"),
        row.getString("owner"),
        row.getString("workflow_id"),
        row.getString("status"),
        TimingWish.stored(row.getString("timing")),
        row.getString("inputs"),
        row.getString("permission_mode"),
        row.getString("sandbox_profile"),
        Times.orNull(row, "next_fire_at"),
        Times.orNull(row, "expires_at"),
        row.getBoolean("held"),
        row.getLong("fires"),
        row.getLong("missed_fires"),
        Times.orNull(row, "last_fire_at"),
        row.getUUID("last_task_id"),
        row.getString("last_error"),
        row.getString("last_error_code"),
        Times.of(row, "created_at"));
  }
}
