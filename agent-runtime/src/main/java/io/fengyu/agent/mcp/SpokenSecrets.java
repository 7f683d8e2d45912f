package io.fengyu.agent.mcp;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.stream.StreamSupport;

/** Hides what a server says back of the secrets that it was sent. */
final class SpokenSecrets {

  private SpokenSecrets() {}

  /** Replaces all texts in a value, and the names of members. */
  static void hide(JsonNode value, UnaryOperator<String> mask) {
    if (value instanceof ObjectNode object) {
      for (var name : names(object)) {
        hide(object, name, mask);
      }
    } else if (value instanceof ArrayNode array) {
      for (int i = 0; i < array.size(); i++) {
        if (array.get(i) instanceof TextNode text) {
          array.set(i, TextNode.valueOf(mask.apply(text.textValue())));
        } else {
          hide(array.get(i), mask);
        }
      }
    }
  }

  private static void hide(ObjectNode object, String name, UnaryOperator<String> mask) {
    var member = object.get(name);
    var shown = mask.apply(name);
    if (!shown.equals(name)) {
      object.remove(name);
      object.set(shown, member);
    }
    if (member instanceof TextNode text) {
      object.set(shown, TextNode.valueOf(mask.apply(text.textValue())));
    } else {
      hide(member, mask);
    }
  }

  private static List<String> names(ObjectNode object) {
    return StreamSupport.stream(((Iterable<String>) object::fieldNames).spliterator(), false)
        .toList();
  }
}
