package io.fengyu.agent.approval;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import org.jspecify.annotations.Nullable;

/**
 * A decision that was taken.
 *
 * @param already true when it had been taken before; absent otherwise
 * @param runId of a run or task; absent for a chat turn
 * @param status of the run
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record GateDecided(
    boolean ok,
    @Nullable Boolean already,
    String gateId,
    @Nullable String runId,
    @Nullable String status,
    @JsonProperty("execution_generation") @Nullable Integer executionGeneration) {}
