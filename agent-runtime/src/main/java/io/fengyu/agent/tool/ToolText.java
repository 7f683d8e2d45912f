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
  @Nullable String description(Tool tool, List<Locale> languages) {
    var spec = tool.spec();
    var words = tool.words();
    if (words != null) {
      return words.description(languages);
    }
    return chinese(languages) ? chinese.getProperty(spec.name()) : null;
  }

  /** The canvas node with its texts in one of the languages asked for; derived when undeclared. */
  ObjectNode flowNode(Tool tool, List<Locale> languages) {
    var spec = tool.spec();
    var declared = spec.flowNode();
    var shown = declared == null ? FallbackNode.of(spec) : declared;
    var words = tool.words();
    if (words != null) {
      return words.flowNode(shown, languages);
    }
    if (!chinese(languages)) {
      return shown;
    }
    var node = shown.deepCopy();
    translate(node, "label", spec.name() + ".label");
    translate(node, "help", spec.name());
    fields(spec, node.withArray("inputs"), "field.");
    fields(spec, node.withArray("outputs"), "result.");
    return node;
  }

  /** A field is called the same in all tools, unless a tool says otherwise. */
  private void fields(ToolSpec spec, JsonNode fields, String kind) {
    for (JsonNode one : fields) {
      if (one instanceof ObjectNode field) {
        var name = field.path("name").asText();
        translate(field, "title", "field." + name);
        translate(field, "title", kind + name);
        translate(field, "description", spec.name() + "." + kind + name);
      }
    }
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
