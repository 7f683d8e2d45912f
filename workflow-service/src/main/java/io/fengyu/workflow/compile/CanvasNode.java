package io.fengyu.workflow.compile;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fengyu.workflow.WorkflowProblems;
import io.fengyu.workflow.json.ExactJson;
import java.util.Comparator;

/**
 * A node of a canvas that becomes a step.
 *
 * @param x place on the canvas; decides the order of nodes that do not depend on each other
 * @param data what the node was given, as it came
 */
record CanvasNode(String id, double x, double y, ObjectNode data) {

  /** The order among nodes that are ready at the same time. */
  static final Comparator<CanvasNode> LEFT_TO_RIGHT =
      Comparator.comparingDouble(CanvasNode::x)
          .thenComparingDouble(CanvasNode::y)
          .thenComparing(CanvasNode::id);

  static boolean isTool(JsonNode node) {
    return "tool".equals(node.path("type").textValue());
  }

  static CanvasNode of(JsonNode node) {
    var id = node.path("id").textValue();
    if (id == null || id.isEmpty()) {
      throw WorkflowProblems.graphInvalid("node_id_missing");
    }
    var position = node.path("position");
    var data = node.get("data") instanceof ObjectNode object ? object : ExactJson.object();
    return new CanvasNode(
        id, coordinate(id, position.path("x")), coordinate(id, position.path("y")), data);
  }

  String toolName() {
    var name = data.path("toolName").textValue();
    if (name == null || name.isBlank()) {
      throw WorkflowProblems.nodeInvalid("tool_name_missing", id);
    }
    return name;
  }

  /** The arguments; none when nothing was written. */
  ObjectNode args() {
    var text = data.get("argsText");
    if (text == null || text.isNull() || (text.isTextual() && text.textValue().isBlank())) {
      return ExactJson.object();
    }
    return ExactJson.arguments(text.asText())
        .orElseThrow(() -> WorkflowProblems.nodeInvalid("args_not_an_object", id));
  }

  // An absent coordinate is 0, as on a canvas; minus zero must not differ from zero.
  private static double coordinate(String id, JsonNode value) {
    var number = value.asDouble(0) + 0.0;
    if (!Double.isFinite(number)) {
      throw WorkflowProblems.nodeInvalid("position_not_finite", id);
    }
    return number;
  }
}
