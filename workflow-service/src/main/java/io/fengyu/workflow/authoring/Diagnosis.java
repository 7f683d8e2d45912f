package io.fengyu.workflow.authoring;

import com.fasterxml.jackson.databind.JsonNode;
import io.fengyu.contract.plan.Reference;
import io.fengyu.contract.plan.Reference.Source;
import io.fengyu.contract.plan.TextTemplate;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Everything that is wrong with a canvas, at once, whatever state it is in. */
final class Diagnosis {

  private static final String WORKFLOW_TOOL = "run_workflow_";

  private final FlowContext context;
  private final Map<String, JsonNode> tools;
  private final Set<Issue> issues = new LinkedHashSet<>();
  private final List<FlowNode> nodes;
  private final Set<String> ids;
  private final Ways ways;

  private Diagnosis(FlowContext context, Map<String, JsonNode> tools) {
    this.context = context;
    this.tools = tools;
    this.nodes = context.toolNodes();
    this.ids = new LinkedHashSet<>(nodes.stream().map(FlowNode::id).toList());
    this.ways = Ways.of(ids, context.graph().path("edges"));
  }

  /**
   * Judges a canvas; what its editor found is in the answer too, once.
   *
   * @param tools by name, as the catalog shows them
   * @param revision the stored one
   */
  static List<Issue> of(FlowContext context, Map<String, JsonNode> tools, int revision) {
    var diagnosis = new Diagnosis(context, tools);
    diagnosis.revision(revision);
    diagnosis.shape();
    diagnosis.nodes.forEach(diagnosis::node);
    diagnosis.goal();
    diagnosis.lastRun();
    context.member("diagnostics").forEach(sent -> diagnosis.issues.add(Issue.of(sent)));
    return List.copyOf(diagnosis.issues);
  }

  /** Tools that may stand on a canvas: no workflows. */
  static boolean offered(String tool) {
    return !tool.startsWith(WORKFLOW_TOOL) && !tool.equals("run_current_flow");
  }

  private void revision(int stored) {
    var base = context.revision();
    if (base != null && base != stored) {
      add(
          Issue.error(
              "revision_conflict",
              null,
              "The canvas shows revision " + base + ", the stored workflow is at " + stored + "."));
    }
  }

  private void shape() {
    if (nodes.isEmpty()) {
      add(Issue.warning("empty_flow", null, "The canvas has no tool."));
    }
    var seen = new HashSet<String>();
    context.nodeIds().stream()
        .filter(id -> !seen.add(id))
        .forEach(id -> add(Issue.error("duplicate_node", id, "Several nodes are called " + id)));
    var known = Set.copyOf(context.nodeIds());
    for (var edge : context.graph().path("edges")) {
      dangling(edge, known);
    }
    var circle = ways.circular(ids);
    if (!circle.isEmpty()) {
      add(
          Issue.error(
              "cycle",
              circle.getFirst(),
              "These nodes wait for each other: " + String.join(", ", circle)));
    }
  }

  private void dangling(JsonNode edge, Set<String> known) {
    for (var end : List.of("source", "target")) {
      var id = edge.path(end).asText("");
      if (!known.contains(id)) {
        add(
            Issue.error(
                "dangling_edge",
                null,
                "Edge " + edge.path("id").asText("?") + " has no " + end + " node " + id));
      }
    }
  }

  private void node(FlowNode node) {
    var tool = offered(node.toolName()) ? tools.get(node.toolName()) : null;
    if (tool == null) {
      add(
          Issue.error(
              "unavailable_tool", node.id(), "There is no tool \"" + node.toolName() + "\"."));
    }
    if (node.args().isEmpty()) {
      add(Issue.error("invalid_arguments", node.id(), "The arguments are no JSON object."));
      return;
    }
    if (tool != null) {
      arguments(node, tool.path("inputSchema"));
    }
    var template = node.template();
    template.malformed().stream()
        .map(text -> text + " is not written like a reference.")
        .forEach(text -> add(Issue.error("unknown_node_reference", node.id(), text)));
    template.references().forEach(reference -> reference(node, reference));
  }

  private void arguments(FlowNode node, JsonNode schema) {
    var args = node.args().orElseThrow();
    ArgumentCheck.missing(schema, args)
        .forEach(
            name ->
                add(
                    Issue.error(
                        "missing_argument", node.id(), "Argument " + name + " is missing.")));
    ArgumentCheck.wrong(schema, args)
        .forEach(text -> add(Issue.error("invalid_arguments", node.id(), text + ".")));
  }

  private void reference(FlowNode node, Reference reference) {
    switch (reference.source()) {
      case Source.Input input -> declared(node.id(), input.name());
      case Source.Node(var id, var side) when !ids.contains(id) ->
          add(
              Issue.error(
                  "unknown_node_reference", node.id(), reference + " names no node of the flow."));
      case Source.Node(var id, var side) when !ways.lead(id, node.id()) ->
          add(
              Issue.error(
                  "unknown_node_reference",
                  node.id(),
                  reference + " names a node that no edge leads here from."));
      default -> {}
    }
  }

  private void goal() {
    for (var reference : TextTemplate.parse(context.text("goal")).references()) {
      if (reference.source() instanceof Source.Input input) {
        declared(null, input.name());
      }
    }
  }

  private void declared(@Nullable String nodeId, String input) {
    if (!context.declares(input)) {
      add(Issue.error("undeclared_input", nodeId, "The input " + input + " is not declared."));
    }
  }

  private void lastRun() {
    var error = context.member("lastRunError");
    var message = error.isObject() ? error.path("message").asText("") : error.asText("");
    if (!message.isBlank() && !error.isNull()) {
      add(
          Issue.warning(
              "last_run_error",
              error.path("nodeId").textValue(),
              "The last run failed: " + message));
    }
  }

  private void add(Issue issue) {
    issues.add(issue);
  }
}
