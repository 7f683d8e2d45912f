package io.fengyu.agent.run;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import io.fengyu.agent.guard.Verdict;
import io.fengyu.agent.history.Receipt;
import io.fengyu.agent.tool.JobProgress;
import io.fengyu.contract.plan.AgentPlan;
import io.fengyu.contract.plan.AgentStep;
import io.fengyu.contract.plan.PlanProblem;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Payloads of a run's events, as clients see them; the journal adds the number. */
final class StepEvents {

  private static final JsonNodeFactory JSON = JsonNodeFactory.instance;

  /** Receipts of calls that a step would make again. */
  static final String ALREADY_DONE = "alreadyDone";

  private StepEvents() {}

  static ObjectNode planReady(AgentPlan plan, ObjectNode json) {
    var data = JSON.objectNode();
    data.put("goal", plan.goal());
    data.put("reasoning", plan.reasoning());
    data.set("steps", json.get("steps"));
    data.set("plan", json);
    return data;
  }

  /**
   * A gate at a plan.
   *
   * @param inherited indexes of steps that are done already
   * @param repeated calls that were made before, by the index of the step that would repeat them
   */
  static ObjectNode planGate(
      String gateId,
      UUID runId,
      int generation,
      ObjectNode plan,
      List<Integer> inherited,
      Map<Integer, List<Receipt>> repeated) {
    var data = gate(gateId, "plan", runId, generation);
    data.set("plan", plan);
    if (!inherited.isEmpty()) {
      inherited.forEach(data.putArray("inherited")::add);
    }
    if (!repeated.isEmpty()) {
      data.set("plan", marked(plan, repeated));
      var all = data.putArray(ALREADY_DONE);
      repeated.values().forEach(receipts -> receipts.forEach(all::addPOJO));
    }
    return data;
  }

  private static ObjectNode marked(ObjectNode plan, Map<Integer, List<Receipt>> repeated) {
    var copy = plan.deepCopy();
    repeated.forEach(
        (index, receipts) -> alreadyDone((ObjectNode) copy.path("steps").path(index), receipts));
    return copy;
  }

  /** The data with the receipts, if there are any. */
  static ObjectNode alreadyDone(ObjectNode data, List<Receipt> receipts) {
    if (!receipts.isEmpty()) {
      receipts.forEach(data.putArray(ALREADY_DONE)::addPOJO);
    }
    return data;
  }

  static ObjectNode stepGate(
      String gateId, UUID runId, int generation, ReadyStep ready, String reason) {
    var step = ready.plan();
    var data = gate(gateId, "step", runId, generation);
    data.put("index", step.index());
    data.put("toolName", step.step().toolName());
    data.put("tool_call_id", toolCallId(runId, step.index()));
    data.set("args", step.shownArgs());
    data.put("effect", step.tool().spec().effect().wire());
    data.put("description", step.step().description());
    data.put("reason", reason);
    return alreadyDone(data, ready.alreadyDone());
  }

  static ObjectNode callGate(String gateId, UUID runId, int generation, DirectTurn.Paused paused) {
    var call = paused.call();
    var spec = paused.tool().spec();
    var data = gate(gateId, "step", runId, generation);
    data.put("index", call.index());
    data.put("toolName", call.name());
    data.put("tool_call_id", call.id());
    data.set("args", DirectEvents.masked(paused.args(), paused.tool()));
    data.put("effect", spec.effect().wire());
    data.put("description", spec.description());
    data.put("reason", paused.reason());
    return alreadyDone(data, paused.alreadyDone());
  }

  /** Says why the guard asks, where it is the guard. */
  static void explain(ObjectNode gate, @Nullable Verdict verdict) {
    if (verdict != null) {
      gate.put("why", verdict.reason());
      gate.put("rule", verdict.rule());
    }
  }

  static String toolCallId(UUID runId, int step) {
    return runId + ":step:" + step;
  }

