package io.fengyu.agent.tool;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import java.util.Locale;

/**
 * Argument values that only the tool may see: those whose schema marks them, and those whose key
 * looks like a secret's.
 */
@SuppressWarnings("ReferenceEquality") // the same node means: nothing was hidden in it
public final class Sensitive {

  /** What is shown in their place. */
  public static final String MASK = "***";

  private Sensitive() {}

  /** The arguments as anybody may see them; the same object when there is nothing to hide. */
  public static ObjectNode masked(ObjectNode args, JsonNode schema) {
    return (ObjectNode) mask(args, schema);
  }

  /**
   * Arguments that were shown masked and came back: where the mask still stands, the true value is
   * put back.
   */
  public static ObjectNode unmasked(ObjectNode shown, ObjectNode original) {
    return (ObjectNode) unmask(shown, original);
  }

  private static JsonNode mask(JsonNode value, JsonNode schema) {
    return switch (value) {
      case ObjectNode object -> maskFields(object, schema.path("properties"));
      case ArrayNode array -> maskElements(array, schema.path("items"));
      default -> value;
    };
  }

  private static JsonNode maskFields(ObjectNode object, JsonNode properties) {
    ObjectNode copy = null;
    for (var field : object.properties()) {
      var schema = properties.path(field.getKey());
      var shown =
          hidden(field.getKey(), field.getValue(), schema)
              ? TextNode.valueOf(MASK)
              : mask(field.getValue(), schema);
      if (shown != field.getValue()) {
        copy = copy == null ? object.objectNode().setAll(object) : copy;
        copy.set(field.getKey(), shown);
      }
    }
    return copy == null ? object : copy;
  }

  private static JsonNode maskElements(ArrayNode array, JsonNode schema) {
    ArrayNode copy = null;
    for (int i = 0; i < array.size(); i++) {
      var shown = marked(schema) ? TextNode.valueOf(MASK) : mask(array.get(i), schema);
      if (shown != array.get(i)) {
        copy = copy == null ? array.arrayNode(array.size()).addAll(array) : copy;
        copy.set(i, shown);
      }
    }
    return copy == null ? array : copy;
  }

  private static boolean hidden(String key, JsonNode value, JsonNode schema) {
    return !value.isNull() && (marked(schema) || (!value.isBoolean() && secretName(key)));
  }

  private static boolean marked(JsonNode schema) {
    return schema.path("sensitive").asBoolean(false)
        || schema.path("x-sensitive").asBoolean(false)
        || schema.path("writeOnly").asBoolean(false)
        || schema.path("format").asText().equals("password");
  }

  private static boolean secretName(String key) {
    var name = key.toLowerCase(Locale.ROOT).replace("_", "").replace("-", "");
    return name.contains("password")
        || name.contains("passwd")
        || name.contains("passphrase")
        || name.contains("secret")
        || name.contains("apikey")
        || name.contains("accesskey")
        || name.contains("privatekey")
        || name.contains("credential")
        || name.endsWith("token")
        || name.endsWith("pwd");
  }

  private static JsonNode unmask(JsonNode shown, JsonNode original) {
    return switch (shown) {
      case TextNode text when text.textValue().equals(MASK) && !original.isMissingNode() ->
          original;
      case ObjectNode object -> {
        var copy = object.objectNode();
        object
            .properties()
            .forEach(f -> copy.set(f.getKey(), unmask(f.getValue(), original.path(f.getKey()))));
        yield copy;
      }
      case ArrayNode array -> {
        var copy = array.arrayNode(array.size());
        for (int i = 0; i < array.size(); i++) {
          var element = original.get(i);
          copy.add(unmask(array.get(i), element == null ? MissingNode.getInstance() : element));
        }
        yield copy;
      }
      default -> shown;
    };
  }
}
