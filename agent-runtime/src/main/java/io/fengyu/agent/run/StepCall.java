package io.fengyu.agent.run;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fengyu.agent.guard.PermissionMode;
import io.fengyu.agent.journal.Change;
import io.fengyu.agent.journal.EventType;
import io.fengyu.contract.json.CanonicalJson;
import java.util.List;

/** Calls the tool of one step, as often as its retry policy allows. */
final class StepCall {

  private final RunWriter writer;
  private final Admission admission;
  private final ToolCalls tools;
  private final StepPlan step;
  private final ObjectNode args;
  private final CallReceipt receipt;
  private final int first;
  private final boolean unasked;

  /**
   * @param args what the tool gets
   */
  StepCall(RunScope scope, ToolCalls tools, StepPlan step, ObjectNode args) {
    this.writer = scope.writer();
    this.admission = scope.admission();
    this.tools = tools;
    this.step = step;
    this.args = args;
    this.receipt =
        new CallReceipt(
            scope.work(),
            step.index(),
            step.tool(),
            step.hasEffect() ? CanonicalJson.sha256(step.args()) : "");
    this.first = Math.max(1, scope.state().run(step.index()).attempts());
    this.unasked = scope.work().options().permissionMode() == PermissionMode.FULL_ACCESS;
  }

  /** What has to be on disk before the first attempt; nothing for a call without effect. */
  List<Change> intention() {
    return step.hasEffect() ? receipt.intention(first) : List.of();
  }

  /** Of the resolved arguments, secrets included; empty for a call without effect. */
  String argsHash() {
    return receipt.argsHash();
  }

  /** Runs on the step's thread until there is an end. */
  StepEnd run() {
    if (step.pinned()) {
      return pinned();
    }
    for (int attempt = first; ; attempt++) {
      recordIntention(attempt);
      var end = attempt(attempt);
      if (!retries(end, attempt)) {
        return end;
      }
      announceRetry((StepEnd.Failed) end, attempt);
      if (!unasked && unknown(end)) {
        return new StepEnd.Unsure(((StepEnd.Failed) end).error(), attempt);
      }
      if (!admission.pause(step.delayMs(attempt))) {
        return new StepEnd.Failed(ToolCalls.STOPPED, attempt, List.of());
      }
    }
  }

  private StepEnd pinned() {
    var result = step.step().pinnedResult();
    return end(ToolOutcome.of(result == null ? "" : result), 0, List.of());
  }

  private boolean retries(StepEnd end, int attempt) {
    return end instanceof StepEnd.Failed && attempt < step.maxAttempts() && admission.open();
  }

  /** True when nobody can tell what the last attempt did: only a person may have it repeated. */
  private static boolean unknown(StepEnd end) {
    return end.outcome().stream()
        .anyMatch(
            change ->
                change instanceof Change.Outcome settled
                    && settled.state() == Change.ReceiptState.UNKNOWN);
  }

  private void recordIntention(int attempt) {
    if (!step.hasEffect()) {
      writer.checkHeld();
      return;
    }
    if (attempt > first) {
      receipt.intention(attempt).forEach(writer::hold);
      writer.flush();
    }
    writer.awaitDurable();
  }

  private void announceRetry(StepEnd.Failed end, int attempt) {
    var data =
        StepEvents.retry(
            step.index(), attempt + 1, step.maxAttempts(), step.delayMs(attempt), end.error());
    if (unknown(end)) {
      data.put("outcome", "unknown");
    }
    writer.hold(EventType.STEP_RETRY, data, end.outcome());
    writer.flush();
  }

  private StepEnd attempt(int attempt) {
    var outcome = tools.call(step.tool(), step.index(), receipt.invocationId(attempt), args);
    return end(outcome, attempt, receipt.outcome(attempt, outcome.state()));
  }

  private static StepEnd end(ToolOutcome outcome, int attempt, List<Change> settled) {
    return switch (outcome) {
      case ToolOutcome.Answered(var text, var value) ->
          new StepEnd.Completed(text, value, attempt, settled);
      case ToolOutcome.Refused(var error, var state) -> new StepEnd.Failed(error, attempt, settled);
    };
  }
}
