package io.fengyu.workflow.schema;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.google.re2j.Pattern;
import com.networknt.schema.AbsoluteIri;
import com.networknt.schema.JsonSchema;
import com.networknt.schema.JsonSchemaException;
import com.networknt.schema.JsonSchemaFactory;
import com.networknt.schema.SchemaLocation;
import com.networknt.schema.SchemaValidatorsConfig;
import com.networknt.schema.SpecVersion.VersionFlag;
import com.networknt.schema.ValidationMessage;
import com.networknt.schema.regex.RegularExpression;
import com.networknt.schema.resource.InputStreamSource;
import io.fengyu.workflow.WorkflowProblems;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * JSON Schema 2020-12, or the draft that {@code $schema} names, for contracts that use more of it
 * than a form can show. The validator is loaded with the first such contract. Nothing is fetched: a
 * reference leads into the schema itself or to a published meta-schema. Patterns take linear time.
 */
public final class FullSchema {

  /** What the reader of simple contracts understands by itself, or what says nothing. */
  private static final Set<String> SIMPLE =
      Set.of(
          "$schema",
          "$id",
          "$comment",
          "title",
          "description",
          "default",
          "examples",
          "deprecated",
          "readOnly",
          "writeOnly",
          "format",
          "type",
          "enum",
          "properties",
          "required",
          "items",
          "additionalProperties",
          "minLength",
          "maxLength",
          "minItems",
          "maxItems",
          "minimum",
          "maximum",
          "exclusiveMinimum",
          "exclusiveMaximum",
          "sensitive");

  private static final Set<String> TYPES =
      Set.of("string", "number", "integer", "boolean", "object", "array", "null");

  private static final Map<VersionFlag, JsonSchemaFactory> FACTORIES = new ConcurrentHashMap<>();

  private FullSchema() {}

  /** True when a contract uses more than the simple reader understands. */
  public static boolean needed(JsonNode schema) {
    if (schema.isBoolean()) {
      return true;
    }
    for (var keyword : schema.properties()) {
      var value = keyword.getValue();
      boolean more =
          switch (keyword.getKey()) {
            case "properties" -> value.properties().stream().anyMatch(p -> needed(p.getValue()));
            case "items" -> !value.isObject() || needed(value);
            case "additionalProperties" -> !value.isBoolean();
            default -> !SIMPLE.contains(keyword.getKey()) && !keyword.getKey().startsWith("x-");
          };
      if (more) {
        return true;
      }
    }
    return false;
  }

  /** Refuses a contract that no input could be held against. */
  public static void check(ObjectNode schema) {
    if (!needed(schema)) {
      return;
    }
    try {
      var meta = factory(version(schema)).getSchema(SchemaLocation.of(version(schema).getId()));
      meta.validate(withoutOwnTypes(schema)).stream().findFirst().ifPresent(FullSchema::refuse);
      compiled(schema).initializeValidators();
    } catch (JsonSchemaException | IllegalArgumentException unusable) {
      throw WorkflowProblems.schemaInvalid("/inputSchema", String.valueOf(unusable.getMessage()));
    }
  }

  /** What of the inputs does not keep the contract, in the order of the validator. */
  public static List<Violation> violations(JsonNode schema, ObjectNode inputs) {
    if (!needed(schema)) {
      return List.of();
    }
    try {
      return compiled(schema).validate(withoutNulls(inputs)).stream()
          .map(Violation::of)
          .flatMap(Optional::stream)
          .toList();
    } catch (JsonSchemaException | IllegalArgumentException unusable) {
      throw WorkflowProblems.schemaInvalid("/inputSchema", String.valueOf(unusable.getMessage()));
    }
  }

  /**
   * One keyword that an input does not keep.
   *
   * @param name path of the input
   * @param actual its JSON type
   */
  public record Violation(String name, String keyword, String expected, String actual) {

