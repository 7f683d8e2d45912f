package io.fengyu.chat.model;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** JSON of providers: nothing in it can be relied on. */
final class Json {

  private static final int DEEPEST = 64;

  private static final JsonMapper MAPPER =
      JsonMapper.builder(
              JsonFactory.builder()
                  .streamReadConstraints(
                      StreamReadConstraints.builder()
                          .maxNestingDepth(DEEPEST)
                          .maxStringLength(LineReader.LONGEST_LINE)
                          .build())
                  .build())
          .build();

  private Json() {}

  static ObjectNode object() {
    return MAPPER.createObjectNode();
  }

  /** An object, or a failure that says what was wrong. */
  static ObjectNode read(String text) {
    return tryRead(text)
        .orElseThrow(
            () ->
                ModelFailure.lasting(
                    ErrorCode.UNKNOWN, "The provider sent something that is not JSON"));
  }

  /** Empty for everything but an object. */
  static Optional<ObjectNode> tryRead(String text) {
    try {
      return MAPPER.readTree(text) instanceof ObjectNode object
          ? Optional.of(object)
          : Optional.empty();
    } catch (JsonProcessingException none) {
      return Optional.empty();
    }
  }

  /** Arguments of a tool call as an object; an empty one when the model wrote no JSON object. */
  static ObjectNode arguments(String text) {
    return tryRead(text).orElseGet(Json::object);
  }

  /** The same text if it is an object; an empty object otherwise, since servers parse it. */
  static String objectText(String text) {
    return tryRead(text).isPresent() ? text : "{}";
  }

  /** Null unless it is text. */
  static @Nullable String text(JsonNode node, String member) {
    var value = node.get(member);
    return value != null && value.isTextual() ? value.textValue() : null;
  }

  /** Text as it is, anything else as JSON. */
  static String raw(@Nullable JsonNode node) {
    if (node == null || node.isNull()) {
      return "";
    }
    return node.isTextual() ? node.textValue() : node.toString();
  }

  /** -1 unless it is a number. */
  static long count(JsonNode node, String member) {
    var value = node.get(member);
    return value != null && value.isNumber() ? value.asLong() : -1;
  }
}
