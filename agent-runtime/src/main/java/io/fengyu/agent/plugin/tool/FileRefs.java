package io.fengyu.agent.plugin.tool;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import io.fengyu.agent.file.HeldRefs;
import io.fengyu.agent.file.HeldRefs.Held;
import io.fengyu.agent.tool.ToolException;
import jakarta.enterprise.context.ApplicationScoped;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.regex.Pattern;

/** Puts real paths in the place of references, for the plugin that they were made for. */
@ApplicationScoped
class FileRefs {

  private static final Pattern ID = Pattern.compile("ref_[0-9a-f-]{36}");
  private static final int MOST = 200;
  private static final long STORE_ANSWERS_WITHIN_MS = 5_000;

  private final HeldRefs held;

  FileRefs(HeldRefs held) {
    this.held = held;
  }

  /**
   * Arguments with paths in them.
   *
   * @param readable what was put in place
   * @param writable those of them that may be written into
   */
  record Put(ObjectNode args, List<Path> readable, List<Path> writable) {}

  Put put(String owner, String pluginId, ObjectNode args)
      throws ToolException, InterruptedException {
    var ids = new HashSet<String>();
    collect(args, ids);
    if (ids.isEmpty()) {
      return new Put(args, List.of(), List.of());
    }
    if (ids.size() > MOST) {
      throw new ToolException("the arguments hold more than " + MOST + " files");
    }
    var found = found(owner, pluginId, ids);
    if (!found.keySet().containsAll(ids)) {
      throw new ToolException(
          "a file is not granted to the plugin " + pluginId + ", or not any more");
    }
    return new Put(
        (ObjectNode) replaced(args, found),
        found.values().stream().filter(one -> !one.writable()).map(Held::path).sorted().toList(),
        found.values().stream().filter(Held::writable).map(Held::path).sorted().toList());
  }

  private Map<String, Held> found(String owner, String pluginId, Set<String> ids)
      throws ToolException, InterruptedException {
    try {
      return held.of(owner, pluginId, ids)
          .subscribeAsCompletionStage()
          .get(STORE_ANSWERS_WITHIN_MS, TimeUnit.MILLISECONDS);
    } catch (TimeoutException | ExecutionException away) {
      throw new ToolException("files cannot be looked up now");
    }
  }

  private static boolean isRef(JsonNode value) {
    return value.isObject()
        && value.path("kind").isTextual()
        && value.path("id").isTextual()
        && ID.matcher(value.path("id").textValue()).matches();
  }

  private static void collect(JsonNode value, Set<String> ids) {
    if (isRef(value)) {
      ids.add(value.get("id").textValue());
    } else {
      value.forEach(child -> collect(child, ids));
    }
  }

  private static JsonNode replaced(JsonNode value, Map<String, Held> found) {
    if (isRef(value)) {
      var one = found.get(value.get("id").textValue());
      return one == null ? value : TextNode.valueOf(one.path().toString());
    }
    return switch (value) {
      case ObjectNode object -> {
        var copy = object.objectNode();
        object
            .properties()
            .forEach(field -> copy.set(field.getKey(), replaced(field.getValue(), found)));
        yield copy;
      }
      case ArrayNode array -> {
        var copy = array.arrayNode(array.size());
        array.forEach(element -> copy.add(replaced(element, found)));
        yield copy;
      }
      default -> value;
    };
  }
}
