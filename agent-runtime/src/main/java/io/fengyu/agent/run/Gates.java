package io.fengyu.agent.run;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fengyu.agent.history.Receipt;
import io.fengyu.agent.journal.Change;
import io.fengyu.agent.journal.EventType;
import io.fengyu.agent.journal.RunStatus;
import java.util.List;
import java.util.Map;

/** Pauses a run until somebody decides; whoever decides goes on with the next generation. */
final class Gates {

  private final RunScope scope;
  private final RunWork work;
  private final RunState state;
  private final RunWriter writer;
  private final Admission admission;
  private final RunEnds ends;

  Gates(RunScope scope, RunEnds ends) {
    this.scope = scope;
    this.work = scope.work();
    this.state = scope.state();
    this.writer = scope.writer();
    this.admission = scope.admission();
    this.ends = ends;
  }

  /**
   * Pauses before a plan.
   *
   * @param repeated calls that were made before, by the index of the step that would repeat them
   */
  RunResult openAtPlan(Map<Integer, List<Receipt>> repeated) {
    var payload =
        StepEvents.planGate(
            work.gateId(),
            work.runId(),
            work.generation(),
            work.planJson(),
            state.completedSteps(),
            repeated);
    return open(EventType.PLAN_APPROVAL_REQUESTED, RunStatus.AWAITING_PLAN_APPROVAL, payload);
  }

  /**
   * Pauses before a step.
   *
   * @param reason in a word
   */
  RunResult openAt(ReadyStep step, String reason) {
    var gate = StepEvents.stepGate(work.gateId(), work.runId(), work.generation(), step, reason);
    StepEvents.explain(gate, step.asked());
    return open(EventType.STEP_APPROVAL_REQUESTED, RunStatus.AWAITING_STEP_APPROVAL, gate);
  }

  /** A call of a model is agreed to by itself. */
  RunResult openAt(DirectTurn.Paused paused) {
    var gate = StepEvents.callGate(work.gateId(), work.runId(), work.generation(), paused);
    StepEvents.explain(gate, paused.verdict().asks() ? paused.verdict() : null);
    return open(EventType.STEP_APPROVAL_REQUESTED, RunStatus.AWAITING_STEP_APPROVAL, gate);
  }

  private RunResult open(EventType type, RunStatus status, ObjectNode payload) {
    if (admission.stopped()) {
      return ends.cancelled();
    }
    scope.noteUsage();
    writer.hold(type, payload, List.of(new Change.Gate(status, work.gateId(), payload)));
    writer.flushDurably();
    return RunResult.PAUSED;
  }
}
