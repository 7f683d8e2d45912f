package io.fengyu.agent.mcp;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fengyu.agent.tool.ToolException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Makes a result text of what a server answered. That an answer came says nothing about success:
 * servers also say in it that the work failed.
 */
final class McpResults {

  private static final ObjectMapper JSON = new ObjectMapper();
  private static final Set<String> FAILED = Set.of("failed", "cancelled", "canceled");

  private McpResults() {}

  /**
   * The result as text: the structured one if there is one, else the text of the content. With
   * other kinds of content it is a JSON object that carries them beside the text.
   *
   * @throws ToolException when the server says that the work failed
   */
  static String text(ObjectNode result) throws ToolException {
    var text = plain(result);
    var structured = structured(result, text);
    if (result.path("isError").asBoolean(false)) {
      throw new ToolException(failure(structured, text));
    }
    if (structured != null && FAILED.contains(structured.path("status").asText())) {
      throw new ToolException(failure(structured, text));
    }
    var others = others(result);
    if (!others.isEmpty()) {
      return withOthers(structured, text, others).toString();
    }
    return result.get("structuredContent") instanceof ObjectNode told ? told.toString() : text;
  }

  /** What the answer says as an object; null when it only says text. */
  static @Nullable ObjectNode structured(ObjectNode result) {
    return structured(result, plain(result));
  }

  private static @Nullable ObjectNode structured(ObjectNode result, String text) {
    if (result.get("structuredContent") instanceof ObjectNode told) {
      return told;
    }
    if (!text.stripLeading().startsWith("{")) {
      return null;
    }
    try {
      return JSON.readTree(text) instanceof ObjectNode object ? object : null;
    } catch (JsonProcessingException plainText) {
      return null;
    }
  }

  private static String plain(ObjectNode result) {
    var text = new StringBuilder();
    for (var part : result.path("content")) {
      if (part.path("type").asText().equals("text")) {
        text.append(text.isEmpty() ? "" : "\n").append(part.path("text").asText());
      }
    }
    return text.toString();
  }

  private static List<JsonNode> others(ObjectNode result) {
    var others = new ArrayList<JsonNode>();
    for (var part : result.path("content")) {
      if (part.isObject() && !part.path("type").asText().equals("text")) {
        others.add(part);
      }
    }
    return others;
  }

  // The first image goes where models look for one.
  private static ObjectNode withOthers(
      @Nullable ObjectNode structured, String text, List<JsonNode> others) {
    var all = structured == null ? JsonNodeFactory.instance.objectNode() : structured.deepCopy();
    if (structured == null) {
      all.put("text", text);
    }
    var rest = new ArrayList<JsonNode>();
    for (var part : others) {
      if (part.path("type").asText().equals("image") && !all.has("imageBase64")) {
        all.put("imageBase64", part.path("data").asText());
        all.put("mimeType", part.path("mimeType").asText("image/png"));
      } else {
        rest.add(part);
      }
    }
    if (!rest.isEmpty()) {
      all.putArray("content").addAll(rest);
    }
    return all;
  }

  private static String failure(@Nullable ObjectNode structured, String text) {
    for (var field : structured == null ? List.<String>of() : List.of("error", "summary")) {
      var told = structured == null ? null : structured.get(field);
      if (told != null && !told.isNull() && !told.asText(told.toString()).isBlank()) {
        return told.isTextual() ? told.textValue() : told.toString();
      }
    }
    return text.isBlank() ? "The server says that the call failed" : text;
  }
}
