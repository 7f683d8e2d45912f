package io.fengyu.webhook.delivery;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.core.exc.StreamConstraintsException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.cfg.JsonNodeFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fengyu.webhook.WebhookProblems;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/**
 * Reads the body of a delivery as every later reader will: strict UTF-8, an object, every key once,
 * no half of a surrogate pair, no number that a double cannot hold.
 */
final class DeliveryBody {

  private static final int DEEPEST = 64;
  private static final ObjectMapper JSON =
      JsonMapper.builder(
              JsonFactory.builder()
                  .streamReadConstraints(
                      StreamReadConstraints.builder().maxNestingDepth(DEEPEST).build())
                  .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
                  .build())
          .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
          .enable(DeserializationFeature.FAIL_ON_READING_DUP_TREE_KEY)
          .disable(JsonNodeFeature.STRIP_TRAILING_BIGDECIMAL_ZEROES)
          .build();

  private DeliveryBody() {}

  /** Nothing at all, or blanks, count as an object without fields. */
  static ObjectNode read(byte[] body) {
    try {
      var text = StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(body)).toString();
      if (text.isBlank()) {
        return JsonNodeFactory.instance.objectNode();
      }
      if (JSON.readTree(text) instanceof ObjectNode object && sound(object)) {
        return object;
      }
      throw WebhookProblems.notObject();
    } catch (StreamConstraintsException tooDeep) {
      throw WebhookProblems.tooDeep(DEEPEST);
    } catch (IOException | NumberFormatException noJson) {
      throw WebhookProblems.notObject();
    }
  }

  private static boolean sound(JsonNode value) {
    if (value.isTextual()) {
      return paired(value.textValue());
    }
    if (value.isNumber()) {
      return Double.isFinite(value.doubleValue());
    }
    for (var field : value.properties()) {
      if (!paired(field.getKey()) || !sound(field.getValue())) {
        return false;
      }
    }
    if (value.isArray()) {
      for (var element : value) {
        if (!sound(element)) {
          return false;
        }
      }
    }
    return true;
  }

  // Neither Postgres nor UTF-8 can hold half of a pair, nor Postgres a zero.
  private static boolean paired(String text) {
    for (int i = 0; i < text.length(); i++) {
      var letter = text.charAt(i);
      if (letter == 0 || Character.isLowSurrogate(letter)) {
        return false;
      }
      if (Character.isHighSurrogate(letter)) {
        i++;
        if (i == text.length() || !Character.isLowSurrogate(text.charAt(i))) {
          return false;
        }
      }
    }
    return true;
  }
}
