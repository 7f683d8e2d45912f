package io.fengyu.chat.turn;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;

/** Holds changed arguments against the schema of their tool, as far as forms of schemas go. */
final class SchemaCheck {

  private SchemaCheck() {}

  /** Refuses arguments that do not fit with 422. */
  static void check(JsonNode schema, JsonNode value) {
    check(schema, value, "");
  }

  private static void check(JsonNode schema, JsonNode value, String at) {
    var types = types(schema.path("type"));
    if (!types.isEmpty() && types.stream().noneMatch(type -> is(type, value))) {
      throw TurnRefusals.argumentsInvalid(at, String.join(" or ", types));
    }
    var choices = schema.path("enum");
    if (choices.isArray() && !contains(choices, value)) {
      throw TurnRefusals.argumentsInvalid(at, "one of " + choices);
    }
    bounds(schema, value, at);
    if (value.isObject()) {
      members(schema, value, at);
    } else if (value.isArray() && schema.path("items").isObject()) {
      for (var i = 0; i < value.size(); i++) {
        check(schema.path("items"), value.get(i), at + "/" + i);
      }
    }
  }

  private static void bounds(JsonNode schema, JsonNode value, String at) {
    if (value.isNumber()) {
      var number = value.asDouble();
      if (schema.path("minimum").isNumber() && number < schema.path("minimum").asDouble()) {
        throw TurnRefusals.argumentsInvalid(at, "at least " + schema.path("minimum"));
      }
      if (schema.path("maximum").isNumber() && number > schema.path("maximum").asDouble()) {
        throw TurnRefusals.argumentsInvalid(at, "at most " + schema.path("maximum"));
      }
    }
    if (value.isTextual()) {
      var length = value.textValue().codePointCount(0, value.textValue().length());
      if (length < schema.path("minLength").asInt(0)
          || length > schema.path("maxLength").asInt(Integer.MAX_VALUE)) {
        throw TurnRefusals.argumentsInvalid(at, "a text of another length");
      }
    }
  }

  private static void members(JsonNode schema, JsonNode value, String at) {
    for (var name : schema.path("required")) {
      if (!value.has(name.asText())) {
        throw TurnRefusals.argumentsInvalid(at + "/" + name.asText(), "present");
      }
    }
    var known = schema.path("properties");
    var others = schema.path("additionalProperties");
    for (var member : value.properties()) {
      var inside = known.path(member.getKey());
      var where = at + "/" + member.getKey();
      if (inside.isObject()) {
        check(inside, member.getValue(), where);
      } else if (others.isBoolean() && !others.booleanValue()) {
        throw TurnRefusals.argumentsInvalid(where, "absent");
      }
    }
  }

  private static List<String> types(JsonNode type) {
    var types = new ArrayList<String>();
    if (type.isTextual()) {
      types.add(type.textValue());
    }
    type.forEach(one -> types.add(one.asText()));
    return types;
  }

  private static boolean is(String type, JsonNode value) {
    return switch (type) {
      case "object" -> value.isObject();
      case "array" -> value.isArray();
      case "string" -> value.isTextual();
      case "boolean" -> value.isBoolean();
      case "null" -> value.isNull();
      case "integer" ->
          value.isIntegralNumber()
              || (value.isNumber() && value.asDouble() == Math.rint(value.asDouble()));
      case "number" -> value.isNumber();
      default -> true;
    };
  }

  private static boolean contains(JsonNode choices, JsonNode value) {
    for (var choice : choices) {
      if (choice.equals(value)) {
        return true;
      }
    }
    return false;
  }
}
