package io.fengyu.contract.model;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.databind.ObjectReader;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fengyu.contract.model.ModelStreamRequest.Image;
import org.jspecify.annotations.Nullable;

/**
 * A result taken apart: a picture is looked at, not read.
 *
 * @param text the result without the picture's characters
 */
public record ShownImage(String text, @Nullable Image image) {

  private static final int LONGEST = 20 * 1024 * 1024;
  private static final String PNG = "image/png";
  private static final String PNG_BEGINS = "iVBORw0KGgo";
  private static final ObjectReader READER =
      JsonMapper.builder(
              JsonFactory.builder()
                  .streamReadConstraints(
                      StreamReadConstraints.builder().maxStringLength(LONGEST * 2).build())
                  .build())
          .build()
          .reader();

  /** Takes a result apart; one without a picture is all text. */
  public static ShownImage in(String result) {
    if (!result.contains("imageBase64")
        || !(read(result) instanceof ObjectNode json)
        || !json.path("imageBase64").isTextual()) {
      return new ShownImage(result, null);
    }
    var words = json.deepCopy();
    words.remove("imageBase64");
    var picture = json.path("imageBase64").textValue();
    var type = json.path("mimeType").asText(PNG);
    return new ShownImage(words.toString(), real(type, picture) ? new Image(type, picture) : null);
  }

  private static com.fasterxml.jackson.databind.@Nullable JsonNode read(String text) {
    try {
      return READER.readTree(text);
    } catch (JsonProcessingException noJson) {
      return null;
    }
  }

  private static boolean real(String type, String base64) {
    return type.startsWith("image/")
        && base64.length() <= LONGEST
        && (!type.equals(PNG) || base64.startsWith(PNG_BEGINS));
  }
}
