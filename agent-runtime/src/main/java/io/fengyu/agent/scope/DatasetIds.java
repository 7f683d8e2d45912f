package io.fengyu.agent.scope;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fengyu.agent.tool.ToolSpec;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * The datasets that a call names: by what its arguments are called, at any depth, and by what its
 * declared resources are filled from.
 */
final class DatasetIds {

  private static final ObjectMapper JSON = new ObjectMapper();
  private static final Pattern FILLED = Pattern.compile("(?:dataset|construction):.*?\\{([^{}]+)}");
  private static final int DEEPEST_TEXT = 4;

  private final Set<String> ids = new LinkedHashSet<>();
  private final boolean foreign;

  private DatasetIds(boolean foreign) {
    this.foreign = foreign;
  }

  /** In the order in which they are found; empty when the call names none. */
  static Set<String> of(ToolSpec tool, ObjectNode args) {
    var found = new DatasetIds("mcp".equals(tool.pluginId()));
    found.members(args, 0);
    if (tool.resources() != null) {
      found.resources(tool.resources().reads(), args);
      found.resources(tool.resources().writes(), args);
    }
    return found.ids;
  }

  private void resources(List<String> names, ObjectNode args) {
    for (var name : names) {
      var filled = FILLED.matcher(name);
      if (filled.find()) {
        add(args.path(filled.group(1)));
      }
    }
  }

  private void members(JsonNode value, int texts) {
    if (value.isObject()) {
      for (var member : value.properties()) {
        if (namesDataset(member.getKey())) {
          add(member.getValue());
        }
        members(member.getValue(), texts);
      }
    } else if (value.isArray()) {
      value.forEach(element -> members(element, texts));
    } else if (value.isTextual() && foreign && texts < DEEPEST_TEXT) {
      written(value.textValue(), texts);
    }
  }

  // Some servers take JSON that is written as text.
  private void written(String text, int texts) {
    var begin = text.stripLeading();
    if (!begin.startsWith("{") && !begin.startsWith("[")) {
      return;
    }
    try {
      members(JSON.readTree(text), texts + 1);
    } catch (JsonProcessingException noJson) {
      // Then nobody reads an id from it.
      return;
    }
  }

  private static boolean namesDataset(String key) {
    var plain = key.toLowerCase(Locale.ROOT).replace("_", "").replace("-", "");
    return plain.endsWith("datasetid") || plain.endsWith("datasetids");
  }

  private void add(JsonNode value) {
    if (value.isArray()) {
      value.forEach(this::add);
    } else if (value.isObject()) {
      value.properties().forEach(member -> add(member.getValue()));
    } else if (!value.isNull() && !value.isMissingNode() && !value.asText().isBlank()) {
      ids.add(value.asText());
    }
  }
}
