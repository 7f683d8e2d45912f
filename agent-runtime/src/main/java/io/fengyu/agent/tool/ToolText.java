package io.fengyu.agent.tool;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import jakarta.enterprise.context.ApplicationScoped;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Properties;
import org.jspecify.annotations.Nullable;

/** What people read about tools in their own language; models always read the declaration. */
@ApplicationScoped
class ToolText {

  private final Properties chinese = load("/tools/zh.properties");

  /** The tool's description in one of the languages asked for; null when it stays as declared. */
  @Nullable String description(ToolSpec spec, List<Locale> languages) {
    return chinese(languages) ? chinese.getProperty(spec.name()) : null;
  }

  /** The canvas node with label, help and input titles in one of the languages asked for. */
  @Nullable ObjectNode flowNode(ToolSpec spec, List<Locale> languages) {
    var declared = spec.flowNode();
    if (declared == null || !chinese(languages)) {
      return declared;
    }
    var node = declared.deepCopy();
    translate(node, "label", spec.name() + ".label");
    translate(node, "help", spec.name());
    for (JsonNode input : node.withArray("inputs")) {
      if (input instanceof ObjectNode field) {
        translate(field, "title", "field." + field.path("name").asText());
      }
    }
    return node;
  }

  private void translate(ObjectNode node, String member, String key) {
    var text = chinese.getProperty(key);
    if (text != null) {
      node.put(member, text);
    }
  }

  private static boolean chinese(List<Locale> languages) {
    return !languages.isEmpty() && languages.getFirst().getLanguage().equals("zh");
  }

  private static Properties load(String resource) {
    var texts = new Properties();
    try (var in = ToolText.class.getResourceAsStream(resource)) {
      if (in == null) {
        throw new IllegalStateException(resource + " is missing from the program");
      }
      texts.load(new InputStreamReader(in, StandardCharsets.UTF_8));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return texts;
  }
}
