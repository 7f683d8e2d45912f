package io.fengyu.agent.tool;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import org.jspecify.annotations.Nullable;

/** Reads the arguments of a call and says which one is wrong. */
public final class ToolArgs {

  private final ObjectNode args;

  private ToolArgs(ObjectNode args) {
    this.args = args;
  }

  /** The arguments of one call. */
  public static ToolArgs of(ToolCall call) {
    return of(call.args());
  }

  /** Arguments of what a call does in passing. */
  public static ToolArgs of(ObjectNode args) {
    return new ToolArgs(args);
  }

  /** A text that must be there and not blank. */
  public String text(String name) throws ToolException {
    var value = optionalText(name);
    if (value == null || value.isBlank()) {
      throw new ToolException("argument '" + name + "' is missing");
    }
    return value;
  }

  /** A text that must be there and may be empty. */
  public String anyText(String name) throws ToolException {
    var value = optionalText(name);
    if (value == null) {
      throw new ToolException("argument '" + name + "' is missing");
    }
    return value;
  }

  /** A text; null when absent. Numbers and booleans, which references may yield, become text. */
  public @Nullable String optionalText(String name) throws ToolException {
    var value = given(name);
    if (value == null) {
      return null;
    }
    if (!value.isValueNode()) {
      throw new ToolException("argument '" + name + "' must be a string");
    }
    return value.asText();
  }

  /** A whole number within bounds. */
  public int integer(String name, int absent, int least, int most) throws ToolException {
    var value = given(name);
    if (value == null) {
      return absent;
    }
    var number = whole(name, value);
    if (number < least || number > most) {
      throw new ToolException(
          "argument '" + name + "' must be between " + least + " and " + most + ", not " + number);
    }
    return (int) number;
  }

  /** A truth value. */
  public boolean flag(String name, boolean absent) throws ToolException {
    var value = given(name);
    if (value == null) {
      return absent;
    }
    return switch (value.asText()) {
      case "true" -> true;
      case "false" -> false;
      default -> throw new ToolException("argument '" + name + "' must be true or false");
    };
  }

  /** Any value; null when absent or JSON null. */
  public @Nullable JsonNode given(String name) {
    var value = args.get(name);
    return value == null || value.isNull() ? null : value;
  }

  private static long whole(String name, JsonNode value) throws ToolException {
    if (value.isIntegralNumber() && value.canConvertToLong()) {
      return value.longValue();
    }
    if (value.isTextual() && value.textValue().matches("-?[0-9]{1,18}")) {
      return Long.parseLong(value.textValue());
    }
    throw new ToolException("argument '" + name + "' must be a whole number");
  }
}
