package io.fengyu.workflow.schema;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Comparator;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;

/** Types of JSON values as JSON Schema counts them: 3.0 is an integer, and equal to 3. */
public final class JsonTypes {

  private static final Comparator<JsonNode> BY_NUMBER =
      (a, b) ->
          a.isNumber() && b.isNumber()
              ? a.decimalValue().compareTo(b.decimalValue())
              : a.equals(b) ? 0 : 1;

  private JsonTypes() {}

  /** True when a value has the type, or one of a list of types. */
  public static boolean matches(JsonNode type, JsonNode value) {
    if (type.isArray()) {
      return StreamSupport.stream(type.spliterator(), false).anyMatch(one -> matches(one, value));
    }
    return switch (type.asText()) {
      case "string" -> value.isTextual();
      case "number" -> value.isNumber();
      case "integer" -> value.isNumber() && whole(value);
      case "boolean" -> value.isBoolean();
      case "object" -> value.isObject();
      case "array" -> value.isArray();
      case "null" -> value.isNull();
      // A type that JSON does not know, such as "any" or "file", is for the form.
      default -> true;
    };
  }

  /** A type as a schema writes it; several with a bar between them. */
  public static String text(JsonNode type) {
    return type.isArray()
        ? StreamSupport.stream(type.spliterator(), false)
            .map(JsonNode::asText)
            .collect(Collectors.joining("|"))
        : type.asText();
  }

  /** The type of a value. */
  public static String of(JsonNode value) {
    return value.getNodeType().name().toLowerCase(Locale.ROOT);
  }

  /** True when both are the same JSON value. */
  public static boolean same(JsonNode a, JsonNode b) {
    return a.equals(BY_NUMBER, b);
  }

  private static boolean whole(JsonNode number) {
    return number.isIntegralNumber() || number.decimalValue().stripTrailingZeros().scale() <= 0;
  }
}
