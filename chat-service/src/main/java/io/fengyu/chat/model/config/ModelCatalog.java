package io.fengyu.chat.model.config;

import io.fengyu.chat.model.Backend;
import io.fengyu.chat.model.EndpointPolicy;
import io.fengyu.chat.model.KeyMask;
import io.fengyu.chat.model.Mode;
import io.fengyu.chat.model.config.StoredConfig.StoredModel;
import jakarta.enterprise.context.ApplicationScoped;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The models that an owner can name: one of each back end, and the owner's own. */
@ApplicationScoped
class ModelCatalog {

  private record Candidate(
      String id, Mode mode, String model, URI baseUrl, @Nullable String key, boolean custom) {}

  private final AiSettingsReader reader;
  private final EndpointPolicy policy;

  ModelCatalog(AiSettingsReader reader, EndpointPolicy policy) {
    this.reader = reader;
    this.policy = policy;
  }

  /** Where the key of an own model is kept. */
  static String slot(String id) {
    return "model:" + id;
  }

  List<ModelEntry> entries(String owner, StoredConfig stored, AiSettings settings) {
    return candidates(owner, stored, settings).stream().map(this::entry).toList();
  }

  ModelEntry own(String owner, StoredConfig stored, AiSettings settings, String id) {
    return candidates(owner, stored, settings).stream()
        .filter(candidate -> candidate.custom && candidate.id.equals(id))
        .findFirst()
        .map(this::entry)
        .orElseThrow(() -> AiProblems.modelNotFound(id));
  }

  Backend backend(String owner, StoredConfig stored, AiSettings settings, @Nullable String named) {
    var candidates = candidates(owner, stored, settings);
    var candidate =
        named == null || named.isBlank()
            ? byId(candidates, settings.mode().id())
            : byId(candidates, named).or(() -> byModel(candidates, named));
    return complete(
        candidate.orElseThrow(() -> AiProblems.unavailable(String.valueOf(named))), settings);
  }

  private Backend complete(Candidate candidate, AiSettings settings) {
    var reason = reason(candidate);
    if (reason != null) {
      throw AiProblems.notConfigured(candidate.mode, reason);
    }
    // Anthropic's newer models refuse sampling parameters, so only a deliberate choice is sent.
    var deliberate = candidate.mode == Mode.ANTHROPIC;
    return new Backend(
        candidate.mode,
        candidate.baseUrl,
        candidate.model,
        candidate.key,
        deliberate ? settings.chosenTemperature() : Double.valueOf(settings.temperature()),
        deliberate ? settings.chosenTopP() : Double.valueOf(settings.topP()),
        settings.maxTokens());
  }

  boolean ready(AiSettings settings) {
    var provider = settings.provider(settings.mode());
    return reason(builtIn(settings.mode(), provider)) == null;
  }

  private static Optional<Candidate> byId(List<Candidate> candidates, String id) {
    return candidates.stream().filter(candidate -> candidate.id.equals(id)).findFirst();
  }

  // A model's own name will do as long as it means one entry only.
  private static Optional<Candidate> byModel(List<Candidate> candidates, String model) {
    var named = candidates.stream().filter(candidate -> candidate.model.equals(model)).toList();
    return named.size() == 1 ? Optional.of(named.getFirst()) : Optional.empty();
  }

  private List<Candidate> candidates(String owner, StoredConfig stored, AiSettings settings) {
    var all = new ArrayList<Candidate>();
    for (var mode : Mode.values()) {
      all.add(builtIn(mode, settings.provider(mode)));
    }
    stored.models().forEach(model -> all.add(own(owner, stored, settings, model)));
    return all;
  }

  private static Candidate builtIn(Mode mode, AiSettings.Provider provider) {
    return new Candidate(
        mode.id(), mode, provider.model(), provider.baseUrl(), provider.apiKey(), false);
  }

  private Candidate own(String owner, StoredConfig stored, AiSettings settings, StoredModel model) {
    var mode = Mode.of(model.mode()).orElse(Mode.LOCAL);
    var url =
        model.baseUrl() == null ? settings.provider(mode).baseUrl() : URI.create(model.baseUrl());
    var key = reader.key(owner, slot(model.id()), mode, url, stored).orElse(null);
    return new Candidate(model.id(), mode, model.model(), url, key, true);
  }

  private ModelEntry entry(Candidate candidate) {
    var reason = reason(candidate);
    return new ModelEntry(
        candidate.id,
        candidate.mode.id(),
        candidate.model,
        candidate.baseUrl.toString(),
        candidate.custom ? "custom" : "builtin",
        reason == null,
        reason,
        KeyMask.masked(candidate.key),
        candidate.key != null);
  }

  private @Nullable String reason(Candidate candidate) {
    if (candidate.model.isBlank()) {
      return "MODEL_MISSING";
    }
    if (candidate.mode.needsKey() && candidate.key == null) {
      return "API_KEY_MISSING";
    }
    return policy.refusesLiterally(candidate.baseUrl) ? "ADDRESS_NOT_ALLOWED" : null;
  }
}
