package io.fengyu.agent.plugin.archive;

import static io.fengyu.agent.plugin.archive.ManifestReader.absent;
import static io.fengyu.agent.plugin.archive.ManifestReader.expect;
import static io.fengyu.agent.plugin.archive.ManifestReader.text;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fengyu.agent.tool.Effect;
import io.fengyu.agent.tool.ToolSpec;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Parts of the declaration of a tool. */
final class Declared {

  private static final int MOST_RESOURCES = 100;
  private static final int LONGEST_TEXT = 8_000;

  private Declared() {}

  /** What is not declared is the worst. */
  static Effect effect(JsonNode declared, String field) {
    if (absent(declared)) {
      return Effect.EXTERNAL;
    }
    return Stream.of(Effect.values())
        .filter(effect -> effect.wire().equals(declared.asText().toLowerCase(Locale.ROOT)))
        .findFirst()
        .orElseThrow(
            () ->
                io.fengyu.agent.plugin.PluginProblems.manifestInvalid(
                    field, "read, write, command or external"));
  }

  static ToolSpec.@Nullable Resources resources(JsonNode declared, String field) {
    if (absent(declared)) {
      return null;
    }
    expect(declared.isObject(), field, "an object with reads and writes");
    return new ToolSpec.Resources(
        names(declared.path("reads"), field + ".reads"),
        names(declared.path("writes"), field + ".writes"));
  }

  private static List<String> names(JsonNode list, String field) {
    expect(
        absent(list) || (list.isArray() && list.size() <= MOST_RESOURCES),
        field,
        "an array of at most " + MOST_RESOURCES + " names");
    var names = new ArrayList<String>();
    for (int i = 0; i < list.size(); i++) {
      names.add(text(list.get(i), field + "[" + i + "]", 200));
    }
    return List.copyOf(names);
  }

  static Map<String, String> texts(JsonNode declared, String field) {
    var texts = new HashMap<String, String>();
    expect(absent(declared) || declared.isObject(), field, "an object of texts by language");
    for (var one : declared.properties()) {
      texts.put(
          one.getKey().toLowerCase(Locale.ROOT),
          text(one.getValue(), field + "." + one.getKey(), LONGEST_TEXT));
    }
    return Map.copyOf(texts);
  }

  static Map<String, ObjectNode> objects(JsonNode declared, String field) {
    var objects = new HashMap<String, ObjectNode>();
    expect(absent(declared) || declared.isObject(), field + ".localized", "objects by language");
    for (var one : declared.properties()) {
      if (one.getValue() instanceof ObjectNode object) {
        objects.put(one.getKey().toLowerCase(Locale.ROOT), object);
      } else {
        expect(false, field + ".localized." + one.getKey(), "an object");
      }
    }
    return Map.copyOf(objects);
  }
}
