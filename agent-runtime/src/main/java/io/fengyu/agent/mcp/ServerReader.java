package io.fengyu.agent.mcp;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fengyu.agent.mcp.ServerSettings.Protocol;
import io.fengyu.agent.tool.Effect;
import io.fengyu.agent.tool.ToolSpec;
import io.fengyu.contract.outbound.TargetPolicy;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Reads what people say about a server; what they leave out stays as it was. */
final class ServerReader {

  private static final int LONGEST_NAME = 100;
  private static final int LONGEST_TEXT = 4096;
  private static final int MOST = 200;
  private static final Pattern HEADER = Pattern.compile("[!#$%&'*+.^_`|~0-9A-Za-z-]{1,100}");
  private static final Pattern VARIABLE = Pattern.compile("[A-Za-z_][A-Za-z0-9_]{0,99}");

  /** What the protocol and this program say themselves; nobody else speaks for them. */
  private static final Set<String> RESERVED =
      Set.of(
          "host",
          "content-length",
          "content-type",
          "accept",
          "connection",
          "keep-alive",
          "transfer-encoding",
          "te",
          "trailer",
          "upgrade",
          "expect",
          "user-agent",
          "mcp-session-id",
          "mcp-protocol-version",
          "last-event-id",
          "x-user-id",
          "x-session-id",
          "x-run-id",
          "x-agent-id",
          "x-execution-generation",
          "x-operation-id",
          "x-internal-secret");

  /** What a request comes to. */
  record Draft(String name, boolean enabled, ServerSettings settings, Secrets secrets) {}

  private final ObjectNode body;
  private final @Nullable Draft before;

  private ServerReader(ObjectNode body, @Nullable Draft before) {
    this.body = body;
    this.before = before;
  }

  /**
   * The server as the request wants it.
   *
   * @param before as it was; null for a new one
   */
  static Draft read(ObjectNode body, @Nullable Draft before) {
    return new ServerReader(body, before).draft();
  }

  private Draft draft() {
    var known = before == null ? null : before.settings();
    var type = type(known);
    boolean program = type == Protocol.STDIO;
    var secrets = secrets(program);
    var settings =
        new ServerSettings(
            type,
            program ? null : url(known),
            program ? null : text("endpoint", known == null ? null : known.endpoint()),
            program ? command(known) : null,
            program ? texts("args", known == null ? List.of() : known.args()) : List.of(),
            List.copyOf(secrets.headers().keySet()),
            List.copyOf(secrets.env().keySet()),
            !program && flag("internal", known != null && known.internal()),
            texts("disabledTools", known == null ? List.of() : known.disabledTools()),
            seconds(
                "requestTimeoutSeconds", 600, known == null ? 30 : known.requestTimeoutSeconds()),
            seconds("initTimeoutSeconds", 300, known == null ? 30 : known.initTimeoutSeconds()),
            effects(known == null ? Map.of() : known.toolEffects()),
            resources(known == null ? Map.of() : known.toolResources()));
    checkAddress(settings);
    return new Draft(
        name(), flag("enabled", before == null || before.enabled()), settings, secrets);
  }

  private String name() {
    var name = text("name", before == null ? null : before.name());
    if (name == null || name.isBlank() || name.strip().length() > LONGEST_NAME) {
      throw McpProblems.invalid("name", "a text of 1 to " + LONGEST_NAME + " characters");
    }
    return name.strip();
  }

  private Protocol type(@Nullable ServerSettings known) {
    var given = given("type");
    if (given.isMissingNode() && known != null) {
      return known.type();
    }
    return switch (given.asText()) {
      case "streamable-http" -> Protocol.STREAMABLE_HTTP;
      case "sse" -> Protocol.SSE;
      case "stdio" -> Protocol.STDIO;
      default -> throw McpProblems.invalid("type", "streamable-http, sse or stdio");
    };
  }

  private String url(@Nullable ServerSettings known) {
    var url = text("url", known == null ? null : known.url());
    if (url == null || url.isBlank()) {
      throw McpProblems.invalid("url", "an http or https address");
    }
    return url.strip();
  }

  private void checkAddress(ServerSettings settings) {
    if (settings.program()) {
      return;
    }
    try {
      var url = new URI(String.valueOf(settings.url()));
      var base = url.getRawQuery() == null && url.getRawFragment() == null;
      boolean joined = settings.endpoint() != null && !settings.endpoint().isEmpty();
      if (TargetPolicy.isHttp(url) && url.getRawFragment() == null && (base || !joined)) {
        settings.address();
        return;
      }
    } catch (URISyntaxException | IllegalArgumentException malformed) {
      throw McpProblems.invalid("url", "an http or https address");
    }
    throw McpProblems.invalid("url", "an http or https address without credentials");
  }

  private String command(@Nullable ServerSettings known) {
    var command = text("command", known == null ? null : known.command());
    if (command == null || command.isBlank()) {
      throw McpProblems.invalid("command", "the name of a program");
    }
    return command;
  }

