package io.fengyu.workflow.json;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fengyu.workflow.WorkflowProblems;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The members of a JSON object, each as the very characters that were sent.
 *
 * <p>Reading a document into a tree and writing it again would change the spelling of numbers, drop
 * repeated names and lose escapes; a slice of the body does none of that.
 */
public final class RawBody {

  private final Map<String, String> members;

  private RawBody(Map<String, String> members) {
    this.members = members;
  }

  /** Refuses a body that is no JSON object in UTF-8. */
  public static RawBody of(byte[] body) {
    try {
      return new RawBody(slices(text(body)));
    } catch (IOException malformed) {
      throw WorkflowProblems.malformedJson();
    }
  }

  /** Like {@link #of}, but no body at all is an object without members. */
  public static RawBody ofOptional(byte @Nullable [] body) {
    return body == null || body.length == 0 ? new RawBody(Map.of()) : of(body);
  }

  /** True when the member is there and not null. */
  public boolean has(String name) {
    var text = members.get(name);
    return text != null && !text.equals("null");
  }

  /** The member as it was written; null when it is missing or null. */
  public @Nullable String raw(String name) {
    return has(name) ? members.get(name) : null;
  }

  /** The member as a tree; null when it is missing or null. */
  public @Nullable JsonNode tree(String name) {
    var text = raw(name);
    try {
      return text == null ? null : ExactJson.tree(text);
    } catch (JsonProcessingException malformed) {
      throw WorkflowProblems.malformedJson();
    }
  }

  /** All members as one tree. */
  public ObjectNode tree() {
    var object = ExactJson.object();
    members.keySet().forEach(name -> object.set(name, tree(name)));
    return object;
  }

  /** The member if it is a text; null when it is missing or null. */
  public @Nullable String string(String name) {
    var node = tree(name);
    if (node != null && !node.isTextual()) {
      throw WorkflowProblems.wrongType("/" + name, "string");
    }
    return node == null ? null : node.textValue();
  }

  /** The member if it is a whole number of 32 bits; null when it is missing or null. */
  public @Nullable Integer integer(String name) {
    var node = tree(name);
    if (node == null) {
      return null;
    }
    if (!node.canConvertToExactIntegral() || !node.canConvertToInt()) {
      throw WorkflowProblems.wrongType("/" + name, "integer");
    }
    return node.intValue();
  }

  /** The member if it is true or false; the fallback when it is missing or null. */
  public boolean bool(String name, boolean fallback) {
    var node = tree(name);
    if (node != null && !node.isBoolean()) {
      throw WorkflowProblems.wrongType("/" + name, "boolean");
    }
    return node == null ? fallback : node.booleanValue();
  }

  private static String text(byte[] body) throws CharacterCodingException {
    return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(body)).toString();
  }

  private static Map<String, String> slices(String body) throws IOException {
    try (var parser = ExactJson.parser(body)) {
      if (parser.nextToken() != JsonToken.START_OBJECT) {
        throw WorkflowProblems.malformedJson();
      }
      var slices = members(parser, body);
      if (parser.nextToken() != null) {
        throw WorkflowProblems.malformedJson();
      }
      return slices;
    }
  }

  private static Map<String, String> members(JsonParser parser, String body) throws IOException {
    var slices = new HashMap<String, String>();
    for (var name = parser.nextFieldName(); name != null; name = parser.nextFieldName()) {
      parser.nextToken();
      var start = (int) parser.currentTokenLocation().getCharOffset();
      parser.skipChildren();
      parser.finishToken();
      var end = (int) parser.currentLocation().getCharOffset();
      slices.put(name, body.substring(start, end));
    }
    return slices;
  }
}