    static Optional<Violation> of(ValidationMessage message) {
      var expected = message.getSchemaNode();
      var keyword = Objects.requireNonNullElse(message.getType(), "");
      if (keyword.equals("type") && expected != null && !known(expected)) {
        return Optional.empty();
      }
      return Optional.of(
          new Violation(path(message), keyword, text(expected), actual(message.getInstanceNode())));
    }

    private static boolean known(JsonNode type) {
      return !type.isTextual() || TYPES.contains(type.textValue());
    }

    private static String text(@Nullable JsonNode node) {
      return node == null ? "" : node.isTextual() ? node.textValue() : node.toString();
    }

    private static String actual(@Nullable JsonNode node) {
      return node == null ? "" : node.getNodeType().name().toLowerCase(Locale.ROOT);
    }

    private static String path(ValidationMessage message) {
      var path = new StringBuilder();
      var location = message.getInstanceLocation();
      for (int i = 0; i < location.getNameCount(); i++) {
        var element = location.getElement(i);
        if (element instanceof Integer index) {
          path.append('[').append(index).append(']');
        } else {
          path.append(path.isEmpty() ? "" : ".").append(element);
        }
      }
      var property = message.getProperty();
      return property == null || property.isEmpty()
          ? path.toString()
          : path + (path.isEmpty() ? "" : ".") + property;
    }
  }

  private static void refuse(ValidationMessage message) {
    throw WorkflowProblems.schemaInvalid(
        "/inputSchema" + message.getInstanceLocation(), String.valueOf(message.getType()));
  }

  private static JsonSchema compiled(JsonNode schema) {
    return factory(version(schema)).getSchema(withoutOwnTypes(schema), config());
  }

  private static VersionFlag version(JsonNode schema) {
    return VersionFlag.fromId(schema.path("$schema").asText("").replaceAll("#$", ""))
        .or(() -> VersionFlag.fromId(schema.path("$schema").asText("").replaceAll("#?$", "#")))
        .orElse(VersionFlag.V202012);
  }

  private static JsonSchemaFactory factory(VersionFlag version) {
    return FACTORIES.computeIfAbsent(
        version,
        chosen ->
            JsonSchemaFactory.getInstance(
                chosen,
                builder ->
                    builder
                        .enableSchemaCache(false)
                        .schemaLoaders(loaders -> loaders.add(FullSchema::refuseForeign))));
  }

  // Meta-schemas are mapped to files of the library before they come here.
  private static @Nullable InputStreamSource refuseForeign(AbsoluteIri iri) {
    if (iri.toString().startsWith("classpath:")) {
      return null;
    }
    throw new IllegalArgumentException(iri + " is not part of the schema");
  }

  private static SchemaValidatorsConfig config() {
    return SchemaValidatorsConfig.builder()
        .losslessNarrowing(true)
        .formatAssertionsEnabled(false)
        .regularExpressionFactory(FullSchema::linear)
        .preloadJsonSchema(true)
        .build();
  }

  private static RegularExpression linear(String regex) {
    var pattern = Pattern.compile(regex);
    return text -> pattern.matcher(text).find();
  }

  /** A type that JSON does not know, such as "file", is for the form and says nothing here. */
  private static JsonNode withoutOwnTypes(JsonNode schema) {
    var copy = schema.deepCopy();
    forget(copy);
    return copy;
  }

  private static void forget(JsonNode node) {
    if (node instanceof ObjectNode object
        && object.path("type").isTextual()
        && !TYPES.contains(object.get("type").textValue())) {
      object.remove("type");
    }
    node.forEach(FullSchema::forget);
  }

  /** A null stands for an optional input that nobody gave. */
  private static ObjectNode withoutNulls(ObjectNode inputs) {
    var copy = inputs.deepCopy();
    var names = new ArrayList<String>();
    copy.properties().stream()
        .filter(field -> field.getValue().isNull())
        .forEach(field -> names.add(field.getKey()));
    copy.remove(names);
    return copy;
  }
}
