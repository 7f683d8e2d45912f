package io.fengyu.workflow.compile;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fengyu.workflow.WorkflowProblems;
import io.fengyu.workflow.json.ExactJson;
import java.util.Optional;

/**
 * The input contract that a Start node describes field by field, for a canvas that comes without a
 * schema of its own.
 */
public final class StartContract {

  private StartContract() {}

  /** The schema of the first Start node that has fields; empty when there is none. */
  public static Optional<ObjectNode> of(JsonNode graph) {
    for (var node : graph.path("nodes")) {
      var fields = node.path("data").path("fields");
      if ("start".equals(node.path("type").textValue()) && fields.isArray()) {
        return Optional.of(schema(node.path("id").asText(""), fields));
      }
    }
    return Optional.empty();
  }

  private static ObjectNode schema(String nodeId, JsonNode fields) {
    var schema = ExactJson.object().put("type", "object");
    var properties = schema.putObject("properties");
    var required = ExactJson.object().arrayNode();
    for (var field : fields) {
      var name = field.path("name").asText("");
      if (name.isBlank() || properties.has(name)) {
        throw WorkflowProblems.nodeInvalid("field_name", nodeId);
      }
      properties.set(name, property(field));
      if (field.path("required").asBoolean(false)) {
        required.add(name);
      }
    }
    if (!required.isEmpty()) {
      schema.set("required", required);
    }
    return schema;
  }

  private static ObjectNode property(JsonNode field) {
    var property = ExactJson.object();
    var label = field.path("label").asText("");
    if (!label.isBlank()) {
      property.put("title", label);
    }
    type(field.path("type").asText("string"), property);
    if (field.path("options").isArray() && !field.path("options").isEmpty()) {
      property.set("enum", field.get("options"));
    }
    if (field.hasNonNull("example")) {
      property.putArray("examples").add(field.get("example"));
    }
    return property;
  }

  private static void type(String type, ObjectNode property) {
    switch (type) {
      case "any" -> {}
      case "file" -> property.put("type", "string").put("format", "fengyu-file");
      case "directory" -> property.put("type", "string").put("format", "fengyu-directory");
      default -> property.put("type", type);
    }
  }
}