  private int seconds(String field, int most, int absent) {
    var given = given(field);
    if (given.isMissingNode()) {
      return absent;
    }
    if (!given.isIntegralNumber()) {
      throw McpProblems.invalid(field, "a whole number of seconds");
    }
    return Math.clamp(given.asLong(), 5, most);
  }

  private boolean flag(String field, boolean absent) {
    var given = given(field);
    if (given.isMissingNode()) {
      return absent;
    }
    if (!given.isBoolean()) {
      throw McpProblems.invalid(field, "true or false");
    }
    return given.booleanValue();
  }

  private @Nullable String text(String field, @Nullable String absent) {
    var given = given(field);
    return given.isMissingNode() ? absent : text(field, given);
  }

  private static String text(String field, JsonNode given) {
    if (!given.isTextual()
        || given.textValue().length() > LONGEST_TEXT
        || given.textValue().chars().anyMatch(character -> character < ' ')) {
      throw McpProblems.invalid(field, "a text on one line, at most " + LONGEST_TEXT + " long");
    }
    return given.textValue();
  }

  private List<String> texts(String field, List<String> absent) {
    var given = given(field);
    if (given.isMissingNode()) {
      return absent;
    }
    if (!given.isArray() || given.size() > MOST) {
      throw McpProblems.invalid(field, "an array of at most " + MOST + " texts");
    }
    var texts = new ArrayList<String>();
    given.forEach(text -> texts.add(text(field, text)));
    return List.copyOf(texts);
  }

  private Map<String, Effect> effects(Map<String, Effect> absent) {
    var given = object("toolEffects");
    if (given == null) {
      return absent;
    }
    var effects = new LinkedHashMap<String, Effect>();
    given.properties().forEach(e -> effects.put(e.getKey(), effect(e.getValue())));
    return effects;
  }

  private static Effect effect(JsonNode word) {
    return Stream.of(Effect.values())
        .filter(effect -> effect.wire().equals(word.asText()))
        .findFirst()
        .orElseThrow(
            () ->
                McpProblems.invalid(
                    "toolEffects", "tool names with read, write, command or external"));
  }

  private Map<String, ToolSpec.Resources> resources(Map<String, ToolSpec.Resources> absent) {
    var given = object("toolResources");
    if (given == null) {
      return absent;
    }
    var resources = new LinkedHashMap<String, ToolSpec.Resources>();
    for (var entry : given.properties()) {
      var declared = ToolDeclaration.resources(entry.getValue());
      if (declared == null) {
        throw McpProblems.invalid(
            "toolResources", "tool names with {\"reads\":[…],\"writes\":[…]} of texts");
      }
      resources.put(entry.getKey(), declared);
    }
    return resources;
  }

  private @Nullable ObjectNode object(String field) {
    var given = given(field);
    if (given.isMissingNode()) {
      return null;
    }
    if (given instanceof ObjectNode object && object.size() <= MOST) {
      return object;
    }
    throw McpProblems.invalid(field, "an object of at most " + MOST + " members");
  }

  /** JSON null is the same as absent. */
  private JsonNode given(String field) {
    var given = body.path(field);
    return given.isNull() ? MissingNode.getInstance() : given;
  }

  private Secrets secrets(boolean program) {
    var known = before == null ? Secrets.NONE : before.secrets();
    return program
        ? new Secrets(Map.of(), values("env", known.env()))
        : new Secrets(values("headers", known.headers()), Map.of());
  }

  /** A member without a value keeps the one that is stored. */
  private Map<String, String> values(String field, Map<String, String> stored) {
    var given = object(field);
    if (given == null) {
      return stored;
    }
    var values = new LinkedHashMap<String, String>();
    for (var entry : given.properties()) {
      checkName(field, entry.getKey());
      var value =
          entry.getValue().isNull() ? stored.get(entry.getKey()) : secret(field, entry.getValue());
      if (value != null && (field.equals("headers") || !Surroundings.injects(entry.getKey()))) {
        values.put(entry.getKey(), value);
      }
    }
    return values;
  }

  private static String secret(String field, JsonNode value) {
    if (!value.isTextual()
        || value.textValue().length() > LONGEST_TEXT
        || value.textValue().chars().anyMatch(c -> c == '\r' || c == '\n' || c == 0)) {
      throw McpProblems.invalid(field, "names with texts on one line");
    }
    return value.textValue();
  }

  private static void checkName(String field, String name) {
    boolean header = field.equals("headers");
    if (!(header ? HEADER : VARIABLE).matcher(name).matches()) {
      throw McpProblems.invalid(field, "names of " + (header ? "headers" : "variables"));
    }
    if (header && RESERVED.contains(name.toLowerCase(Locale.ROOT))) {
      throw McpProblems.invalid(field, "headers that are not set by the protocol: not " + name);
    }
  }
}
