package io.fengyu.workflow.run;

import com.fasterxml.jackson.databind.JsonNode;
import java.math.BigDecimal;
import java.util.Optional;

/** Bounds of a schema: how long a text is, how many items a list has, how large a number is. */
final class Bounds {

  private Bounds() {}

  /** The first keyword that a value does not keep. */
  static Optional<String> broken(JsonNode schema, JsonNode value) {
    return switch (value.getNodeType()) {
      case STRING -> size(schema, "minLength", "maxLength", length(value.textValue()));
      case ARRAY -> size(schema, "minItems", "maxItems", value.size());
      case NUMBER -> number(schema, value.decimalValue());
      default -> Optional.empty();
    };
  }

  private static int length(String text) {
    return text.codePointCount(0, text.length());
  }

  private static Optional<String> size(JsonNode schema, String min, String max, int size) {
    var exact = BigDecimal.valueOf(size);
    if (compare(schema, min, exact) < 0) {
      return Optional.of(min);
    }
    return compare(schema, max, exact) > 0 ? Optional.of(max) : Optional.empty();
  }

  private static Optional<String> number(JsonNode schema, BigDecimal value) {
    if (compare(schema, "minimum", value) < 0) {
      return Optional.of("minimum");
    }
    if (compare(schema, "maximum", value) > 0) {
      return Optional.of("maximum");
    }
    if (has(schema, "exclusiveMinimum") && compare(schema, "exclusiveMinimum", value) <= 0) {
      return Optional.of("exclusiveMinimum");
    }
    return has(schema, "exclusiveMaximum") && compare(schema, "exclusiveMaximum", value) >= 0
        ? Optional.of("exclusiveMaximum")
        : Optional.empty();
  }

  private static boolean has(JsonNode schema, String keyword) {
    return schema.path(keyword).isNumber();
  }

  /** How a value lies to a bound; 0 when there is no such bound. */
  private static int compare(JsonNode schema, String keyword, BigDecimal value) {
    return has(schema, keyword) ? value.compareTo(schema.get(keyword).decimalValue()) : 0;
  }
}
