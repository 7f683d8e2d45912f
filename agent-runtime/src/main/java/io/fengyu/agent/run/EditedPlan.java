package io.fengyu.agent.run;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fengyu.contract.plan.CompiledPlan;
import io.fengyu.contract.plan.PlanEdit;
import io.fengyu.contract.plan.PlanReader;
import io.fengyu.contract.plan.PlanReader.ReadPlan;
import java.util.List;

/** The plan that a run goes on with after a decision: its own, or the reviewer's. */
final class EditedPlan {

  private EditedPlan() {}

  /**
   * The plan to go on with.
   *
   * @throws io.fengyu.contract.problem.ProblemException when the edited one can't be accepted
   */
  static ReadPlan of(PausedRun paused, Decision decision) {
    if (paused.run().plan() == null) {
      return unplanned(decision);
    }
    var stored = PlanReader.read(Json.stored(paused.run().plan()));
    return decision.plan() == null ? stored : edited(paused, decision.plan(), stored);
  }

  private static ReadPlan unplanned(Decision decision) {
    if (decision.plan() != null) {
      throw RunRefusals.body("steps", "absent: the run has no plan");
    }
    return Runs.NO_PLAN_YET;
  }

  private static ReadPlan edited(PausedRun paused, ObjectNode body, ReadPlan stored) {
    var read = PlanEdit.read(sent(body));
    var run = paused.run();
    var compiled = CompiledPlan.of(read.plan());
    var problems =
        RunPlanChecks.check(
            compiled,
            read.problems(),
            RunOptions.stored(Json.stored(run.config())),
            paused.tools(),
            PausedRun.inputs(run),
            run.goal());
    if (!problems.isEmpty()) {
      throw RunRefusals.invalidPlan(problems);
    }
    if (paused.atStep()) {
      checkUntouched(paused, read, stored);
    }
    return read;
  }

  private static boolean begun(StepRun run) {
    return !run.pending() || run.attempts() > 0;
  }

  /** The plan in a body, without what a gate says beside it. */
  static ObjectNode sent(ObjectNode body) {
    var plan = body.deepCopy();
    plan.remove(List.of("gateId", "run_id", "tool_call_id", "tool_name", "generation", "decision"));
    for (var step : plan.path("steps")) {
      if (step instanceof ObjectNode object) {
        object.remove(StepEvents.ALREADY_DONE);
      }
    }
    return plan;
  }

  /** What has happened can't be edited. */
  private static void checkUntouched(PausedRun paused, ReadPlan edited, ReadPlan stored) {
    var before = stored.plan().steps();
    var after = edited.plan().steps();
    var runs = StepHistory.fold(CompiledPlan.of(stored.plan()), paused.history());
    for (int i = 0; i < before.size(); i++) {
      if (begun(runs.get(i))
          && (i >= after.size() || !KeptSteps.same(before.get(i), after.get(i)))) {
        throw RunRefusals.planEditConflict(i);
      }
    }
  }
}
