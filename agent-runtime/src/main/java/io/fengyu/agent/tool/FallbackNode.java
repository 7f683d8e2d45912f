package io.fengyu.agent.tool;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.HashSet;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The canvas node of a tool that declares none, as far as its schemas tell. Marked with {@code
 * fallback}, so that a palette can put declared nodes first.
 */
final class FallbackNode {

  private static final JsonNodeFactory JSON = JsonNodeFactory.instance;
  private static final int DEPTH = 6;

  private FallbackNode() {}

  static ObjectNode of(ToolSpec spec) {
    var node = JSON.objectNode().put("tool", spec.name()).put("label", title(spec.name()));
    node.put("kind", "action").put("help", spec.description()).put("fallback", true);
    inputs(node.putArray("inputs"), spec.inputSchema());
    outputs(node.putArray("outputs"), spec.outputSchema(), DEPTH);
    return node;
  }

  private static void inputs(ArrayNode inputs, JsonNode schema) {
    var required = names(schema.path("required"));
    for (var property : schema.path("properties").properties()) {
      var declared = property.getValue();
      var type = type(declared);
      var input = inputs.addObject().put("name", property.getKey());
      input.put("widget", widget(declared, type));
      described(input, property.getKey(), declared);
      input.put("type", type).put("required", required.contains(property.getKey()));
      copy(declared, "enum", input, "options");
      copy(declared, "default", input, "default");
      copy(declared, "examples", input, "examples");
    }
  }

  private static void outputs(ArrayNode outputs, @Nullable JsonNode schema, int depth) {
    if (schema != null) {
      for (var property : schema.path("properties").properties()) {
        output(outputs.addObject().put("name", property.getKey()), property.getValue(), depth);
      }
    }
  }

  private static void output(ObjectNode output, JsonNode declared, int depth) {
    described(output, output.path("name").asText(""), declared);
    output.put("type", type(declared));
    copy(declared, "examples", output, "examples");
    if (depth > 0 && declared.path("properties").isObject()) {
      outputs(output.putArray("properties"), declared, depth - 1);
    }
    if (depth > 0 && declared.path("items").isObject()) {
      output(output.putObject("items"), declared.get("items"), depth - 1);
    }
  }

  private static void described(ObjectNode node, String name, JsonNode declared) {
    var title = declared.path("title").asText("");
    node.put("title", title.isEmpty() ? title(name) : title);
    node.put("description", declared.path("description").asText(""));
  }

  private static void copy(JsonNode from, String member, ObjectNode to, String name) {
    if (from.has(member)) {
      to.set(name, from.get(member));
    }
  }

  private static String type(JsonNode declared) {
    if (declared.path("format").asText().equals("fengyu-file")) {
      return "file";
    }
    return switch (declared.path("type").asText("")) {
      case "string", "number", "boolean", "object", "array" -> declared.get("type").asText();
      case "integer" -> "number";
      default -> "any";
    };
  }

  private static String widget(JsonNode declared, String type) {
    if (declared.path("enum").isArray()) {
      return "select";
    }
    return switch (type) {
      case "string" -> "text";
      case "number" -> "number";
      case "boolean" -> "switch";
      case "file" -> "file";
      default -> "json";
    };
  }

  private static Set<String> names(JsonNode list) {
    var names = new HashSet<String>();
    list.forEach(name -> names.add(name.asText()));
    return names;
  }

  // outputDir -> "Output dir", github__list_issues -> "Github list issues"
  private static String title(String name) {
    var words =
        name.replaceAll("([a-z0-9])([A-Z])", "$1 $2")
            .replaceAll("[_-]+", " ")
            .strip()
            .toLowerCase(Locale.ROOT);
    return words.isEmpty() ? name : Character.toUpperCase(words.charAt(0)) + words.substring(1);
  }
}
