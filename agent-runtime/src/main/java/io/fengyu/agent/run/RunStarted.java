package io.fengyu.agent.run;

import com.fasterxml.jackson.annotation.JsonProperty;
import io.fengyu.agent.journal.RunStatus;
import java.util.UUID;

/**
 * A run that was started.
 *
 * @param replayed true when an earlier request with the same id had started it
 */
public record RunStarted(
    UUID runId,
    RunStatus status,
    @JsonProperty("execution_generation") int executionGeneration,
    boolean replayed) {

  static RunStarted anew(UUID runId) {
    return new RunStarted(runId, RunStatus.PLANNING, 1, false);
  }
}
