package io.fengyu.agent.approval;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.databind.JsonNode;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Something that waits for a decision.
 *
 * @param gateId good among all gates there are
 * @param kind {@code plan}, or {@code step} for one call
 * @param source {@code run}, {@code chat} or {@code task}
 * @param runId of a run or task; absent for a chat turn
 * @param streamId of a chat turn; absent for others
 * @param title what a person recognises it by
 * @param tool null at a plan
 * @param effect of the tool
 * @param args of the call, sensitive values masked; null at a plan, and when they are very long
 * @param argsOmitted true when they are left out because of their length; the run's detail has them
 * @param alreadyDone receipts of earlier calls that this one would repeat
 * @param reason why it asks: a stage of the guard, {@code step} or {@code every}; null at a plan
 * @param expiresAt null for a gate that waits for ever
 */
public record OpenGate(
    String gateId,
    String kind,
    String source,
    @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable String runId,
    @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable String streamId,
    String title,
    @Nullable String tool,
    @Nullable String effect,
    @Nullable JsonNode args,
    boolean argsOmitted,
    JsonNode alreadyDone,
    @Nullable String reason,
    @JsonProperty("tool_call_id") @Nullable String toolCallId,
    int generation,
    Instant openedAt,
    @Nullable Instant expiresAt) {

  /** Which run, turn or task it is of. */
  @JsonIgnore
  public String subject() {
    return runId != null ? runId : streamId == null ? gateId : streamId;
  }
}
