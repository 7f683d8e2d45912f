package io.fengyu.workflow.json;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParseException;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.cfg.JsonNodeFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.util.Optional;

/** JSON trees whose numbers keep every digit and their scale: 1.0 stays 1.0, 1e400 stays 1e400. */
public final class ExactJson {

  /** Deeper documents are refused, so that no later reader meets one it cannot take. */
  private static final int MAX_DEPTH = 64;

  /** Arguments of a node: they end up this much deeper, inside a plan. */
  private static final int DEPTH_OF_ARGUMENTS_IN_A_BODY = 5;

  private static final ObjectMapper MAPPER = mapper(MAX_DEPTH);
  private static final ObjectMapper ARGUMENTS = mapper(MAX_DEPTH - DEPTH_OF_ARGUMENTS_IN_A_BODY);

  private ExactJson() {}

  /** The tree of a whole document. */
  public static JsonNode tree(String json) throws JsonProcessingException {
    return read(MAPPER, json);
  }

  /** The tree of a document that was checked when it was stored. */
  public static JsonNode stored(String json) {
    try {
      return read(MAPPER, json);
    } catch (JsonProcessingException broken) {
      throw new IllegalStateException("a stored document is no JSON", broken);
    }
  }

  /** The object that a text holds; empty when it holds something else, or lies too deep. */
  public static Optional<ObjectNode> arguments(String text) {
    try {
      return read(ARGUMENTS, text) instanceof ObjectNode object
          ? Optional.of(object)
          : Optional.empty();
    } catch (JsonProcessingException notJson) {
      return Optional.empty();
    }
  }

  // An exponent of twenty digits fits the grammar of JSON, but no number of this program.
  private static JsonNode read(ObjectMapper mapper, String json) throws JsonProcessingException {
    try {
      return mapper.readTree(json);
    } catch (NumberFormatException tooLarge) {
      throw new JsonParseException(null, "A number is beyond all bounds", tooLarge);
    }
  }

  /** A new, empty object. */
  public static ObjectNode object() {
    return JsonNodeFactory.instance.objectNode();
  }

  /** Reads a document piece by piece. */
  public static JsonParser parser(String json) throws IOException {
    return MAPPER.getFactory().createParser(json);
  }

  private static ObjectMapper mapper(int depth) {
    var factory =
        JsonFactory.builder()
            .streamReadConstraints(StreamReadConstraints.builder().maxNestingDepth(depth).build())
            .build();
    return JsonMapper.builder(factory)
        .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
        .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
        .disable(JsonNodeFeature.STRIP_TRAILING_BIGDECIMAL_ZEROES)
        .build();
  }
}
