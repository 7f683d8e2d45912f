package io.fengyu.workflow.validation;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fengyu.contract.plan.AgentPlan;
import io.fengyu.contract.plan.CompiledPlan;
import io.fengyu.contract.plan.InputBinding;
import io.fengyu.contract.plan.PlanProblem;
import io.fengyu.contract.plan.PlanReader;
import io.fengyu.contract.plan.PlanReader.ReadPlan;
import io.fengyu.workflow.WorkflowProblems;
import java.util.HashSet;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Reads a plan and refuses the first thing that a saved one must not have. */
final class PlanChecked {

  private PlanChecked() {}

  /**
   * The plan, if it may be saved.
   *
   * @param schema declares the inputs that the plan may use; null to leave them unchecked
   */
  static AgentPlan of(JsonNode json, int maxSteps, @Nullable ObjectNode schema) {
    var read = read(json, maxSteps);
    numbered(read);
    read.problems().stream().findFirst().ifPresent(PlanChecked::refuseField);
    var plan = read.plan();
    distinctIds(plan);
    if (schema != null) {
      declared(plan, schema);
    }
    CompiledPlan.of(plan).steps().forEach(step -> StepRules.check(step, plan));
    return plan;
  }

  private static ReadPlan read(JsonNode json, int maxSteps) {
    var steps = json.path("steps");
    if (!steps.isArray()) {
      throw WorkflowProblems.planRequired();
    }
    if (steps.size() > maxSteps) {
      throw WorkflowProblems.tooManySteps(maxSteps, steps.size());
    }
    IntStream.range(0, steps.size())
        .filter(position -> !steps.get(position).isObject())
        .findFirst()
        .ifPresent(PlanChecked::refusePosition);
    return PlanReader.readEdited(json);
  }

  /** Either every step says its number and it is its position, or none says one. */
  private static void numbered(ReadPlan read) {
    var indexes = read.indexes();
    if (indexes.stream().allMatch(index -> index == -1)) {
      return;
    }
    IntStream.range(0, indexes.size())
        .filter(position -> indexes.get(position) != position)
        .findFirst()
        .ifPresent(PlanChecked::refusePosition);
  }

  private static void refusePosition(int position) {
    throw WorkflowProblems.stepIndex(position);
  }

  private static void refuseField(PlanProblem problem) {
    var field = String.valueOf(problem.params().get("field")).replace('.', '/');
    var step = problem.step() == null ? "" : "/steps/" + problem.step();
    throw WorkflowProblems.wrongType(
        "/plan" + step + "/" + field, String.valueOf(problem.params().get("expected")));
  }

  private static void distinctIds(AgentPlan plan) {
    var seen = new HashSet<String>();
    for (var step : plan.steps()) {
      if (!seen.add(step.nodeId())) {
        throw WorkflowProblems.duplicate("/plan/steps/" + step.index() + "/id");
      }
    }
  }

  private static void declared(AgentPlan plan, ObjectNode schema) {
    var properties = schema.path("properties");
    List<String> undeclared =
        InputBinding.names(plan.goal(), plan).stream()
            .filter(name -> !properties.has(name))
            .toList();
    if (!undeclared.isEmpty()) {
      throw WorkflowProblems.undeclaredInput(undeclared);
    }
  }
}
