package io.fengyu.agent.history;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.TreeMap;

/**
 * The latest state of every step, told by the audit: one entry per step of the plan in force, in
 * index order. A step that nothing is told of has not begun.
 */
final class Executions {

  private static final String PENDING = "PENDING";

  private final ObjectMapper json;
  private final TreeMap<Integer, ObjectNode> steps = new TreeMap<>();
  private boolean planned;

  private Executions(ObjectMapper json) {
    this.json = json;
  }

  /**
   * Reads them from a whole audit.
   *
   * @param steps how many the plan has; 0 for a run without one
   */
  static ArrayNode of(List<AuditEvent> audit, int steps, ObjectMapper json) {
    var executions = new Executions(json);
    audit.forEach(executions::add);
    for (int index = 0; index < steps; index++) {
      executions.step(index);
    }
    var all = JsonNodeFactory.instance.arrayNode();
    executions.steps.values().forEach(all::add);
    return all;
  }

  private void add(AuditEvent event) {
    switch (event.type()) {
      case "plan_ready" -> planned();
      case "approval_resolved" -> resolved(read(event));
      case "step_approval_requested" -> step(event).put("status", "AWAITING_APPROVAL");
      case "step_start" ->
          step(event)
              .put("status", "RUNNING")
              .put("attempts", 1)
              .put("startedAt", Times.wire(event.createdAt()));
      case "step_retry" -> retried(event);
      case "step_complete" -> completed(event);
      case "step_failed" -> failed(event);
      case "step_skipped" -> ended(event, "SKIPPED");
      case "tool" -> tool(event);
      case "interrupted", "cancelled", "complete", "error" -> over();
      default -> {}
    }
  }

  /** A call of a direct run is told like a step. */
  private void tool(AuditEvent event) {
    var data = read(event);
    switch (data.path("phase").asText()) {
      case "call" -> {
        var step = step(event).put("status", "RUNNING");
        copy(data, step, "name", "toolName");
        copy(data, step, "id", "tool_call_id");
        step.put("startedAt", Times.wire(event.createdAt()));
      }
      case "result" -> {
        var success = data.path("success").asBoolean();
        var step = ended(event, success ? "COMPLETED" : "FAILED");
        step.set("result", data.path("output"));
        if (!success) {
          step.set("error", data.path("output"));
        }
        copy(data, step, "attempts", "attempts");
        copy(data, step, "durationMs", "durationMs");
      }
      default -> {}
    }
  }

  // A new plan begins at step 0 again, and nothing of the old one counts as done; before the first
  // there is what was inherited.
  private void planned() {
    boolean again = planned;
    steps.values().removeIf(step -> again || !step.path("inherited").asBoolean());
    planned = true;
  }

  // What was begun before the gate goes on without another start; a changed plan may have another
  // step where the gate was.
  private void resolved(JsonNode decision) {
    kept(decision.path("kept"));
    for (var step : steps.values()) {
      if (awaitsApproval(step)) {
        step.put("status", step.has("startedAt") ? "RUNNING" : PENDING);
      }
    }
  }

  private static boolean awaitsApproval(ObjectNode step) {
    return step.path("status").asText().equals("AWAITING_APPROVAL");
  }

  // A reviewer changed the plan before it began: what was inherited stays where he left it.
  private void kept(JsonNode kept) {
    if (!kept.isArray()) {
      return;
    }
    var before = new TreeMap<>(steps);
    steps.clear();
    for (var step : kept) {
      var known = before.get(step.path("was").asInt());
      if (known != null) {
        int index = step.path("index").asInt();
        steps.put(index, known.put("index", index));
      }
    }
  }

  private void retried(AuditEvent event) {
    step(event).set("attempts", read(event).path("nextAttempt"));
  }

  private void completed(AuditEvent event) {
    var data = read(event);
    var step = ended(event, "COMPLETED");
    step.set("result", data.path("result"));
    copy(data, step, "attempts");
    copy(data, step, "pinned");
    copy(data, step, "durationMs");
    copy(data, step, "inherited");
    copy(data, step, "inheritedFrom");
    copy(data, step, "completedAt");
  }

  private void failed(AuditEvent event) {
    var data = read(event);
    var step = ended(event, "FAILED");
    step.set("result", data.path("error"));
    step.set("error", data.path("error"));
    copy(data, step, "attempts");
  }

  private ObjectNode ended(AuditEvent event, String status) {
    return step(event).put("status", status).put("completedAt", Times.wire(event.createdAt()));
  }

  // Of what was being tried, nobody knows how far it came; what waited was never begun.
  private void over() {
    for (var step : steps.values()) {
      if (awaitsApproval(step) && !step.has("attempts")) {
        step.put("status", PENDING).remove("startedAt");
      } else if (awaitsApproval(step) || step.path("status").asText().equals("RUNNING")) {
        step.put("status", "FAILED").put("result", "Interrupted").put("error", "Interrupted");
      }
    }
  }

  private static void copy(JsonNode from, ObjectNode to, String field) {
    copy(from, to, field, field);
  }

  private static void copy(JsonNode from, ObjectNode to, String field, String as) {
    if (from.has(field)) {
      to.set(as, from.get(field));
    }
  }

  private ObjectNode step(AuditEvent event) {
    return step(read(event).path("index").asInt());
  }

  private ObjectNode step(int index) {
    return steps.computeIfAbsent(
        index, i -> JsonNodeFactory.instance.objectNode().put("index", i).put("status", PENDING));
  }

  private JsonNode read(AuditEvent event) {
    try {
      return json.readTree(event.data());
    } catch (JsonProcessingException damaged) {
      throw new IllegalStateException("Event " + event.seq() + " is no JSON", damaged);
    }
  }
}
