package io.fengyu.agent.run;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import io.fengyu.agent.file.RunFiles.RunPlaces;
import io.fengyu.agent.tool.ToolException;
import io.fengyu.contract.plan.ArgsTemplate;
import io.fengyu.contract.plan.Reference.Side;
import io.fengyu.contract.plan.Reference.Source;
import io.fengyu.contract.plan.TextTemplate;
import org.jspecify.annotations.Nullable;

/**
 * Puts the paths of granted files in the place of {@code @file:<name>}. Only what a person or the
 * caller wrote counts: the same characters in the result of a step are text.
 */
final class GrantedFiles {

  private static final String PREFIX = "@file:";

  private final RunPlaces places;
  private final @Nullable String pluginId;
  private @Nullable String missing;

  private GrantedFiles(RunPlaces places, @Nullable String pluginId) {
    this.places = places;
    this.pluginId = pluginId;
  }

  /**
   * The arguments a tool gets.
   *
   * @param resolved the same arguments, placeholders still in place
   * @param values where the template's references get their values
   * @throws ToolException when a name is not granted to the tool's provider
   */
  static ObjectNode dispatch(
      RunPlaces places,
      @Nullable String pluginId,
      ArgsTemplate template,
      ObjectNode resolved,
      TextTemplate.Values values)
      throws ToolException {
    if (!mentioned(resolved)) {
      return resolved;
    }
    var files = new GrantedFiles(places, pluginId);
    return files.orFail(
        template.resolve(
            reference -> files.replaceIn(reference.source(), values.of(reference)),
            files::replace));
  }

  /** As above, for arguments that hold no references. */
  static ObjectNode dispatch(RunPlaces places, @Nullable String pluginId, ObjectNode args)
      throws ToolException {
    var files = new GrantedFiles(places, pluginId);
    return files.orFail((ObjectNode) files.replace(args));
  }

  private ObjectNode orFail(ObjectNode args) throws ToolException {
    if (missing != null) {
      throw new ToolException("no granted file of the name " + missing);
    }
    return args;
  }

  private JsonNode replaceIn(Source source, JsonNode value) {
    return switch (source) {
      case Source.Input input -> replace(value);
      case Source.Step(int index, var side) when side == Side.INPUT -> replace(value);
      case Source.Node(var id, var side) when side == Side.INPUT -> replace(value);
      default -> value;
    };
  }

  private JsonNode replace(JsonNode value) {
    return switch (value) {
      case TextNode text when text.textValue().startsWith(PREFIX) -> path(text);
      case ObjectNode object -> {
        var copy = object.objectNode();
        object.properties().forEach(f -> copy.set(f.getKey(), replace(f.getValue())));
        yield copy;
      }
      case ArrayNode array -> {
        var copy = array.arrayNode(array.size());
        array.forEach(element -> copy.add(replace(element)));
        yield copy;
      }
      default -> value;
    };
  }

  private JsonNode path(TextNode placeholder) {
    var name = placeholder.textValue().substring(PREFIX.length());
    var path = places.granted(name, pluginId);
    if (path == null) {
      missing = name;
      return placeholder;
    }
    return TextNode.valueOf(path.toString());
  }

  private static boolean mentioned(JsonNode value) {
    if (value.isTextual()) {
      return value.textValue().startsWith(PREFIX);
    }
    for (var child : value) {
      if (mentioned(child)) {
        return true;
      }
    }
    return false;
  }
}
