package io.fengyu.workflow.authoring;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fengyu.workflow.WorkflowProblems;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;

/**
 * The canvas as an editor shows it at this moment: possibly unsaved, possibly invalid.
 *
 * @param sent everything as it came
 */
record FlowContext(ObjectNode sent) {

  private static final int MAX_NODES = 512;
  private static final int MAX_EDGES = 1024;

  /** Refuses a context of another workflow, or one that is too large. */
  static FlowContext of(String workflowId, @Nullable JsonNode json) {
    if (!(json instanceof ObjectNode sent)) {
      throw WorkflowProblems.flowContextInvalid("not_an_object");
    }
    var named = sent.path("workflowId");
    if (!named.isMissingNode() && !named.isNull() && !named.asText().equals(workflowId)) {
      throw WorkflowProblems.flowContextInvalid("workflow_id_differs");
    }
    if (sent.path("graph").path("nodes").size() > MAX_NODES) {
      throw WorkflowProblems.flowContextInvalid("too_many_nodes");
    }
    if (sent.path("graph").path("edges").size() > MAX_EDGES) {
      throw WorkflowProblems.flowContextInvalid("too_many_edges");
    }
    return new FlowContext(sent);
  }

  /** The same with another canvas in it. */
  FlowContext with(JsonNode graph, String goal, JsonNode inputSchema) {
    var changed = sent.deepCopy();
    changed.set("graph", graph);
    changed.put("goal", goal);
    changed.set("inputSchema", inputSchema);
    changed.remove(List.of("diagnostics", "lastRunError"));
    return new FlowContext(changed);
  }

  boolean dirty() {
    return sent.path("dirty").asBoolean(false);
  }

  /** The revision that the editor opened; null when it does not say. */
  @Nullable Integer revision() {
    return sent.path("revision").isInt() ? sent.path("revision").intValue() : null;
  }

  String text(String member) {
    return sent.path(member).asText("");
  }

  JsonNode member(String member) {
    return sent.path(member);
  }

  JsonNode graph() {
    return sent.path("graph");
  }

  /** Whether an input is declared. */
  boolean declares(String input) {
    return sent.path("inputSchema").path("properties").has(input);
  }

  List<FlowNode> toolNodes() {
    return StreamSupport.stream(graph().path("nodes").spliterator(), false)
        .filter(node -> node.path("type").asText().equals("tool"))
        .map(FlowNode::of)
        .toList();
  }

  List<String> nodeIds() {
    var ids = new ArrayList<String>();
    graph().path("nodes").forEach(node -> ids.add(node.path("id").asText("")));
    return ids;
  }
}
