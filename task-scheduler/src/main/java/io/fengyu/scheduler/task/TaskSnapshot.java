package io.fengyu.scheduler.task;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonInclude.Include;
import com.fasterxml.jackson.databind.JsonNode;
import io.fengyu.scheduler.queue.Place;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A task as it is now.
 *
 * @param queueWaitMs grows until the body starts, or the task ends without one
 * @param startedAt absent until then
 * @param runDurationMs absent until then; grows until the end
 * @param output the result, or what went wrong; null while there is none
 * @param waiting absent unless it is queued
 * @param steps what the guard says about each step, in the answer to a submission only
 */
record TaskSnapshot(
    UUID taskId,
    String priority,
    String kind,
    String description,
    String status,
    Instant createdAt,
    long queueWaitMs,
    @JsonInclude(Include.NON_NULL) @Nullable Instant startedAt,
    @JsonInclude(Include.NON_NULL) @Nullable Long runDurationMs,
    @JsonInclude(Include.NON_NULL) @Nullable Instant completedAt,
    @Nullable String output,
    boolean cancelRequested,
    String workflowId,
    @Nullable UUID runId,
    @Nullable String errorCode,
    @JsonInclude(Include.NON_NULL) @Nullable Place waiting,
    @JsonInclude(Include.NON_NULL) @Nullable JsonNode steps) {

  boolean over() {
    return completedAt != null;
  }

  boolean queued() {
    return status.equals("queued");
  }

  TaskSnapshot at(@Nullable Place place) {
    return with(place, steps);
  }

  TaskSnapshot judged(@Nullable JsonNode judgement) {
    return with(waiting, judgement);
  }

  private TaskSnapshot with(@Nullable Place place, @Nullable JsonNode judgement) {
    return new TaskSnapshot(
        taskId,
        priority,
        kind,
        description,
        status,
        createdAt,
        queueWaitMs,
        startedAt,
        runDurationMs,
        completedAt,
        output,
        cancelRequested,
        workflowId,
        runId,
        errorCode,
        place,
        judgement);
  }
}
