package io.fengyu.agent.plugin.archive;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fengyu.agent.plugin.PluginProblems;
import io.fengyu.agent.plugin.archive.Manifest.Backend;
import io.fengyu.agent.plugin.archive.Manifest.DeclaredTool;
import io.fengyu.agent.plugin.archive.Manifest.Method;
import io.fengyu.agent.plugin.schema.JsonContract;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Reads a manifest and says which part of it is wrong. */
public final class ManifestReader {

  /** Bytes of a manifest. */
  public static final int LONGEST = 256 * 1024;

  private static final Pattern ID = Pattern.compile("[a-z0-9][a-z0-9._-]{1,99}");
  private static final Pattern NAME = Pattern.compile("[A-Za-z_][A-Za-z0-9_-]{0,63}");
  private static final Pattern METHOD = Pattern.compile("[A-Za-z_][A-Za-z0-9_./-]{0,99}");
  private static final Pattern VERSION = Pattern.compile("[A-Za-z0-9][A-Za-z0-9.+_-]{0,63}");
  private static final Pattern PERMISSION = Pattern.compile("[a-z][a-z0-9._:-]{0,63}");
  private static final int MOST_TOOLS = 100;
  private static final int MOST_METHODS = 200;
  private static final int LONGEST_TEXT = 8_000;

  private static final JsonMapper JSON =
      JsonMapper.builder()
          .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
          .build();

  private final ObjectNode document;
  private final boolean checkingSchemas;

  private ManifestReader(ObjectNode document, boolean checkingSchemas) {
    this.document = document;
    this.checkingSchemas = checkingSchemas;
  }

  /**
   * Reads the manifest of a package.
   *
   * @throws io.fengyu.contract.problem.ProblemException 400 when there is none, or none that can be
   *     used
   */
  public static Manifest of(PackageZip zip) throws IOException {
    var bytes = zip.read("manifest.json", LONGEST);
    if (bytes == null) {
      throw PluginProblems.packageInvalid("manifest.json", "it is missing");
    }
    var manifest = read(document(bytes));
    var backend = manifest.backend();
    if (backend != null && backend.command().isEmpty() && !zip.has("backend/worker.jar")) {
      throw PluginProblems.packageInvalid("backend/worker.jar", "it is missing");
    }
    return manifest;
  }

  private static JsonNode document(byte[] bytes) throws IOException {
    try {
      return JSON.readTree(bytes);
    } catch (JsonProcessingException noJson) {
      throw PluginProblems.manifestInvalid("", "a JSON object in UTF-8, each member once");
    }
  }

  /** Reads a manifest that is JSON already. */
  static Manifest read(@Nullable JsonNode json) {
    return read(json, true);
  }

  /** Likewise, for one that was read before: its schemas are good. */
  public static Manifest readAgain(JsonNode json) {
    return read(json, false);
  }

  private static Manifest read(@Nullable JsonNode json, boolean checkingSchemas) {
    if (!(json instanceof ObjectNode document)) {
      throw PluginProblems.manifestInvalid("", "a JSON object");
    }
    return new ManifestReader(document, checkingSchemas).manifest();
  }

  private Manifest manifest() {
    var methods = methods(document.path("rpc").path("methods"));
    var tools = tools(methods);
    var backend = backend(document.path("backend"), !methods.isEmpty());
    return new Manifest(
        document,
        matching(document, "id", "id", ID),
        text(document.path("name"), "name", 200),
        matching(document, "version", "version", VERSION),
        permissions(document.path("permissions")),
        backend,
        methods,
        tools);
  }

  private static Set<String> permissions(JsonNode list) {
    var permissions = new LinkedHashSet<String>();
    expect(absent(list) || (list.isArray() && list.size() <= 50), "permissions", "a short array");
    for (int i = 0; i < list.size(); i++) {
      permissions.add(matching(list.get(i), "permissions[" + i + "]", PERMISSION));
    }
    return Set.copyOf(permissions);
  }

  private static @Nullable Backend backend(JsonNode backend, boolean needed) {
    if (absent(backend)) {
      return needed ? new Backend(List.of(), 0) : null;
    }
    expect(backend.isObject(), "backend", "an object");
    return new Backend(
        command(backend.path("command")),
        seconds(backend.path("callTimeoutSeconds"), "backend.callTimeoutSeconds"));
  }

  private static List<String> command(JsonNode command) {
    if (absent(command)) {
      return List.of();
    }
    if (command.isTextual()) {
      return List.of(text(command, "backend.command", 1_000));
    }
    expect(
        command.isArray() && !command.isEmpty() && command.size() <= 50,
        "backend.command",
        "a program and its arguments");
    var line = new ArrayList<String>();
    for (int i = 0; i < command.size(); i++) {
      line.add(text(command.get(i), "backend.command[" + i + "]", 1_000));
    }
    return List.copyOf(line);
  }

  private Map<String, Method> methods(JsonNode declared) {
    var methods = new LinkedHashMap<String, Method>();
    expect(absent(declared) || declared.isObject(), "rpc.methods", "an object");
    expect(declared.size() <= MOST_METHODS, "rpc.methods", "at most " + MOST_METHODS + " methods");
    for (var one : declared.properties()) {
      var field = "rpc.methods." + one.getKey();
      expect(METHOD.matcher(one.getKey()).matches(), field, "a name that matches " + METHOD);
      expect(one.getValue().isObject(), field, "an object");
      methods.put(
          one.getKey(),
          new Method(
              schema(one.getValue().path("inputSchema"), field + ".inputSchema", true),
              schema(one.getValue().path("outputSchema"), field + ".outputSchema", false)));
    }
    return methods;
  }

