package io.fengyu.contract.json;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.TreeMap;

/**
 * JSON as one text whatever the order of keys, the white space and the spelling of numbers: equal
 * values have equal texts.
 */
public final class CanonicalJson {

  private CanonicalJson() {}

  /** The canonical text: keys sorted, no white space, numbers without superfluous digits. */
  public static String text(JsonNode json) {
    var text = new StringBuilder();
    write(json, text);
    return text.toString();
  }

  /** SHA-256 over the canonical text, as lower-case hex. */
  public static String sha256(JsonNode json) {
    try {
      var sha = MessageDigest.getInstance("SHA-256");
      return HexFormat.of().formatHex(sha.digest(text(json).getBytes(StandardCharsets.UTF_8)));
    } catch (NoSuchAlgorithmException impossible) {
      throw new IllegalStateException(impossible);
    }
  }

  private static void write(JsonNode json, StringBuilder text) {
    switch (json) {
      case ObjectNode object -> object(object, text);
      case ArrayNode array -> array(array, text);
      default -> text.append(json.isNumber() ? number(json.decimalValue()) : json.toString());
    }
  }

  private static void object(ObjectNode object, StringBuilder text) {
    var sorted = new TreeMap<String, JsonNode>();
    object.properties().forEach(field -> sorted.put(field.getKey(), field.getValue()));
    var separator = '{';
    for (var field : sorted.entrySet()) {
      text.append(separator).append(object.textNode(field.getKey())).append(':');
      write(field.getValue(), text);
      separator = ',';
    }
    text.append(sorted.isEmpty() ? "{}" : "}");
  }

  private static void array(ArrayNode array, StringBuilder text) {
    var separator = '[';
    for (var element : array) {
      text.append(separator);
      write(element, text);
      separator = ',';
    }
    text.append(array.isEmpty() ? "[]" : "]");
  }

  private static String number(BigDecimal value) {
    return value.signum() == 0 ? "0" : value.stripTrailingZeros().toString();
  }
}
