package io.fengyu.workflow.compile;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fengyu.contract.plan.ArgsTemplate;
import io.fengyu.contract.plan.Reference;
import io.fengyu.contract.plan.Reference.Source;
import io.fengyu.workflow.WorkflowProblems;
import io.fengyu.workflow.json.ExactJson;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Makes the plan of a canvas. Equal canvases give equal plans. */
public final class CanvasCompiler {

  private final CanvasGraph graph;
  private final List<CanvasNode> order;
  private final Map<String, Integer> indexes = new HashMap<>();

  private CanvasCompiler(CanvasGraph graph) {
    this.graph = graph;
    this.order = graph.inOrder();
    order.forEach(node -> indexes.put(node.id(), indexes.size()));
  }

  /** Compiles a graph whose shape was checked; refuses cycles and references that lead nowhere. */
  public static Compiled compile(JsonNode graph, String goal) {
    return new CanvasCompiler(CanvasGraph.of(graph))
        .compile(goal, StartContract.of(graph).orElse(null));
  }

  private Compiled compile(String goal, @Nullable ObjectNode inputSchema) {
    var plan = ExactJson.object().put("goal", goal).put("reasoning", "saved canvas");
    var steps = plan.putArray("steps");
    order.forEach(node -> steps.add(step(node)));
    return new Compiled(plan, layout(), order.stream().map(CanvasNode::id).toList(), inputSchema);
  }

  private ObjectNode step(CanvasNode node) {
    var step =
        ExactJson.object()
            .put("index", index(node.id()))
            .put("toolName", node.toolName())
            .put("description", node.data().path("description").asText(""))
            .put("requiresApproval", node.data().path("requiresApproval").asBoolean(false));
    step.set("args", args(node));
    dependencies(step, graph.into(node));
    carry(node.data().get("retryPolicy"), "retryPolicy", step);
    pin(node.data().get("pinnedOutput"), step);
    return step;
  }

  private JsonNode args(CanvasNode node) {
    var args = node.args();
    var broken = ArgsTemplate.compile(args).malformed();
    if (!broken.isEmpty()) {
      throw WorkflowProblems.referenceUnknown(node.id(), broken.getFirst());
    }
    return ArgsTemplate.rewrite(args, reference -> stepReference(node, reference));
  }

  private Reference stepReference(CanvasNode node, Reference reference) {
    return reference.source() instanceof Source.Node(var id, var side)
        ? reference.from(new Source.Step(earlier(node, id, reference), side))
        : reference;
  }

  private int earlier(CanvasNode node, String id, Reference reference) {
    var index = indexes.get(id);
    if (index == null || index >= index(node.id())) {
      throw WorkflowProblems.referenceUnknown(node.id(), reference.toString());
    }
    return index;
  }

  private void dependencies(ObjectNode step, List<CanvasEdge> edges) {
    var dependsOn = step.putArray("dependsOn");
    edges.stream()
        .map(edge -> index(edge.source()))
        .collect(Collectors.toCollection(TreeSet::new))
        .forEach(dependsOn::add);
    var conditions =
        edges.stream()
            .filter(edge -> edge.handle() != null)
            .sorted(
                Comparator.comparingInt((CanvasEdge edge) -> index(edge.source()))
                    .thenComparing(edge -> String.valueOf(edge.handle())))
            .toList();
    if (!conditions.isEmpty()) {
      var runWhen = step.putArray("runWhen");
      conditions.forEach(
          edge ->
              runWhen.addObject().put("step", index(edge.source())).put("equals", edge.handle()));
    }
  }

  private static void carry(@Nullable JsonNode value, String name, ObjectNode step) {
    if (value != null && !value.isNull()) {
      step.set(name, value);
    }
  }

  private static void pin(@Nullable JsonNode value, ObjectNode step) {
    if (value != null && !value.isNull()) {
      step.put("pinnedResult", value.isTextual() ? value.textValue() : value.toString());
    }
  }

  private ObjectNode layout() {
    var layout = ExactJson.object();
    for (var node : order) {
      layout
          .putObject(Integer.toString(index(node.id())))
          .put("x", Math.round(node.x()))
          .put("y", Math.round(node.y()));
    }
    return layout;
  }

  private int index(String id) {
    return indexes.getOrDefault(id, -1);
  }
}
