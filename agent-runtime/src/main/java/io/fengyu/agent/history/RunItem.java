package io.fengyu.agent.history;

import com.fasterxml.jackson.annotation.JsonProperty;
import io.fengyu.agent.journal.RunStatus;
import io.vertx.mutiny.sqlclient.Row;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** A run as lists show it. */
public record RunItem(
    UUID id,
    String goal,
    RunStatus status,
    @Nullable String summary,
    @Nullable String error,
    @Nullable UUID resumedFrom,
    String sandboxProfile,
    boolean interrupted,
    @JsonProperty("session_id") @Nullable String sessionId,
    @JsonProperty("run_status") String runStatus,
    @JsonProperty("execution_stopped") boolean executionStopped,
    @JsonProperty("terminal_persisted") boolean terminalPersisted,
    @JsonProperty("cancel_status") String cancelStatus,
    @JsonProperty("execution_generation") int executionGeneration,
    int revision,
    @JsonProperty("can_send") boolean canSend,
    String createdAt,
    String updatedAt,
    @Nullable String completedAt) {

  static RunItem of(Row row) {
    var status = RunStatus.valueOf(row.getString("status"));
    return new RunItem(
        row.getUUID("id"),
        ShownGoal.of(row.getString("goal"), row.getString("goal_inputs")),
        status,
        row.getString("summary"),
        row.getString("error"),
        row.getUUID("resumed_from"),
        row.getString("sandbox_profile"),
        row.getBoolean("interrupted"),
        row.getString("session_id"),
        status.runStatus(),
        row.getBoolean("execution_stopped"),
        row.getBoolean("terminal_persisted"),
        row.getString("cancel_status"),
        row.getInteger("generation"),
        row.getInteger("revision"),
        row.getBoolean("can_send"),
        Times.wire(row.getOffsetDateTime("created_at").toInstant()),
        Times.wire(row.getOffsetDateTime("updated_at").toInstant()),
        Times.wireOrNull(row.getOffsetDateTime("completed_at")));
  }
}
