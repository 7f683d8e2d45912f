package io.fengyu.agent.history;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.util.RawValue;
import io.fengyu.agent.journal.StoredRun;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Writes the detail of a run. What is stored as JSON is passed on as it is. */
@ApplicationScoped
class RunDetails {

  private final ObjectMapper json;

  RunDetails(ObjectMapper json) {
    this.json = json;
  }

  ObjectNode of(RunQueries.Detail detail, List<AuditEvent> audit, Usage usage) {
    var run = detail.run();
    var node = JsonNodeFactory.instance.objectNode();
    describe(node, run);
    node.set("executions", Executions.of(audit, steps(run.plan()), json));
    outcome(node, run);
    control(node, run);
    node.set("usage", json.valueToTree(usage));
    node.put("can_send", detail.canSend());
    node.put("last_event_seq", detail.lastEventSeq());
    node.set("events", events(audit));
    return node;
  }

  private int steps(@Nullable String plan) {
    try {
      return plan == null ? 0 : json.readTree(plan).path("steps").size();
    } catch (JsonProcessingException damaged) {
      throw new IllegalStateException("A stored plan is no JSON", damaged);
    }
  }

  private static void describe(ObjectNode node, StoredRun run) {
    node.put("id", run.id().toString());
    node.put("goal", ShownGoal.of(run.goal(), run.inputs()));
    node.put("status", run.status().name());
    raw(node, "config", run.config());
    raw(node, "plan", run.plan());
    raw(node, "inputs", run.inputs());
  }

  private static void outcome(ObjectNode node, StoredRun run) {
    node.put("summary", run.summary());
    node.put("error", run.error());
    var from = run.resumedFrom();
    node.put("resumedFrom", from == null ? null : from.toString());
    var ancestor = from == null ? run.ancestor() : null;
    node.put("forkedFrom", ancestor == null ? null : ancestor.toString());
    node.put("sandboxProfile", run.sandboxProfile());
    node.put("session_id", run.sessionId());
    node.put("interrupted", run.interrupted());
    raw(node, "pendingGate", run.pendingGate());
    node.put("createdAt", Times.wire(run.createdAt()));
    node.put("updatedAt", Times.wire(run.updatedAt()));
    node.put("completedAt", Times.wireOrNull(run.completedAt()));
  }

  private static void control(ObjectNode node, StoredRun run) {
    node.put("run_status", run.status().runStatus());
    node.put("execution_stopped", run.executionStopped());
    node.put("terminal_persisted", run.terminalPersisted());
    node.put("cancel_status", run.cancelStatus().wire());
    node.put("execution_generation", run.generation());
    node.put("revision", run.revision());
  }

  private static ArrayNode events(List<AuditEvent> audit) {
    var events = JsonNodeFactory.instance.arrayNode(audit.size());
    for (var event : audit) {
      var node = events.addObject();
      node.put("seq", event.seq()).put("type", event.type());
      raw(node, "data", event.data());
      node.put("createdAt", Times.wire(event.createdAt()));
    }
    return events;
  }

  private static void raw(ObjectNode node, String field, @Nullable String text) {
    if (text == null) {
      node.putNull(field);
    } else {
      node.putRawValue(field, new RawValue(text));
    }
  }
}
