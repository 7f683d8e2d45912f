package io.fengyu.agent.run;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fengyu.contract.model.ModelStreamRequest.Image;
import org.jspecify.annotations.Nullable;

/**
 * A result taken apart: a picture is looked at, not read.
 *
 * @param text the result without the picture's characters
 */
record ShownImage(String text, @Nullable Image image) {

  private static final int LONGEST = 20 * 1024 * 1024;
  private static final String PNG = "image/png";
  private static final String PNG_BEGINS = "iVBORw0KGgo";

  static ShownImage in(String result) {
    if (!result.contains("imageBase64")
        || !(Json.valueOf(result) instanceof ObjectNode json)
        || !json.path("imageBase64").isTextual()) {
      return new ShownImage(result, null);
    }
    var words = json.deepCopy();
    words.remove("imageBase64");
    var picture = json.path("imageBase64").textValue();
    var type = json.path("mimeType").asText(PNG);
    return new ShownImage(words.toString(), real(type, picture) ? new Image(type, picture) : null);
  }

  private static boolean real(String type, String base64) {
    return type.startsWith("image/")
        && base64.length() <= LONGEST
        && (!type.equals(PNG) || base64.startsWith(PNG_BEGINS));
  }
}
