package io.fengyu.agent.plugin.schema;

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
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * A JSON Schema that values are held against. The validator is loaded with the first of them;
 * nothing is fetched, and patterns take linear time.
 */
public final class JsonContract {

  private static final Set<String> TYPES =
      Set.of("string", "number", "integer", "boolean", "object", "array", "null");
  private static final Map<VersionFlag, JsonSchemaFactory> FACTORIES = new ConcurrentHashMap<>();

  private final JsonSchema compiled;

  private JsonContract(JsonSchema compiled) {
    this.compiled = compiled;
  }

  /**
   * Makes a contract of a schema.
   *
   * @throws IllegalArgumentException when nothing can be held against it
   */
  public static JsonContract of(ObjectNode schema) {
    try {
      var compiled = factory(version(schema)).getSchema(withoutOwnTypes(schema), config());
      compiled.initializeValidators();
      return new JsonContract(compiled);
    } catch (JsonSchemaException unusable) {
      throw new IllegalArgumentException(unusable.getMessage(), unusable);
    }
  }

  /** What is wrong with a schema; empty for a good one. */
  public static Optional<String> flaw(ObjectNode schema) {
    try {
      var meta = factory(version(schema)).getSchema(SchemaLocation.of(version(schema).getId()));
      var found = meta.validate(withoutOwnTypes(schema)).stream().findFirst();
      if (found.isPresent()) {
        return Optional.of(words(found.get()));
      }
      of(schema);
      return Optional.empty();
    } catch (RuntimeException unusable) {
      // The validator, and the reader of patterns, have exceptions of their own.
      return Optional.of(String.valueOf(unusable.getMessage()));
    }
  }

  /** Where a value breaks it first, and how; never with the value itself. */
  public Optional<String> violation(JsonNode value) {
    return compiled.validate(value).stream().findFirst().map(JsonContract::words);
  }

  private static String words(ValidationMessage message) {
    var expected = message.getSchemaNode();
    var keyword = String.valueOf(message.getType());
    var what = expected != null && expected.isValueNode() ? keyword + " " + expected : keyword;
    return "at " + path(message) + ": " + what;
  }

  private static String path(ValidationMessage message) {
    var path = new StringBuilder("$");
    var location = message.getInstanceLocation();
    for (int i = 0; i < location.getNameCount(); i++) {
      var element = location.getElement(i);
      if (element instanceof Integer index) {
        path.append('[').append(index).append(']');
      } else {
        path.append('.').append(element);
      }
    }
    var property = message.getProperty();
    return property == null || property.isEmpty() ? path.toString() : path + "." + property;
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
                        .schemaLoaders(loaders -> loaders.add(JsonContract::refuseForeign))));
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
        .regularExpressionFactory(JsonContract::linear)
        .preloadJsonSchema(true)
        .build();
  }

  private static RegularExpression linear(String regex) {
    var pattern = Pattern.compile(regex);
    return text -> pattern.matcher(text).find();
  }

  /** A type that JSON does not know, such as "file", is for forms and says nothing here. */
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
    node.forEach(JsonContract::forget);
  }
}
