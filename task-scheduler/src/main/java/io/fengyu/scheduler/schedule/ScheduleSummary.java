package io.fengyu.scheduler.schedule;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.databind.JsonNode;
import java.time.Instant;
import java.util.Locale;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A schedule as its owner sees it; the values of its inputs are not shown.
 *
 * @param nextFireAt in the past while the schedule is paused; null when it will not fire again
 * @param expiresAt null for one that lives until it is deleted
 * @param missedFires due times that passed without a task of their own
 * @param paused true while the host runs plugins unsandboxed and this was made before
 */
record ScheduleSummary(
    @JsonProperty("scheduleId") UUID scheduleId,
    @JsonProperty("workflowId") String workflowId,
    @JsonProperty("status") String status,
    @JsonProperty("intervalSeconds") long intervalSeconds,
    @JsonProperty("recurring") boolean recurring,
    @JsonProperty("calendar") @Nullable JsonNode calendar,
    @JsonProperty("nextFireAt") @Nullable Instant nextFireAt,
    @JsonProperty("expiresAt") @Nullable Instant expiresAt,
    @JsonProperty("fires") long fires,
    @JsonProperty("missedFires") long missedFires,
    @JsonProperty("lastFireAt") @Nullable Instant lastFireAt,
    @JsonProperty("lastTaskId") @Nullable UUID lastTaskId,
    @JsonProperty("lastError") @Nullable String lastError,
    @JsonProperty("lastErrorCode") @Nullable String lastErrorCode,
    @JsonProperty("createdAt") Instant createdAt,
    @JsonProperty("persistent") boolean persistent,
    @JsonProperty("permissionMode") String permissionMode,
    @JsonProperty("sandboxProfile") String sandboxProfile,
    @JsonProperty("paused") boolean paused) {

  static ScheduleSummary of(Schedule schedule) {
    return new ScheduleSummary(
        schedule.id(),
        schedule.workflowId(),
        schedule.status().toUpperCase(Locale.ROOT),
        schedule.timing().intervalSeconds(),
        schedule.timing().recurring(),
        schedule.timing().calendar(),
        schedule.nextFireAt(),
        schedule.expiresAt(),
        schedule.fires(),
        schedule.missedFires(),
        schedule.lastFireAt(),
        schedule.lastTaskId(),
        schedule.lastError(),
        schedule.lastErrorCode(),
        schedule.createdAt(),
        true,
        schedule.permissionMode(),
        schedule.sandboxed() ? "sandboxed" : Schedule.UNSANDBOXED,
        schedule.held());
  }
}
