package io.fengyu.testing.model;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.UncheckedIOException;
import java.util.Map;

/** Puts the fragments of tool calls together. */
final class Whole {

  private Whole() {}

  static void add(Map<Integer, ObjectNode> calls, Part.ToolFragment fragment) {
    var index = fragment.index() == null ? calls.size() : fragment.index();
    var call = calls.computeIfAbsent(index, at -> Dialect.JSON.createObjectNode());
    if (fragment.id() != null) {
      call.put("id", fragment.id());
    }
    if (fragment.name() != null) {
      call.put("name", fragment.name());
    }
    if (fragment.arguments() != null) {
      call.put("arguments", call.path("arguments").asText() + fragment.arguments());
    }
  }

  static ObjectNode openAi(ObjectNode call) {
    var whole =
        Dialect.JSON.createObjectNode().put("id", call.path("id").asText()).put("type", "function");
    whole
        .putObject("function")
        .put("name", call.path("name").asText())
        .put("arguments", call.path("arguments").asText());
    return whole;
  }

  static ObjectNode anthropic(ObjectNode call) {
    var block =
        Dialect.JSON
            .createObjectNode()
            .put("type", "tool_use")
            .put("id", call.path("id").asText())
            .put("name", call.path("name").asText());
    block.set("input", arguments(call));
    return block;
  }

  static ObjectNode ollama(ObjectNode call) {
    var whole = Dialect.JSON.createObjectNode();
    var function = whole.putObject("function").put("name", call.path("name").asText());
    function.set("arguments", arguments(call));
    return whole;
  }

  private static JsonNode arguments(ObjectNode call) {
    var text = call.path("arguments").asText();
    try {
      return text.isBlank() ? Dialect.JSON.createObjectNode() : Dialect.JSON.readTree(text);
    } catch (JsonProcessingException broken) {
      throw new UncheckedIOException(broken);
    }
  }
}