  private static ObjectNode gate(String gateId, String kind, UUID runId, int generation) {
    return JSON.objectNode()
        .put("gateId", gateId)
        .put("kind", kind)
        .put("runId", runId.toString())
        .put("generation", generation);
  }

  static ObjectNode start(ReadyStep ready) {
    var step = ready.plan().step();
    var data = JSON.objectNode();
    data.put("index", step.index());
    data.put("id", step.nodeId());
    data.put("toolName", step.toolName());
    data.put("description", step.description());
    data.set("args", ready.plan().shownArgs());
    var dependsOn = data.putArray("dependsOn");
    step.dependsOn().forEach(dependsOn::add);
    data.put("requiresApproval", step.requiresApproval());
    data.put("pinned", step.pinnedResult() != null);
    return alreadyDone(data, ready.alreadyDone());
  }

  static ObjectNode retry(int index, int nextAttempt, int maxAttempts, long delayMs, String error) {
    return JSON.objectNode()
        .put("index", index)
        .put("nextAttempt", nextAttempt)
        .put("maxAttempts", maxAttempts)
        .put("delayMs", delayMs)
        .put("error", error);
  }

  static ObjectNode complete(
      AgentStep step, String result, JsonNode output, int attempts, long durationMs) {
    var data = JSON.objectNode();
    data.put("index", step.index());
    data.put("toolName", step.toolName());
    data.put("status", "COMPLETED");
    data.put("result", result);
    if (!isPlainText(output, result)) {
      data.set("output", output);
    }
    data.put("pinned", step.pinnedResult() != null);
    data.put("attempts", attempts);
    data.put("durationMs", durationMs);
    return data;
  }

  private static boolean isPlainText(JsonNode output, String result) {
    return output instanceof TextNode text && text.textValue().equals(result);
  }

  static ObjectNode failed(AgentStep step, String error, int attempts, long durationMs) {
    return JSON.objectNode()
        .put("index", step.index())
        .put("toolName", step.toolName())
        .put("error", error)
        .put("attempts", attempts)
        .put("durationMs", durationMs);
  }

  static ObjectNode jobProgress(int index, String callId, String jobId, JobProgress progress) {
    var data = JSON.objectNode().put("index", index).put("tool_call_id", callId);
    data.put("job_id", jobId).put("progress_seq", progress.seq()).put("stage", progress.stage());
    data.set("progress", progress.progress() == null ? JSON.nullNode() : progress.progress());
    return data.put("message", progress.message());
  }

  static ObjectNode skipped(int index) {
    return JSON.objectNode().put("index", index);
  }

  static ObjectNode runComplete(UUID runId, String summary, @Nullable String result) {
    return JSON.objectNode()
        .put("runId", runId.toString())
        .put("status", "COMPLETED")
        .put("summary", summary)
        .put("result", result);
  }

  static ObjectNode stepFailed(int index, String message) {
    return JSON.objectNode()
        .put("message", message)
        .put("code", "STEP_FAILED")
        .put("index", index)
        .put("status", "FAILED");
  }

  static ObjectNode failure(String message, String code) {
    return JSON.objectNode().put("message", message).put("code", code).put("status", "FAILED");
  }

  static ObjectNode invalidPlan(List<PlanProblem> problems) {
    var data = failure(invalidPlanMessage(problems), "INVALID_PLAN");
    var first = problems.getFirst().step();
    if (first != null) {
      data.put("index", first);
    }
    var list = data.putArray("problems");
    for (var problem : problems) {
      var entry = list.addObject();
      entry.put("step", problem.step());
      entry.put("code", problem.code());
      entry.set("params", params(problem));
      entry.put("message", problem.message());
    }
    return data;
  }

  static String invalidPlanMessage(List<PlanProblem> problems) {
    var first = problems.getFirst().message();
    int more = problems.size() - 1;
    return "Invalid plan: " + first + (more == 0 ? "" : " (and " + more + " more)");
  }

  private static ObjectNode params(PlanProblem problem) {
    var params = JSON.objectNode();
    problem.params().forEach((name, value) -> params.putPOJO(name, value));
    return params;
  }
}
