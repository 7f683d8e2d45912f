package io.fengyu.agent.plugin.tool;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fengyu.agent.plugin.archive.Manifest.DeclaredTool;
import io.fengyu.agent.tool.ToolWords;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Texts that a package brings in other languages. */
record PluginWords(DeclaredTool tool) implements ToolWords {

  @Override
  public @Nullable String description(List<Locale> languages) {
    return in(tool.descriptions(), languages);
  }

  @Override
  public ObjectNode flowNode(ObjectNode declared, List<Locale> languages) {
    var texts = in(tool.nodeTexts(), languages);
    var help = description(languages);
    if (texts == null && help == null) {
      return declared;
    }
    var node = declared.deepCopy();
    if (help != null && node.path("help").asText("").equals(tool.description())) {
      node.put("help", help);
    }
    if (texts != null) {
      copy(texts, node);
      fields(texts.path("inputs"), node.path("inputs"));
      fields(texts.path("outputs"), node.path("outputs"));
    }
    return node;
  }

  private static void fields(JsonNode texts, JsonNode fields) {
    for (var field : fields) {
      if (field instanceof ObjectNode object
          && texts.get(field.path("name").asText()) instanceof ObjectNode of) {
        copy(of, object);
      }
    }
  }

  private static void copy(ObjectNode texts, ObjectNode to) {
    for (var name : List.of("label", "help", "title", "description")) {
      if (texts.path(name).isTextual()) {
        to.set(name, texts.get(name));
      }
    }
  }

  /** The first language that there is something in; English is what is declared. */
  private static <T> @Nullable T in(Map<String, T> texts, List<Locale> languages) {
    for (var language : languages) {
      var exact = texts.get(language.toLanguageTag().toLowerCase(Locale.ROOT));
      var found = exact == null ? texts.get(language.getLanguage()) : exact;
      if (found != null || language.getLanguage().equals("en")) {
        return found;
      }
    }
    return null;
  }
}
