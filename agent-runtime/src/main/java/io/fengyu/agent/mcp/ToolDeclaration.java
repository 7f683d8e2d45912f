package io.fengyu.agent.mcp;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fengyu.agent.tool.CompanyGraph;
import io.fengyu.agent.tool.Effect;
import io.fengyu.agent.tool.ToolSpec;
import io.fengyu.contract.json.CanonicalJson;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Makes a tool of the catalog from what a server declares and people know. */
final class ToolDeclaration {

  private static final int LONGEST_NAME = 64;

  private ToolDeclaration() {}

  /**
   * Name in the catalog: what models accept as a name, and still the server's own where it can be.
   */
  static String name(String prefix, String tool) {
    var name = prefix + "__" + tool.replaceAll("[^A-Za-z0-9_-]", "_");
    if (name.length() <= LONGEST_NAME) {
      return name;
    }
    var tail = CanonicalJson.sha256(JsonNodeFactory.instance.textNode(tool)).substring(0, 6);
    return name.substring(0, LONGEST_NAME - 7) + "_" + tail;
  }

  /** The tool of the catalog. Nothing the server says makes it more trusted than external. */
  static ToolSpec spec(McpServer server, ObjectNode declared) {
    var tool = declared.path("name").asText();
    var settings = server.settings();
    var effect = effect(settings, tool);
    var known = settings.toolResources().get(tool);
    var resources = known == null ? resources(declared.path("_meta").path("resources")) : known;
    return new ToolSpec(
        name(server.prefix(), tool),
        description(declared),
        schema(declared.path("inputSchema")),
        declared.get("outputSchema") instanceof ObjectNode output ? output : null,
        effect,
        false,
        resources,
        settings.internal()
            ? CompanyGraph.id(server.prefix(), tool)
            : "mcp:" + server.prefix() + ":" + tool,
        "mcp",
        revision(declared, effect, resources),
        null);
  }

  /** What people say, else what is known of the company's own tools, else the worst. */
  static Effect effect(ServerSettings settings, String tool) {
    var known = settings.internal() ? CompanyGraph.effect(tool) : null;
    return settings.toolEffects().getOrDefault(tool, known == null ? Effect.EXTERNAL : known);
  }

  private static String description(ObjectNode declared) {
    var description = declared.path("description").asText();
    return description.isBlank() ? declared.path("title").asText() : description;
  }

  private static ObjectNode schema(JsonNode declared) {
    if (declared instanceof ObjectNode object && object.path("type").asText("").equals("object")) {
      return object;
    }
    return JsonNodeFactory.instance.objectNode().put("type", "object");
  }

  private static String revision(
      ObjectNode declared, Effect effect, ToolSpec.@Nullable Resources resources) {
    var all = declared.deepCopy();
    all.put("effect", effect.wire()).put("resources", String.valueOf(resources));
    return CanonicalJson.sha256(all).substring(0, 12);
  }

  /** What a call reads and writes; null for anything that does not say so properly. */
  static ToolSpec.@Nullable Resources resources(JsonNode declared) {
    if (!declared.isObject()) {
      return null;
    }
    var reads = names(declared.path("reads"));
    var writes = names(declared.path("writes"));
    return reads == null || writes == null ? null : new ToolSpec.Resources(reads, writes);
  }

  private static @Nullable List<String> names(JsonNode list) {
    var names = new ArrayList<String>();
    for (var name : list) {
      if (!name.isTextual() || names.size() == 100) {
        return null;
      }
      names.add(name.textValue());
    }
    return list.isArray() || list.isMissingNode() ? List.copyOf(names) : null;
  }
}
