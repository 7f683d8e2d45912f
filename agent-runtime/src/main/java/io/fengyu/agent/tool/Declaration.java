package io.fengyu.agent.tool;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Writes the declaration of a tool that ships with the product: its schemas and its canvas node.
 */
public final class Declaration {

  private static final JsonNodeFactory JSON = JsonNodeFactory.instance;

  private final String name;
  private final String description;
  private final List<Field> inputs = new ArrayList<>();
  private final List<Field> outputs = new ArrayList<>();
  private Effect effect = Effect.EXTERNAL;
  private boolean idempotent;
  private ToolSpec.@Nullable Resources resources;
  private @Nullable String pluginId;
  private String label;
  private String kind = "action";

  private Declaration(String name, String description) {
    this.name = name;
    this.description = description;
    this.label = name;
  }

  /** Starts a declaration whose effect is external until it says otherwise. */
  public static Declaration of(String name, String description) {
    return new Declaration(name, description);
  }

  /** What a call may do to the world. */
  public Declaration effect(Effect declared) {
    effect = declared;
    return this;
  }

  /** Calling it again with the same arguments changes nothing more. */
  public Declaration idempotent() {
    idempotent = true;
    return this;
  }

  /** What a call reads and writes, for calls of one turn that could run side by side. */
  public Declaration resources(List<String> reads, List<String> writes) {
    resources = new ToolSpec.Resources(reads, writes);
    return this;
  }

  /** The plugin the tool belongs to. */
  public Declaration plugin(String id) {
    pluginId = id;
    return this;
  }

  /** How the node is called on the canvas. */
  public Declaration label(String text) {
    label = text;
    return this;
  }

  /** Makes the node one that decides about others instead of doing work. */
  public Declaration control() {
    kind = "control";
    return this;
  }

  /** Adds arguments. */
  public Declaration in(Field... fields) {
    inputs.addAll(List.of(fields));
    return this;
  }

  /** Adds members of the result. */
  public Declaration out(Field... fields) {
    outputs.addAll(List.of(fields));
    return this;
  }

  /** The finished declaration, with a revision that is a digest of all of it. */
  public ToolSpec spec() {
    var input = Field.schema(inputs);
    input.put("additionalProperties", false);
    var output = outputs.isEmpty() ? null : Field.schema(outputs);
    var node = flowNode();
    return new ToolSpec(
        name,
        description,
        input,
        output,
        effect,
        idempotent,
        resources,
        (pluginId == null ? "builtin" : pluginId) + ":" + name,
        pluginId,
        digest(description, input, output, node, effect, idempotent, resources),
        node);
  }

  private ObjectNode flowNode() {
    var node = JSON.objectNode().put("tool", name).put("label", label).put("kind", kind);
    node.put("help", description);
    var ins = node.putArray("inputs");
    inputs.forEach(field -> ins.add(field.nodeInput()));
    var outs = node.putArray("outputs");
    outputs.forEach(field -> outs.add(field.nodeOutput()));
    return node;
  }

  private static String digest(@Nullable Object... parts) {
    try {
      var sha = MessageDigest.getInstance("SHA-256");
      for (var part : parts) {
        sha.update(String.valueOf(part).getBytes(StandardCharsets.UTF_8));
        sha.update((byte) 0);
      }
      return HexFormat.of().formatHex(sha.digest(), 0, 6);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java has SHA-256", e);
    }
  }

  /**
   * One argument, or one member of a result.
   *
   * @param type a JSON Schema type, or {@code any}
   * @param schema what the schema says beyond type and description
   */
  public record Field(
      String name, String type, String description, boolean required, ObjectNode schema) {

    /** An argument that must be given. */
    public static Field required(String name, String type, String description) {
      return new Field(name, type, description, true, JSON.objectNode());
    }

    /** An argument that may be left out. */
    public static Field optional(String name, String type, String description) {
      return new Field(name, type, description, false, JSON.objectNode());
    }

    /** Limits it to some words. */
    public Field oneOf(String... words) {
      var values = schema.putArray("enum");
      for (var word : words) {
        values.add(word);
      }
      return this;
    }

    /** Limits an integer; both ends belong to it. */
    public Field between(long least, long most) {
      schema.put("minimum", least).put("maximum", most);
      return this;
    }

    /** What holds when it is left out. */
    public Field byDefault(JsonNode value) {
      schema.set("default", value);
      return this;
    }

    /** Says what an array holds. */
    public Field of(Field... members) {
      schema.set("items", schema(List.of(members)));
      return this;
    }

    /** Says that an array holds plain values of one type. */
    public Field ofType(String itemType) {
      schema.putObject("items").put("type", itemType);
      return this;
    }

    private static ObjectNode schema(List<Field> fields) {
      var schema = JSON.objectNode().put("type", "object");
      var properties = schema.putObject("properties");
      fields.forEach(field -> properties.set(field.name, field.property()));
      var required = schema.putArray("required");
      fields.stream().filter(Field::required).forEach(field -> required.add(field.name));
      return schema;
    }

    private ObjectNode property() {
      var property = JSON.objectNode();
      if (!type.equals("any") && !type.equals("file")) {
        property.put("type", type);
      } else if (type.equals("file")) {
        property.put("type", "string").put("format", "fengyu-file");
      }
      property.put("description", description);
      property.setAll(schema);
      return property;
    }

    private ObjectNode nodeInput() {
      var node = JSON.objectNode().put("name", name).put("widget", widget()).put("title", title());
      node.put("description", description).put("type", nodeType()).put("required", required);
      if (schema.has("enum")) {
        node.set("options", schema.get("enum"));
      }
      if (schema.has("default")) {
        node.set("default", schema.get("default"));
      }
      return node;
    }

    private ObjectNode nodeOutput() {
      var node = JSON.objectNode().put("name", name).put("title", title());
      node.put("type", nodeType()).put("description", description);
      if (schema.has("items")) {
        node.set("items", schema.get("items"));
      }
      return node;
    }

    private String widget() {
      if (schema.has("enum")) {
        return "select";
      }
      return switch (type) {
        case "file" -> "file";
        case "boolean" -> "switch";
        case "integer", "number" -> "number";
        case "object", "array", "any" -> "json";
        default -> "text";
      };
    }

    private String nodeType() {
      return type.equals("integer") ? "number" : type;
    }

    // outputDir -> "Output dir"
    private String title() {
      var words =
          name.replaceAll("([a-z0-9])([A-Z])", "$1 $2").replace('_', ' ').toLowerCase(Locale.ROOT);
      return Character.toUpperCase(words.charAt(0)) + words.substring(1);
    }
  }
}
