package io.fengyu.chat.model.config;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fengyu.chat.model.BaseUrl;
import io.fengyu.chat.model.Mode;
import jakarta.enterprise.context.ApplicationScoped;
import java.net.URI;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Lays what an owner chose over what the environment says. */
@ApplicationScoped
class AiSettingsReader {

  static final double TEMPERATURE = 0.7;
  static final double TOP_P = 0.9;
  static final int MAX_TOKENS = 8192;
  static final String SYSTEM_PROMPT =
      "You are FengYu, an assistant that works with tools. Answer in the language of the person"
          + " you talk to. Say what you did and what you could not do.";

  private record Default(URI baseUrl, String model, @Nullable String apiKey) {}

  private final AiDefaults defaults;
  private final Map<Mode, Default> providers = new EnumMap<>(Mode.class);
  private final KeyRing keys;

  AiSettingsReader(AiDefaults defaults, KeyRing keys) {
    this.defaults = defaults;
    this.keys = keys;
    for (var mode : Mode.values()) {
      providers.put(mode, fromEnvironment(mode, defaults.providers().get(mode.id())));
    }
  }

  /** Being made was the check: every address of the environment was read. */
  void check() {
    known(Mode.LOCAL);
  }

  AiSettings settings(String owner, StoredConfig stored) {
    var chosen = stored.settings();
    var effective = new EnumMap<Mode, AiSettings.Provider>(Mode.class);
    for (var mode : Mode.values()) {
      effective.put(mode, provider(owner, mode, stored));
    }
    var temperature = number(chosen, "temperature");
    var topP = number(chosen, "topP");
    return new AiSettings(
        Mode.of(chosen.path("mode").asText(defaults.mode())).orElse(Mode.LOCAL),
        Map.copyOf(effective),
        temperature == null ? TEMPERATURE : temperature,
        temperature,
        topP == null ? TOP_P : topP,
        topP,
        chosen.path("maxTokens").asInt(MAX_TOKENS),
        chosen.path("maxToolRounds").asInt(defaults.maxToolRounds()),
        chosen.path("contextWindowTokens").asInt(defaults.contextWindowTokens()),
        chosen.path("systemPrompt").asText(SYSTEM_PROMPT));
  }

  /** The key that may go to an address: the owner's own for it, else the environment's for it. */
  Optional<String> key(String owner, String slot, Mode mode, URI baseUrl, StoredConfig stored) {
    var origin = BaseUrl.origin(baseUrl);
    return stored(owner, slot, origin, stored)
        .or(() -> stored(owner, mode.id(), origin, stored))
        .or(() -> environment(mode, origin));
  }

  private Optional<String> stored(String owner, String slot, String origin, StoredConfig stored) {
    return Optional.ofNullable(stored.keys().get(slot))
        .filter(key -> key.origin().equals(origin))
        .flatMap(key -> keys.open(owner, slot, key));
  }

  private Optional<String> environment(Mode mode, String origin) {
    return Optional.ofNullable(providers.get(mode))
        .filter(known -> BaseUrl.origin(known.baseUrl()).equals(origin))
        .map(Default::apiKey);
  }

  private AiSettings.Provider provider(String owner, Mode mode, StoredConfig stored) {
    var chosen = stored.settings().path(mode.id());
    var known = known(mode);
    var url =
        chosen.hasNonNull("baseUrl") ? URI.create(chosen.get("baseUrl").asText()) : known.baseUrl();
    var key = key(owner, mode.id(), mode, url, stored).orElse(null);
    return new AiSettings.Provider(url, chosen.path("model").asText(known.model()), key);
  }

  private Default known(Mode mode) {
    var known = providers.get(mode);
    if (known == null) {
      throw new IllegalStateException("No back end " + mode.id());
    }
    return known;
  }

  private static Default fromEnvironment(Mode mode, AiDefaults.@Nullable Provider provider) {
    if (provider == null) {
      throw new IllegalStateException("fengyu.ai.providers." + mode.id() + " is missing");
    }
    var url =
        BaseUrl.parse(provider.baseUrl())
            .orElseThrow(
                () ->
                    new IllegalArgumentException(
                        "AI_" + mode.name() + "_BASE_URL is not an http or https address"));
    return new Default(url, provider.model().orElse(""), provider.apiKey().orElse(null));
  }

  private static @Nullable Double number(ObjectNode node, String member) {
    return node.hasNonNull(member) ? node.get(member).asDouble() : null;
  }
}
