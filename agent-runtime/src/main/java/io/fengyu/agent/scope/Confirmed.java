package io.fengyu.agent.scope;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fengyu.agent.tool.ToolSpec;
import org.jspecify.annotations.Nullable;

/**
 * What a graph tool of a server has confirmed by succeeding.
 *
 * @param dataset the active dataset from now on; null when it stays as it is
 * @param state that of its data; {@code loaded} tells whether it can be worked on
 */
record Confirmed(@Nullable String dataset, ObjectNode state) {

  private static final ObjectMapper JSON = new ObjectMapper();

  /** Null for every call that confirms nothing. */
  static @Nullable Confirmed by(ToolSpec tool, ObjectNode args, String result) {
    if (!"mcp".equals(tool.pluginId())) {
      return null;
    }
    var said = read(result);
    return switch (own(tool.name())) {
      case "load_constructed_graph", "switch_graph_version" -> loaded(args, said);
      case "commit_graph_optimization" ->
          new Confirmed(null, state("saved", false, said, args, "new_revision"));
      case "clear_graph" -> new Confirmed(null, state("cleared", false, said, args, "revision"));
      default -> null;
    };
  }

  private static @Nullable Confirmed loaded(ObjectNode args, JsonNode said) {
    var id = first(said, "active_dataset_id", "dataset_id");
    var dataset = id.isMissingNode() ? args.path("dataset_id") : id;
    return dataset.isValueNode() && !dataset.isNull() && !dataset.asText().isBlank()
        ? new Confirmed(dataset.asText(), state("loaded", true, said, args, "active_revision"))
        : null;
  }

  private static ObjectNode state(
      String usual, boolean loaded, JsonNode said, ObjectNode args, String revisionToo) {
    var nested = said.path("data_state");
    var state = nested instanceof ObjectNode object ? object.deepCopy() : JSON.createObjectNode();
    if (!state.path("state").isTextual()) {
      var told = nested.isTextual() ? nested : first(said, "state", "build_state", "status");
      state.put("state", told.isTextual() ? told.textValue() : usual);
    }
    var revision = first(said, "revision", revisionToo, "version");
    if (!state.has("revision")) {
      state.set(
          "revision",
          revision.isMissingNode() ? orNull(first(args, "revision", "version")) : revision);
    }
    return state.put("loaded", loaded);
  }

  private static JsonNode orNull(JsonNode value) {
    return value.isMissingNode() ? JSON.nullNode() : value;
  }

  private static JsonNode first(JsonNode object, String... names) {
    for (var name : names) {
      var value = object.path(name);
      if (value.isValueNode() && !value.isNull()) {
        return value;
      }
    }
    return MissingNode.getInstance();
  }

  private static JsonNode read(String result) {
    try {
      var read = JSON.readTree(result);
      return read.path("structuredContent").isObject() ? read.path("structuredContent") : read;
    } catch (JsonProcessingException words) {
      return MissingNode.getInstance();
    }
  }

  private static String own(String name) {
    int prefix = name.indexOf("__");
    return prefix < 0 ? name : name.substring(prefix + 2);
  }
}
