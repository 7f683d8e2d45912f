package io.fengyu.agent.mcp;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fengyu.contract.json.CanonicalJson;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Tools as a server declares them, by its own names for them.
 *
 * @param byName in the server's order
 */
record ToolSet(Map<String, ObjectNode> byName) {

  static final ToolSet EMPTY = new ToolSet(Map.of());

  /** What of a declaration a model, a person or the scheduler goes by; the rest may change. */
  private static final List<String> MEMBERS =
      List.of("name", "title", "description", "inputSchema", "outputSchema", "_meta");

  /** Keeps what matters of each declaration; the first of a name wins. */
  static ToolSet of(Collection<? extends JsonNode> declarations) {
    var byName = new LinkedHashMap<String, ObjectNode>();
    for (var declaration : declarations) {
      var kept = declaration.deepCopy();
      if (kept instanceof ObjectNode object) {
        object.retain(MEMBERS);
        if (object.remove("_meta") instanceof ObjectNode meta && meta.has("resources")) {
          object.putObject("_meta").set("resources", meta.get("resources"));
        }
        byName.putIfAbsent(object.path("name").asText(), object);
      }
    }
    return new ToolSet(byName);
  }

  static ToolSet read(ObjectMapper json, String text) {
    try {
      return of(json.readTree(text).valueStream().toList());
    } catch (JsonProcessingException damaged) {
      throw new IllegalStateException("The table holds JSON", damaged);
    }
  }

  /** JSON text for the table. */
  String text(ObjectMapper json) {
    ArrayNode all = json.createArrayNode();
    byName.values().forEach(all::add);
    return all.toString();
  }

  @Nullable ObjectNode get(String name) {
    return byName.get(name);
  }

  /** Another text for any other content or order. */
  String digest() {
    var all = com.fasterxml.jackson.databind.node.JsonNodeFactory.instance.arrayNode();
    byName.values().forEach(all::add);
    return CanonicalJson.sha256(all).substring(0, 16);
  }

  /** True when that tool is declared here exactly as there. */
  boolean agreesOn(String name, ToolSet other) {
    var here = byName.get(name);
    var there = other.byName.get(name);
    return here != null
        && there != null
        && CanonicalJson.text(here).equals(CanonicalJson.text(there));
  }

  /** This set with some tools as another one declares them, or without them where it does not. */
  ToolSet with(ToolSet other, Collection<String> names) {
    var merged = new LinkedHashMap<>(byName);
    for (var name : names) {
      var declared = other.byName.get(name);
      if (declared == null) {
        merged.remove(name);
      } else {
        merged.put(name, declared);
      }
    }
    return new ToolSet(merged);
  }
}
