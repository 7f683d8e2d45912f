package io.fengyu.agent.run;

import com.fasterxml.jackson.core.JsonParseException;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectReader;
import com.fasterxml.jackson.databind.cfg.JsonNodeFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** Reads JSON as runs need it: whole, with every digit of its numbers. */
public final class Json {

  private static final ObjectReader READER =
      JsonMapper.builder()
          .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
          .disable(JsonNodeFeature.STRIP_TRAILING_BIGDECIMAL_ZEROES)
          .build()
          .reader();

  private static final ObjectReader BODY_READER =
      READER.with(DeserializationFeature.FAIL_ON_READING_DUP_TREE_KEY);

  private Json() {}

  /**
   * The body of a request, every digit of its numbers kept; null when there is none.
   *
   * @throws JsonProcessingException when it is no JSON in UTF-8, or a key comes twice
   */
  public static @Nullable JsonNode body(byte @Nullable [] body) throws JsonProcessingException {
    var text = body == null ? "" : utf8(body);
    return text.isBlank() ? null : read(BODY_READER, text);
  }

  private static String utf8(byte[] bytes) throws JsonProcessingException {
    try {
      return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
    } catch (CharacterCodingException noText) {
      throw new JsonParseException(null, "The body is not UTF-8", noText);
    }
  }

  // An exponent of twenty digits fits the grammar of JSON, but no number of this program.
  private static JsonNode read(ObjectReader reader, String text) throws JsonProcessingException {
    try {
      return reader.readTree(text);
    } catch (NumberFormatException tooLarge) {
      throw new JsonParseException(null, "A number is beyond all bounds", tooLarge);
    }
  }

  /** The value that a text is, or the text itself as a string when it is no JSON. */
  public static JsonNode valueOf(String text) {
    if (!mayBeJson(text)) {
      return TextNode.valueOf(text);
    }
    try {
      var value = read(READER, text);
      return value.isMissingNode() ? TextNode.valueOf(text) : value;
    } catch (JsonProcessingException noJson) {
      return TextNode.valueOf(text);
    }
  }

  /**
   * An object that this program stored.
   *
   * @throws IllegalStateException when it is none
   */
  static ObjectNode stored(String text) {
    if (valueOf(text) instanceof ObjectNode object) {
      return object;
    }
    throw new IllegalStateException("stored JSON is not an object");
  }

  /** The first value that is there and not null; a missing node when none is. */
  static JsonNode first(JsonNode... values) {
    for (var value : values) {
      if (!absent(value)) {
        return value;
      }
    }
    return MissingNode.getInstance();
  }

  /** True for a value that is missing or null. */
  public static boolean absent(JsonNode value) {
    return value.isMissingNode() || value.isNull();
  }

  // Most texts that are no JSON betray it by their first character; an exception costs more.
  private static boolean mayBeJson(String text) {
    int at = 0;
    while (at < text.length() && text.charAt(at) <= ' ') {
      at++;
    }
    if (at == text.length()) {
      return false;
    }
    return switch (text.charAt(at)) {
      case '{', '[', '"', '-', 't', 'f', 'n', '0', '1', '2', '3', '4', '5', '6', '7', '8', '9' ->
          true;
      default -> false;
    };
  }
}
