package io.fengyu.chat.model.config;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fengyu.chat.model.BaseUrl;
import io.fengyu.chat.model.EndpointPolicy;
import io.fengyu.chat.model.KeyMask;
import io.fengyu.chat.model.Mode;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Applies a partial body to what an owner has chosen so far. */
final class ConfigPatch {

  private static final int LONGEST_PROMPT = 100_000;

  private final String owner;
  private final ObjectNode body;
  private final AiSettings now;
  private final ObjectNode chosen;
  private final Fields fields;
  private final KeyRing keys;
  private final List<AiChange.NewKey> newKeys = new ArrayList<>();
  private final List<String> cleared = new ArrayList<>();

  ConfigPatch(
      String owner,
      ObjectNode body,
      AiSettings now,
      ObjectNode stored,
      EndpointPolicy policy,
      KeyRing keys) {
    this.owner = owner;
    this.body = body.deepCopy();
    this.now = now;
    this.chosen = stored.deepCopy();
    this.fields = new Fields(policy, "AI_CONFIG_INVALID");
    this.keys = keys;
  }

  /** Throws a problem that lists every field that is wrong. */
  AiChange change() {
    leaveOutWhatStaysTheSame();
    mode();
    provider(Mode.LOCAL, sections("ollama", "local"));
    provider(Mode.OPENAI, sections("openai"));
    provider(Mode.ANTHROPIC, sections("anthropic"));
    provider(Mode.DEEPSEEK, sections("deepseek"));
    fields.decimal(body, chosen, "temperature", 0, 2);
    fields.decimal(body, chosen, "topP", 0, 1);
    fields.whole(body, chosen, "maxTokens", value -> value.asLong() >= 1, 1_000_000);
    fields.whole(body, chosen, "maxToolRounds", value -> true, 10_000);
    fields.whole(
        body,
        chosen,
        "contextWindowTokens",
        value -> value.asLong() == 0 || value.asLong() >= 4096,
        2_000_000);
    fields.text(body, chosen, "systemPrompt", LONGEST_PROMPT);
    fields.check();
    return AiChange.ofSettings(chosen, newKeys, cleared);
  }

  // Sending back what was read chooses nothing: a default stays one.
  private void leaveOutWhatStaysTheSame() {
    same("temperature", now.temperature());
    same("topP", now.topP());
    same("maxTokens", now.maxTokens());
    same("maxToolRounds", now.maxToolRounds());
    same("contextWindowTokens", now.contextWindowTokens());
    if (body.path("systemPrompt").asText().equals(now.systemPrompt())) {
      body.remove("systemPrompt");
    }
  }

  private void same(String name, double value) {
    if (body.path(name).isNumber() && body.get(name).asDouble() == value) {
      body.remove(name);
    }
  }

  private void mode() {
    fields
        .twin(body, "mode", "activeMode", "", value -> value.asText().equals(now.mode().id()))
        .ifPresent(this::mode);
  }

  private void mode(JsonNode value) {
    if (value.isNull()) {
      chosen.remove("mode");
    } else if (value.asText().equals(now.mode().id())) {
      return;
    } else if (!value.isTextual()) {
      fields.wrong("/mode", "WRONG_TYPE");
    } else if (Mode.of(value.textValue()).isEmpty()) {
      fields.wrong("/mode", "UNKNOWN_MODE");
    } else {
      chosen.set("mode", value);
    }
  }

  private List<ObjectNode> sections(String... names) {
    var sections = new ArrayList<ObjectNode>();
    for (var name : names) {
      fields.object(body, name).ifPresent(sections::add);
    }
    return sections;
  }

  private void provider(Mode mode, List<ObjectNode> sections) {
    if (sections.isEmpty()) {
      return;
    }
    var pointer = "/" + (mode == Mode.LOCAL ? "ollama" : mode.id());
    var section = merged(mode, sections, pointer);
    var into = chosen.withObject("/" + mode.id());
    url(mode, section, pointer)
        .filter(value -> !sameUrl(mode, value))
        .ifPresent(value -> address(value, pointer, into));
    Optional.ofNullable(section.get("model"))
        .filter(value -> !value.asText().equals(model(mode)))
        .ifPresent(
            value -> put(into, "model", fields.name(value, pointer + "/model").orElse(null)));
    if (mode.needsKey() && section.has("apiKey")) {
      key(mode, section.get("apiKey"), pointer + "/apiKey", into);
    }
  }

  // "ollama" and "local" name the same section: field by field the one that changes something wins.
  private ObjectNode merged(Mode mode, List<ObjectNode> sections, String pointer) {
    if (sections.size() == 1) {
      return sections.getFirst();
    }
    var merged = body.objectNode();
    url(mode, sections.getFirst(), pointer).ifPresent(value -> merged.set("baseUrl", value));
    url(mode, sections.getLast(), "/local").ifPresent(value -> merged.set("endpoint", value));
    var both = body.objectNode();
    copy(sections.getFirst(), "model", both, "model");
    copy(sections.getLast(), "model", both, "alias");
    fields
        .twin(both, "model", "alias", "/local", value -> value.asText().equals(model(mode)))
        .ifPresent(value -> merged.set("model", value));
    return merged;
  }

  private static void copy(ObjectNode from, String name, ObjectNode to, String as) {
    var value = from.get(name);
    if (value != null) {
      to.set(as, value);
    }
  }

  private String model(Mode mode) {
    return now.provider(mode).model();
  }

  private Optional<JsonNode> url(Mode mode, ObjectNode section, String pointer) {
    return fields.twin(section, "baseUrl", "endpoint", pointer, value -> sameUrl(mode, value));
  }

  private boolean sameUrl(Mode mode, JsonNode value) {
    return BaseUrl.parse(value.asText()).filter(now.provider(mode).baseUrl()::equals).isPresent();
  }

  private void address(JsonNode value, String pointer, ObjectNode into) {
    put(into, "baseUrl", fields.url(value, pointer + "/baseUrl").map(URI::toString).orElse(null));
  }

  private static void put(
      ObjectNode into, String name, @org.jspecify.annotations.Nullable String value) {
    if (value == null) {
      into.remove(name);
    } else {
      into.put(name, value);
    }
  }

  // A key belongs to the address that this very body leaves in place.
  private void key(Mode mode, JsonNode value, String pointer, ObjectNode section) {
    if (value.isNull()) {
      cleared.add(mode.id());
      return;
    }
    var key = fields.key(value, pointer);
    if (key == null || key.isEmpty() || KeyMask.isMasked(key)) {
      return;
    }
    var url =
        section.hasNonNull("baseUrl")
            ? URI.create(section.get("baseUrl").asText())
            : now.provider(mode).baseUrl();
    newKeys.add(keys.seal(owner, mode.id(), BaseUrl.origin(url), key));
  }
}
