package io.fengyu.agent.run;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonProperty;
import io.fengyu.agent.journal.RunStatus;
import io.fengyu.agent.journal.StoredRun;
import io.fengyu.agent.journal.StoredRun.CancelStatus;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * How far a cancel request has come.
 *
 * @param runId null while, or because, there is no run to stop
 * @param startRequestId null when a run was named
 * @param status null likewise
 * @param runStatus null likewise
 * @param cancelStatus {@code none} when the run had ended otherwise before
 * @param branches what was at work when the end was asked for
 */
public record CancelState(
    @JsonProperty("cancel_request_id") String cancelRequestId,
    @JsonProperty("run_id") @Nullable UUID runId,
    @JsonProperty("start_request_id") @Nullable String startRequestId,
    @Nullable RunStatus status,
    @JsonProperty("run_status") @Nullable String runStatus,
    @JsonProperty("cancel_status") String cancelStatus,
    @JsonProperty("execution_stopped") boolean executionStopped,
    @JsonProperty("terminal_persisted") boolean terminalPersisted,
    @JsonProperty("execution_generation") int executionGeneration,
    int revision,
    @JsonProperty("can_send") boolean canSend,
    List<CancelBranch> branches) {

  /** A request whose run never began; settled once its start came and was turned away. */
  static CancelState withoutRun(String requestId, String startId, boolean refused) {
    var stage = refused ? CancelStatus.CONFIRMED : CancelStatus.REQUESTED;
    return new CancelState(
        requestId,
        null,
        startId,
        null,
        null,
        stage.wire(),
        refused,
        refused,
        0,
        0,
        true,
        List.of());
  }

  static CancelState of(
      String requestId, @Nullable String startId, StoredRun run, List<CancelBranch> branches) {
    return new CancelState(
        requestId,
        run.id(),
        startId,
        run.status(),
        run.status().runStatus(),
        stage(run).wire(),
        run.executionStopped(),
        !run.status().open() && run.terminalPersisted(),
        run.generation(),
        run.revision(),
        run.canSend(),
        branches);
  }

  /** Only an end that was read back is a proof, whatever the row says before. */
  private static CancelStatus stage(StoredRun run) {
    if (run.status() == RunStatus.CANCELLED) {
      return run.terminalPersisted() ? CancelStatus.CONFIRMED : CancelStatus.STOPPING;
    }
    return run.cancelStatus();
  }

  /** True when nothing about it will change any more. */
  @JsonIgnore
  boolean settled() {
    return executionStopped && terminalPersisted;
  }
}
