package io.fengyu.contract.plan;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The way from a JSON value to one inside it: {@code .files[0]["first name"]}. */
public record ValuePath(List<Part> parts) {

  /** The value itself. */
  public static final ValuePath ROOT = new ValuePath(List.of());

  /** One step of the way. */
  public sealed interface Part {

    /** A field of an object. */
    record Key(String name) implements Part {}

    /** An element of an array, from 0. */
    record Index(int at) implements Part {}
  }

  /**
   * Follows the path.
   *
   * @param name how the root is called in the message of a failure
   * @throws UnresolvedReferenceException when there is nothing there, JSON null included
   */
  public JsonNode in(JsonNode root, String name) {
    var value = root;
    for (int i = 0; i < parts.size(); i++) {
      var next = child(value, parts.get(i));
      if (next == null) {
        throw new UnresolvedReferenceException(nothingAt(value, i, name));
      }
      value = next;
    }
    if (value.isNull() || value.isMissingNode()) {
      throw new UnresolvedReferenceException(name + this + " is null");
    }
    return value;
  }

  /** True when the path leads to something, JSON null included. */
  boolean existsIn(JsonNode root) {
    JsonNode value = root;
    for (var part : parts) {
      value = child(value, part);
      if (value == null) {
        return false;
      }
    }
    return true;
  }

  private static @Nullable JsonNode child(JsonNode value, Part part) {
    return switch (part) {
      case Part.Key key -> value.get(key.name());
      case Part.Index index -> value.get(index.at());
    };
  }

  private String nothingAt(JsonNode value, int part, String name) {
    var where = name + new ValuePath(parts.subList(0, part + 1));
    return switch (parts.get(part)) {
      case Part.Index index when value.isArray() ->
          where
              + " does not exist: "
              + index.at()
              + " is out of range, the array has "
              + value.size();
      case Part.Index index -> where + " does not exist: " + kind(value) + " has no elements";
      case Part.Key key when value.isObject() -> where + " does not exist";
      case Part.Key key -> where + " does not exist: " + kind(value) + " has no fields";
    };
  }

  private static String kind(JsonNode value) {
    return switch (value.getNodeType()) {
      case STRING -> "a string";
      case NUMBER -> "a number";
      case BOOLEAN -> "a boolean";
      case ARRAY -> "an array";
      case OBJECT -> "an object";
      default -> "null";
    };
  }

  /** The path as it is written behind a reference. */
  @Override
  public String toString() {
    var text = new StringBuilder();
    for (var part : parts) {
      switch (part) {
        case Part.Key key -> appendKey(text, key.name());
        case Part.Index index -> text.append('[').append(index.at()).append(']');
      }
    }
    return text.toString();
  }

  static void appendKey(StringBuilder text, String name) {
    if (!name.isEmpty() && name.codePoints().allMatch(ReferenceScanner::keyChar)) {
      text.append('.').append(name);
    } else {
      text.append("[\"").append(name.replace("\\", "\\\\").replace("\"", "\\\"")).append("\"]");
    }
  }
}
