package io.fengyu.contract.plan;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;

/**
 * Arguments of a step, read once: parts without placeholders are kept as they are, so that
 * resolving costs as much as there is to replace. References stand in values, never in keys.
 */
public final class ArgsTemplate {

  private final Part root;
  private final List<Reference> references;
  private final List<String> malformed;

  private ArgsTemplate(Part root, List<Reference> references, List<String> malformed) {
    this.root = root;
    this.references = List.copyOf(references);
    this.malformed = List.copyOf(malformed);
  }

  private sealed interface Part {

    record Constant(JsonNode value) implements Part {}

    record Text(TextTemplate template) implements Part {}

    record Fields(List<String> names, List<Part> parts) implements Part {}

    record Elements(List<Part> parts) implements Part {}
  }

  /** Reads the arguments. They must not change afterwards. */
  public static ArgsTemplate compile(ObjectNode args) {
    var references = new ArrayList<Reference>();
    var malformed = new ArrayList<String>();
    return new ArgsTemplate(read(args, references, malformed), references, malformed);
  }

  /** Every reference at any depth, in order. */
  public List<Reference> references() {
    return references;
  }

  /** What begins like a placeholder and isn't one, as written. */
  public List<String> malformed() {
    return malformed;
  }

  /**
   * The arguments with values in place of references. Parts without any are shared with the
   * template and between calls: copy before changing.
   *
   * @throws UnresolvedReferenceException when a value is missing
   */
  public ObjectNode resolve(TextTemplate.Values values) {
    return (ObjectNode) resolve(root, values, UnaryOperator.identity());
  }

  /** As {@link #resolve(TextTemplate.Values)}, with authored texts replaced on the way. */
  public ObjectNode resolve(TextTemplate.Values values, UnaryOperator<JsonNode> literal) {
    return (ObjectNode) resolve(root, values, literal);
  }

  /** A copy of a JSON tree in which the references of all texts are changed. */
  public static JsonNode rewrite(JsonNode json, UnaryOperator<Reference> change) {
    return switch (json) {
      case ObjectNode object -> {
        var copy = JsonNodeFactory.instance.objectNode();
        object.properties().forEach(f -> copy.set(f.getKey(), rewrite(f.getValue(), change)));
        yield copy;
      }
      case ArrayNode array -> {
        var copy = JsonNodeFactory.instance.arrayNode(array.size());
        array.forEach(element -> copy.add(rewrite(element, change)));
        yield copy;
      }
      case TextNode text -> TextNode.valueOf(TextTemplate.parse(text.textValue()).rewrite(change));
      default -> json;
    };
  }

  private static Part read(JsonNode json, List<Reference> references, List<String> malformed) {
    return switch (json) {
      case ObjectNode object -> fields(object, references, malformed);
      case ArrayNode array -> elements(array, references, malformed);
      case TextNode text -> text(text, references, malformed);
      default -> new Part.Constant(json);
    };
  }

  private static Part fields(
      ObjectNode object, List<Reference> references, List<String> malformed) {
    var names = new ArrayList<String>(object.size());
    var parts = new ArrayList<Part>(object.size());
    for (var field : object.properties()) {
      names.add(field.getKey());
      parts.add(read(field.getValue(), references, malformed));
    }
    return allConstant(parts) ? new Part.Constant(object) : new Part.Fields(names, parts);
  }

  private static Part elements(
      ArrayNode array, List<Reference> references, List<String> malformed) {
    var parts = new ArrayList<Part>(array.size());
    for (var element : array) {
      parts.add(read(element, references, malformed));
    }
    return allConstant(parts) ? new Part.Constant(array) : new Part.Elements(parts);
  }

  private static Part text(TextNode node, List<Reference> references, List<String> malformed) {
    if (!node.textValue().contains("{{")) {
      return new Part.Constant(node);
    }
    var template = TextTemplate.parse(node.textValue());
    references.addAll(template.references());
    malformed.addAll(template.malformed());
    return template.constant() ? new Part.Constant(node) : new Part.Text(template);
  }

  private static boolean allConstant(List<Part> parts) {
    return parts.stream().allMatch(Part.Constant.class::isInstance);
  }

  private static JsonNode resolve(
      Part part, TextTemplate.Values values, UnaryOperator<JsonNode> literal) {
    return switch (part) {
      case Part.Constant(var value) -> literal.apply(value);
      case Part.Text(var template) -> template.resolve(values);
      case Part.Fields(var names, var parts) -> {
        var object = JsonNodeFactory.instance.objectNode();
        for (int i = 0; i < parts.size(); i++) {
          object.set(names.get(i), resolve(parts.get(i), values, literal));
        }
        yield object;
      }
      case Part.Elements(var parts) -> {
        var array = JsonNodeFactory.instance.arrayNode(parts.size());
        for (var element : parts) {
          array.add(resolve(element, values, literal));
        }
        yield array;
      }
    };
  }
}
