package io.fengyu.workflow.compile;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fengyu.contract.plan.AgentPlan;
import io.fengyu.contract.plan.AgentStep;
import io.fengyu.contract.plan.ArgsTemplate;
import io.fengyu.contract.plan.CompiledPlan;
import io.fengyu.contract.plan.PlanReader;
import io.fengyu.contract.plan.Reference;
import io.fengyu.contract.plan.Reference.Source;
import io.fengyu.workflow.json.ExactJson;
import java.util.TreeSet;

/**
 * Draws the canvas of a plan that was saved without one. Compiling what it draws gives the steps of
 * the plan again, in their order.
 */
public final class CanvasRebuilder {

  private static final int FIRST_X = 60;
  private static final int FIRST_Y = 120;
  private static final int COLUMN = 340;
  private static final int ROW = 160;

  private final JsonNode written;
  private final AgentPlan plan;
  private final CompiledPlan compiled;
  private final JsonNode layout;

  private CanvasRebuilder(JsonNode written, JsonNode layout) {
    this.written = written;
    this.plan = PlanReader.read(written).plan();
    this.compiled = CompiledPlan.of(plan);
    this.layout = layout;
  }

  /**
   * The graph of a plan.
   *
   * @param layout where steps stood, by index; a step that is missing gets a place in a row
   */
  public static ObjectNode rebuild(JsonNode plan, JsonNode layout) {
    var rebuilder = new CanvasRebuilder(plan, layout);
    var asPlaced = rebuilder.graph(true);
    return rebuilder.keepsOrder(asPlaced) ? asPlaced : rebuilder.graph(false);
  }

  /** The places people chose may put steps into another order than the plan has. */
  private boolean keepsOrder(ObjectNode graph) {
    var order = CanvasGraph.of(graph).inOrder();
    for (int index = 0; index < order.size(); index++) {
      if (!order.get(index).id().equals(nodeId(index))) {
        return false;
      }
    }
    return true;
  }

  private ObjectNode graph(boolean asPlaced) {
    var graph = ExactJson.object();
    var nodes = graph.putArray("nodes");
    start(nodes);
    for (var step : plan.steps()) {
      node(nodes.addObject(), step, asPlaced);
    }
    var edges = graph.putArray("edges");
    plan.steps().forEach(step -> edges(edges, step));
    return graph;
  }

  private static void start(ArrayNode nodes) {
    var start = nodes.addObject().put("id", "start_1").put("type", "start");
    start.putObject("position").put("x", FIRST_X - COLUMN).put("y", FIRST_Y);
    start.putObject("data");
  }

  private void node(ObjectNode node, AgentStep step, boolean asPlaced) {
    node.put("id", nodeId(step.index())).put("type", "tool");
    node.set("position", position(step.index(), asPlaced));
    var data =
        node.putObject("data")
            .put("toolName", step.toolName())
            .put("argsText", args(step).toString())
            .put("description", step.description() == null ? "" : step.description())
            .put("requiresApproval", step.requiresApproval());
    if (step.retryPolicy() != null) {
      data.set("retryPolicy", written.path("steps").path(step.index()).path("retryPolicy"));
    }
    if (step.pinnedResult() != null) {
      data.put("pinnedOutput", step.pinnedResult());
    }
  }

  private JsonNode position(int index, boolean asPlaced) {
    var placed = layout.path(Integer.toString(index));
    if (asPlaced && placed.path("x").isNumber() && placed.path("y").isNumber()) {
      var position = ExactJson.object();
      position.set("x", placed.get("x"));
      position.set("y", placed.get("y"));
      return position;
    }
    // Each step right of the one before, so that the order cannot be read another way.
    return ExactJson.object()
        .put("x", FIRST_X + index * COLUMN)
        .put("y", FIRST_Y + index % 2 * ROW);
  }

  private JsonNode args(AgentStep step) {
    return ArgsTemplate.rewrite(step.args(), reference -> nodeReference(step, reference));
  }

  private Reference nodeReference(AgentStep step, Reference reference) {
    var target = compiled.target(reference, step.index());
    return switch (reference.source()) {
      case Source.Step(int index, var side) when index < step.index() ->
          reference.from(new Source.Node(nodeId(index), side));
      case Source.Node(var id, var side) when target >= 0 ->
          reference.from(new Source.Node(nodeId(target), side));
      default -> reference;
    };
  }

  private void edges(ArrayNode edges, AgentStep step) {
    var plain = new TreeSet<>(step.dependsOn());
    for (var condition : step.runWhen()) {
      plain.remove(condition.step());
      edge(edges, condition.step(), step.index(), "_" + condition.equals())
          .put("sourceHandle", condition.equals());
    }
    plain.forEach(source -> edge(edges, source, step.index(), ""));
  }

  private static ObjectNode edge(ArrayNode edges, int source, int target, String suffix) {
    return edges
        .addObject()
        .put("id", "edge_" + nodeId(source) + "_" + nodeId(target) + suffix)
        .put("source", nodeId(source))
        .put("target", nodeId(target));
  }

  private static String nodeId(int index) {
    return "node_" + (index + 1);
  }
}
