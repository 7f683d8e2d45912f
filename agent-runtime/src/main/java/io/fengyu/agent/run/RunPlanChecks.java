package io.fengyu.agent.run;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fengyu.agent.tool.Effect;
import io.fengyu.agent.tool.Tool;
import io.fengyu.contract.plan.CompiledPlan;
import io.fengyu.contract.plan.PlanChecks;
import io.fengyu.contract.plan.PlanProblem;
import io.fengyu.contract.plan.ToolFacts;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** All rules that a plan must keep before one of its tools is called in a run. */
final class RunPlanChecks {

  private RunPlanChecks() {}

  /**
   * Everything that is wrong with a plan; empty when it may run.
   *
   * @param readProblems what was already noticed while reading it
   * @param goal as written
   */
  static List<PlanProblem> check(
      CompiledPlan plan,
      List<PlanProblem> readProblems,
      RunOptions options,
      Map<String, Tool> tools,
      ObjectNode inputs,
      String goal) {
    var problems = new ArrayList<>(readProblems);
    problems.addAll(PlanChecks.structure(plan, PlanChecks.MAX_STEPS));
    problems.addAll(PlanChecks.tools(plan, name -> facts(tools.get(name)), options.readOnly()));
    problems.addAll(PlanChecks.inputs(plan, goal, inputs));
    return problems;
  }

  private static @Nullable ToolFacts facts(@Nullable Tool tool) {
    if (tool == null) {
      return null;
    }
    var spec = tool.spec();
    return new ToolFacts(spec.effect() == Effect.READ, spec.retrySafe(), spec.outputSchema());
  }
}
