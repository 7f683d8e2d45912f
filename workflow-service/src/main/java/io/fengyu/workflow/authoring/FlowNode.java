package io.fengyu.workflow.authoring;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fengyu.contract.plan.ArgsTemplate;
import io.fengyu.workflow.json.ExactJson;
import java.util.Optional;

/**
 * A tool on a canvas.
 *
 * @param args empty when they are no JSON object
 */
record FlowNode(String id, String toolName, Optional<ObjectNode> args) {

  static FlowNode of(JsonNode node) {
    var data = node.path("data");
    var text = data.path("argsText").asText("");
    var args = text.isBlank() ? Optional.of(ExactJson.object()) : ExactJson.arguments(text);
    return new FlowNode(node.path("id").asText(""), data.path("toolName").asText(""), args);
  }

  /** What its arguments refer to. */
  ArgsTemplate template() {
    return ArgsTemplate.compile(args.orElseGet(ExactJson::object));
  }
}
