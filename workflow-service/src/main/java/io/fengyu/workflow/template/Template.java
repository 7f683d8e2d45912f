package io.fengyu.workflow.template;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import io.fengyu.workflow.json.ExactJson;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;

/**
 * A workflow that ships with the product. Texts for people stand beside the draft in each language
 * and are put where it says {@code %key%}.
 */
final class Template {

  private final String id;
  private final JsonNode texts;
  private final ObjectNode draft;

  private Template(String id, JsonNode file) {
    this.id = id;
    this.texts = file.path("texts");
    this.draft = (ObjectNode) file.path("draft");
  }

  static Template read(String id) {
    try (var in = Template.class.getResourceAsStream("/templates/" + id + ".json")) {
      if (in == null) {
        throw new IllegalStateException("template " + id + " is missing from the program");
      }
      var text = new String(in.readAllBytes(), StandardCharsets.UTF_8);
      return new Template(id, ExactJson.tree(text));
    } catch (IOException broken) {
      throw new UncheckedIOException(broken);
    }
  }

  String id() {
    return id;
  }

  String text(String key, boolean chinese) {
    return texts.path(chinese ? "zh" : "en").path(key).asText();
  }

  /** Tools of its nodes, in their order, once each. */
  List<String> tools() {
    var names = new LinkedHashSet<String>();
    for (var node : draft.path("graph").path("nodes")) {
      if (node.path("type").asText().equals("tool")) {
        names.add(node.path("data").path("toolName").asText());
      }
    }
    return List.copyOf(names);
  }

  /** The body of a save. */
  ObjectNode draft(boolean chinese) {
    return (ObjectNode) translated(draft, chinese);
  }

  private JsonNode translated(JsonNode node, boolean chinese) {
    return switch (node) {
      case TextNode text when text.textValue().matches("%[a-zA-Z.]+%") ->
          TextNode.valueOf(
              text(text.textValue().substring(1, text.textValue().length() - 1), chinese));
      case ObjectNode object -> {
        var copy = ExactJson.object();
        for (Map.Entry<String, JsonNode> field : object.properties()) {
          copy.set(field.getKey(), translated(field.getValue(), chinese));
        }
        yield copy;
      }
      case ArrayNode array -> {
        var copy = array.arrayNode(array.size());
        array.forEach(element -> copy.add(translated(element, chinese)));
        yield copy;
      }
      default -> node;
    };
  }
}