  private @Nullable ObjectNode schema(JsonNode schema, String field, boolean ofObject) {
    if (absent(schema)) {
      return null;
    }
    if (!(schema instanceof ObjectNode object)) {
      throw PluginProblems.manifestInvalid(field, "a JSON Schema");
    }
    expect(
        !ofObject || object.path("type").asText().equals("object"), field + ".type", "\"object\"");
    if (checkingSchemas) {
      JsonContract.flaw(object)
          .ifPresent(
              flaw -> {
                throw PluginProblems.manifestInvalid(field, "a JSON Schema: " + flaw);
              });
    }
    return object;
  }

  private List<DeclaredTool> tools(Map<String, Method> methods) {
    var declared = document.path("aiTools");
    expect(absent(declared) || declared.isArray(), "aiTools", "an array");
    expect(declared.size() <= MOST_TOOLS, "aiTools", "at most " + MOST_TOOLS + " tools");
    var nodes = nodes();
    var tools = new LinkedHashMap<String, DeclaredTool>();
    for (int i = 0; i < declared.size(); i++) {
      var tool = tool(declared.get(i), "aiTools[" + i + "]", methods, nodes);
      expect(tools.put(tool.name(), tool) == null, "aiTools[" + i + "].name", "a name of its own");
    }
    for (var node : nodes.entrySet()) {
      expect(tools.containsKey(node.getKey()), node.getValue().field + ".tool", "one of aiTools");
    }
    return List.copyOf(tools.values());
  }

  private record Node(String field, ObjectNode node) {}

  private Map<String, Node> nodes() {
    var declared = document.path("flowNodes");
    expect(absent(declared) || declared.isArray(), "flowNodes", "an array");
    var nodes = new HashMap<String, Node>();
    for (int i = 0; i < declared.size(); i++) {
      var field = "flowNodes[" + i + "]";
      if (!(declared.get(i) instanceof ObjectNode node)) {
        throw PluginProblems.manifestInvalid(field, "an object");
      }
      expect(fields(node.path("inputs")), field + ".inputs", "an array of objects with a name");
      expect(fields(node.path("outputs")), field + ".outputs", "an array of objects with a name");
      var tool = text(node.path("tool"), field + ".tool", 64);
      expect(nodes.put(tool, new Node(field, node)) == null, field + ".tool", "one node a tool");
    }
    return nodes;
  }

  private static boolean fields(JsonNode list) {
    if (!list.isArray()) {
      return absent(list);
    }
    for (var one : list) {
      if (!one.path("name").isTextual()) {
        return false;
      }
    }
    return true;
  }

  private static DeclaredTool tool(
      JsonNode tool, String field, Map<String, Method> methods, Map<String, Node> nodes) {
    expect(tool.isObject(), field, "an object");
    var name = matching(tool, "name", field + ".name", NAME);
    var method = absent(tool.path("method")) ? name : tool.path("method").asText();
    expect(methods.containsKey(method), field + ".method", "one of rpc.methods");
    expect(
        absent(tool.path("idempotent")) || tool.path("idempotent").isBoolean(),
        field + ".idempotent",
        "true or false");
    var node = nodes.get(name);
    return new DeclaredTool(
        name,
        method,
        text(tool.path("description"), field + ".description", LONGEST_TEXT),
        Declared.effect(tool.path("effect"), field + ".effect"),
        tool.path("idempotent").asBoolean(false),
        seconds(tool.path("timeoutSeconds"), field + ".timeoutSeconds"),
        Declared.resources(tool.path("resources"), field + ".resources"),
        Declared.texts(tool.path("localizedDescription"), field + ".localizedDescription"),
        node == null ? null : shown(node.node),
        node == null ? Map.of() : Declared.objects(node.node.path("localized"), node.field));
  }

  private static ObjectNode shown(ObjectNode node) {
    var shown = node.deepCopy();
    shown.remove("localized");
    for (var list : List.of("inputs", "outputs")) {
      if (!shown.path(list).isArray()) {
        shown.set(list, JsonNodeFactory.instance.arrayNode());
      }
    }
    return shown;
  }

  // What is too long or too short is taken as the nearest that is allowed.
  private static int seconds(JsonNode value, String field) {
    if (absent(value)) {
      return 0;
    }
    expect(value.isNumber(), field, "a number of seconds");
    return (int) Math.clamp(value.asDouble(), 1, 600);
  }

  private static String matching(JsonNode object, String member, String field, Pattern pattern) {
    return matching(object.path(member), field, pattern);
  }

  private static String matching(JsonNode value, String field, Pattern pattern) {
    expect(
        value.isTextual() && pattern.matcher(value.textValue()).matches(),
        field,
        "a text that matches " + pattern);
    return value.textValue();
  }

  static String text(JsonNode value, String field, int longest) {
    expect(
        value.isTextual()
            && !value.textValue().isBlank()
            && value.textValue().length() <= longest
            && value.textValue().indexOf('\0') < 0,
        field,
        "a text of 1 to " + longest + " characters");
    return value.textValue();
  }

  static boolean absent(JsonNode value) {
    return value.isMissingNode() || value.isNull();
  }

  static void expect(boolean holds, String field, String expected) {
    if (!holds) {
      throw PluginProblems.manifestInvalid(field, expected);
    }
  }
}
