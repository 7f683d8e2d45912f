package io.fengyu.contract.plan;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fengyu.contract.plan.AgentStep.RetryPolicy;
import io.fengyu.contract.plan.AgentStep.RunWhen;
import java.util.List;

/** Writes a plan back with everything that came in, unknown fields included. */
final class PlanWriter {

  private static final JsonNodeFactory JSON = JsonNodeFactory.instance;

  private PlanWriter() {}

  static ObjectNode write(AgentPlan plan) {
    var json = JSON.objectNode();
    if (plan.goal() != null) {
      json.put("goal", plan.goal());
    }
    if (plan.reasoning() != null) {
      json.put("reasoning", plan.reasoning());
    }
    var steps = json.putArray("steps");
    plan.steps().forEach(step -> steps.add(write(step)));
    json.setAll(plan.other());
    return json;
  }

  static ObjectNode write(AgentStep step) {
    var json = JSON.objectNode();
    json.put("index", step.index());
    if (step.id() != null) {
      json.put("id", step.id());
    }
    json.put("toolName", step.toolName());
    json.set("args", step.args());
    if (step.description() != null) {
      json.put("description", step.description());
    }
    json.put("requiresApproval", step.requiresApproval());
    var dependsOn = json.putArray("dependsOn");
    step.dependsOn().forEach(dependsOn::add);
    json.put("pinnedResult", step.pinnedResult());
    if (step.retryPolicy() != null) {
      retry(json, step.retryPolicy());
    }
    if (!step.runWhen().isEmpty()) {
      runWhen(json, step.runWhen());
    }
    json.setAll(step.other());
    return json;
  }

  private static void retry(ObjectNode json, RetryPolicy policy) {
    json.putObject("retryPolicy")
        .put("maxAttempts", policy.maxAttempts())
        .put("backoffMs", policy.backoffMs());
  }

  private static void runWhen(ObjectNode json, List<RunWhen> conditions) {
    var array = json.putArray("runWhen");
    conditions.forEach(
        condition ->
            array.addObject().put("step", condition.step()).put("equals", condition.equals()));
  }
}
