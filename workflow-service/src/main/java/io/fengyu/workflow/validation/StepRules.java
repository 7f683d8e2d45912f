package io.fengyu.workflow.validation;

import io.fengyu.contract.plan.AgentPlan;
import io.fengyu.contract.plan.AgentStep;
import io.fengyu.contract.plan.CompiledPlan;
import io.fengyu.contract.plan.Reference;
import io.fengyu.contract.plan.Reference.Source;
import io.fengyu.workflow.WorkflowProblems;
import java.util.Set;

/** What one step of a saved plan must keep. */
final class StepRules {

  private static final int MAX_PIN = 65_536;
  private static final int MAX_ATTEMPTS = 5;
  private static final int MAX_BACKOFF_MS = 30_000;

  /** Tools that start workflows too. */
  private static final Set<String> NESTING =
      Set.of("run_current_flow", "task_submit_workflow", "task_schedule");

  private static final String WORKFLOW_TOOL = "run_workflow_";

  private StepRules() {}

  static void check(CompiledPlan.Step compiled, AgentPlan plan) {
    var step = compiled.step();
    tool(step);
    retry(step);
    pin(step);
    dependencies(step);
    compiled.args().malformed().forEach(text -> refuseReference(step, text));
    compiled.args().references().forEach(reference -> reference(step, plan, reference));
  }

  private static void tool(AgentStep step) {
    if (step.toolName().isBlank()) {
      throw WorkflowProblems.required("/plan/steps/" + step.index() + "/toolName");
    }
    if (step.toolName().startsWith(WORKFLOW_TOOL) || NESTING.contains(step.toolName())) {
      throw WorkflowProblems.nestedTool(step.index(), step.toolName());
    }
  }

  private static void retry(AgentStep step) {
    var retry = step.retryPolicy();
    if (retry == null) {
      return;
    }
    within(step, "maxAttempts", retry.maxAttempts(), 1, MAX_ATTEMPTS);
    within(step, "backoffMs", retry.backoffMs(), 0, MAX_BACKOFF_MS);
  }

  private static void within(AgentStep step, String field, int value, int min, int max) {
    if (value < min || value > max) {
      throw WorkflowProblems.retryRange(step.index(), field, min, max);
    }
  }

  private static void pin(AgentStep step) {
    var pinned = step.pinnedResult();
    if (pinned != null && pinned.length() > MAX_PIN) {
      throw WorkflowProblems.pinTooLarge(step.index(), MAX_PIN);
    }
  }

  private static void dependencies(AgentStep step) {
    step.dependsOn().forEach(on -> earlier(step, on, on));
    step.runWhen().forEach(when -> earlier(step, when.step(), when.step()));
  }

  private static void reference(AgentStep step, AgentPlan plan, Reference reference) {
    switch (reference.source()) {
      case Source.Input input -> {}
      case Source.Last last -> earlier(step, step.index() - 1, reference);
      case Source.Step(int index, var side) -> earlier(step, index, reference);
      case Source.Node(var id, var side) -> earlierNode(step, plan, id, reference);
    }
  }

  private static void earlierNode(AgentStep step, AgentPlan plan, String id, Reference reference) {
    var known =
        plan.steps().stream().limit(step.index()).anyMatch(earlier -> earlier.nodeId().equals(id));
    if (!known) {
      refuseReference(step, reference.toString());
    }
  }

  private static void refuseReference(AgentStep step, String reference) {
    throw WorkflowProblems.referenceUnknown(step.nodeId(), reference);
  }

  /** Before the first step there is -1, which is no step either. */
  private static void earlier(AgentStep step, int on, Object written) {
    if (on < 0 || on >= step.index()) {
      throw WorkflowProblems.stepDependency(
          step.index(), written instanceof Reference ? written.toString() : written);
    }
  }
}
