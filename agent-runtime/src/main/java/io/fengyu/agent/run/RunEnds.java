package io.fengyu.agent.run;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fengyu.agent.journal.CancelEvents;
import io.fengyu.agent.journal.Change;
import io.fengyu.agent.journal.EventType;
import io.fengyu.agent.journal.RunStatus;
import io.fengyu.agent.model.ModelException;
import io.fengyu.contract.plan.PlanProblem;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The ends a run can come to, each written once and read back. */
final class RunEnds {

  private static final String FAULT = "The run broke off because of a fault of the server";

  private static final int SUMMARY = 2000;

  private final RunScope scope;
  private final RunWork work;
  private final RunState state;
  private final RunWriter writer;
  private final Admission admission;
  private final RunHooks hooks;

  RunEnds(RunScope scope) {
    this.scope = scope;
    this.work = scope.work();
    this.state = scope.state();
    this.writer = scope.writer();
    this.admission = scope.admission();
    this.hooks = scope.hooks();
  }

  /** All steps are done. */
  RunResult complete() {
    if (admission.stopped()) {
      return cancelled();
    }
    return complete(state.lastResult());
  }

  /** All steps are done, and this is what they came to. */
  RunResult reported(String report) {
    return admission.stopped() ? cancelled() : complete(report);
  }

  private RunResult complete(@Nullable String result) {
    int steps = state.completed();
    var summary = steps + (steps == 1 ? " step done: " : " steps done: ") + work.goal();
    return end(
        EventType.COMPLETE,
        StepEvents.runComplete(work.runId(), summary, result),
        RunStatus.COMPLETED,
        summary,
        null);
  }

  /** Nothing new may start; for whatever reason, it is not the plan that came to its end. */
  RunResult halted() {
    var exceeded = admission.spending().exceeded();
    return admission.stopped() || exceeded == null ? cancelled() : overBudget(exceeded);
  }

  private RunResult overBudget(Spending.Exceeded exceeded) {
    var message =
        "The budget is used up: %s is %d, used were %d"
            .formatted(exceeded.budget(), exceeded.limit(), exceeded.used());
    var data = StepEvents.failure(message, "BUDGET_EXCEEDED");
    data.putObject("params")
        .put("budget", exceeded.budget())
        .put("limit", exceeded.limit())
        .put("used", exceeded.used());
    return failed(data, message);
  }

  RunResult stepFailed(int index, String message) {
    return failed(StepEvents.stepFailed(index, message), message);
  }

  RunResult invalidPlan(List<PlanProblem> problems) {
    return failed(StepEvents.invalidPlan(problems), StepEvents.invalidPlanMessage(problems));
  }

  /** No model made a plan. */
  RunResult planningFailed(String code, String message) {
    return admission.stopped() ? cancelled() : failed(StepEvents.failure(message, code), message);
  }

  /** The model has said its last word. */
  RunResult answered(String result) {
    if (admission.stopped()) {
      return cancelled();
    }
    var summary = result.length() <= SUMMARY ? result : result.substring(0, SUMMARY) + "…";
    return end(
        EventType.COMPLETE,
        StepEvents.runComplete(work.runId(), summary, result),
        RunStatus.COMPLETED,
        summary,
        null);
  }

  /** The model did not answer, or not to the end. */
  RunResult modelFailed(ModelException failure) {
    if (admission.stopped()) {
      return cancelled();
    }
    var message = failure.noModel() ? failure.text() : "The model failed: " + failure.text();
    return failed(
        StepEvents.failure(message, failure.code()).put("errorCode", failure.errorCode()), message);
  }

  /** The model went on calling tools for too long. */
  RunResult turnsUsedUp(int limit) {
    var message = "The model had nothing to say but tool calls for " + limit + " turns";
    return failed(StepEvents.failure(message, "TOOL_LOOP_LIMIT").put("limit", limit), message);
  }

  /** Something went wrong that nobody has foreseen. */
  RunResult brokeOff() {
    return failed(StepEvents.failure(FAULT, "INTERNAL_ERROR"), FAULT);
  }

  /** Ends the run as somebody asked. */
  RunResult cancelled() {
    admission.branches().awaitEnd();
    scope.noteUsage();
    writer.holdCancelRequest();
    CancelEvents.last(work.runId()).forEach(event -> writer.hold(event.type(), event.data()));
    writer.hold(CancelEvents.END);
    writer.flushDurably();
    hooks.ended(false, RunStatus.CANCELLED.name());
    return RunResult.ENDED;
  }

  private RunResult failed(ObjectNode data, String message) {
    return end(EventType.ERROR, data, RunStatus.FAILED, null, message);
  }

  private RunResult end(
      EventType type,
      ObjectNode data,
      RunStatus status,
      @Nullable String summary,
      @Nullable String error) {
    admission.branches().awaitEnd();
    scope.noteUsage();
    writer.hold(type, data, List.of(new Change.End(status, summary, error, false)));
    writer.flushDurably();
    if (writer.endedAsCancelled()) {
      hooks.ended(false, RunStatus.CANCELLED.name());
      return RunResult.ENDED;
    }
    boolean completed = status == RunStatus.COMPLETED;
    var code = data.path("code").asText(status.name());
    hooks.ended(completed, completed ? String.valueOf(summary) : code + ": " + error);
    return RunResult.ENDED;
  }
}
