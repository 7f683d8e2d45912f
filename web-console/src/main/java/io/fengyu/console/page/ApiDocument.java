package io.fengyu.console.page;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Map;

/**
 * Merges the services' OpenAPI documents into one. Where two services describe different things
 * under one name, the later one's gets its service's name in front.
 */
final class ApiDocument {

  private static final List<String> COMPONENTS =
      List.of("schemas", "responses", "parameters", "requestBodies", "headers");

  private final ObjectMapper json;
  private final ObjectNode merged;

  ApiDocument(ObjectMapper json) {
    this.json = json;
    merged = json.createObjectNode();
    merged.put("openapi", "3.1.0");
    merged.putObject("info").put("title", "FengYu Server").put("version", "1");
    var token = merged.putObject("components").putObject("securitySchemes").putObject("token");
    token.put("type", "apiKey").put("in", "header").put("name", "X-FengYu-Token");
    merged.putArray("security").addObject().putArray("token");
    merged.putObject("paths");
  }

  /** Adds the public paths of one service and what they refer to. */
  ApiDocument add(String service, JsonNode document) {
    var renamed = renameClashes(service, document);
    for (var kind : COMPONENTS) {
      ObjectNode target = merged.withObject("/components").withObject("/" + kind);
      for (var entry : renamed.path("components").path(kind).properties()) {
        target.set(entry.getKey(), entry.getValue());
      }
    }
    for (var path : renamed.path("paths").properties()) {
      if (path.getKey().startsWith("/api/")) {
        addPath(service, path);
      }
    }
    return this;
  }

  ObjectNode merged() {
    return merged;
  }

  private void addPath(String service, Map.Entry<String, JsonNode> path) {
    ObjectNode target = merged.withObject("/paths");
    if (target.has(path.getKey())) {
      return; // each path has one owner; /api/health is every service's
    }
    for (var operation : path.getValue()) {
      if (operation instanceof ObjectNode described && described.has("responses")) {
        described.putArray("tags").add(service);
      }
    }
    target.set(path.getKey(), path.getValue());
  }

  private JsonNode renameClashes(String service, JsonNode document) {
    var text = document.toString();
    var copy = (ObjectNode) document.deepCopy();
    for (var kind : COMPONENTS) {
      for (var entry : document.path("components").path(kind).properties()) {
        var known = merged.path("components").path(kind).path(entry.getKey());
        if (!known.isMissingNode() && !known.equals(entry.getValue())) {
          text = renamed(text, kind, entry.getKey(), service);
        }
      }
    }
    return text.equals(copy.toString()) ? copy : movedEntries(service, read(text), document);
  }

  private static String renamed(String text, String kind, String name, String service) {
    var ref = "\"#/components/" + kind + "/";
    return text.replace(ref + name + "\"", ref + service + "." + name + "\"");
  }

  private JsonNode movedEntries(String service, JsonNode rewritten, JsonNode original) {
    for (var kind : COMPONENTS) {
      for (var entry : original.path("components").path(kind).properties()) {
        var known = merged.path("components").path(kind).path(entry.getKey());
        if (!known.isMissingNode() && !known.equals(entry.getValue())) {
          var entries = (ObjectNode) rewritten.path("components").path(kind);
          entries.set(service + "." + entry.getKey(), entries.remove(entry.getKey()));
        }
      }
    }
    return rewritten;
  }

  private JsonNode read(String text) {
    try {
      return json.readTree(text);
    } catch (com.fasterxml.jackson.core.JsonProcessingException impossible) {
      throw new IllegalStateException(impossible);
    }
  }
}
