package io.fengyu.chat.model.config;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fengyu.chat.model.Backend;
import io.fengyu.chat.model.BaseUrl;
import io.fengyu.chat.model.KeyMask;
import io.fengyu.chat.model.Mode;
import io.fengyu.chat.model.ModelProbe;
import io.smallrye.mutiny.Uni;
import jakarta.enterprise.context.ApplicationScoped;
import java.net.URI;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Tries a back end that may not be stored yet. */
@ApplicationScoped
class ConnectionTest {

  /** The answer; {@code warning} only with success, {@code error} only without. */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  record Outcome(boolean success, @Nullable String warning, @Nullable String error) {

    static Outcome failed(String error) {
      return new Outcome(false, null, error);
    }
  }

  private record Target(Backend backend, @Nullable String corrected) {}

  private final AiConfigs configs;
  private final AiSettingsReader reader;
  private final ModelProbe probe;

  ConnectionTest(AiConfigs configs, AiSettingsReader reader, ModelProbe probe) {
    this.configs = configs;
    this.reader = reader;
    this.probe = probe;
  }

  Uni<Outcome> run(String owner, ObjectNode body) {
    return configs
        .read(owner)
        .chain(stored -> run(owner, body, stored))
        .onFailure(IllegalArgumentException.class)
        .recoverWithItem(unusable -> Outcome.failed(String.valueOf(unusable.getMessage())));
  }

  private Uni<Outcome> run(String owner, ObjectNode body, StoredConfig stored) {
    var target = target(owner, body, stored);
    return probe.answer(target.backend).map(result -> outcome(result, target));
  }

  private static Outcome outcome(ModelProbe.Result result, Target target) {
    return result.success()
        ? new Outcome(true, target.corrected == null ? result.note() : target.corrected, null)
        : Outcome.failed(String.valueOf(result.note()));
  }

  private Target target(String owner, ObjectNode body, StoredConfig stored) {
    var settings = reader.settings(owner, stored);
    var mode =
        text(body, "mode")
            .map(id -> Mode.of(id).orElseThrow(() -> refused("Unknown mode")))
            .orElse(settings.mode());
    var known = settings.provider(mode);
    var entered = entered(body, known.baseUrl());
    var url =
        BaseUrl.parse(entered)
            .orElseThrow(() -> refused("The address is not an http or https address"));
    var backend =
        new Backend(
            mode,
            url,
            text(body, "model").orElse(known.model()),
            key(owner, mode, url, body, stored).orElse(null),
            null,
            null,
            1);
    return new Target(
        backend, BaseUrl.wasCorrected(entered, url) ? "The address was corrected to " + url : null);
  }

  private static String entered(ObjectNode body, URI stored) {
    var url = text(body, "baseUrl");
    var twin = text(body, "endpoint");
    if (url.isPresent() && twin.isPresent() && url.get().equals(stored.toString())) {
      return twin.get();
    }
    return url.or(() -> twin).orElse(stored.toString());
  }

  // A key that nobody entered goes nowhere but where it was stored for.
  private Optional<String> key(
      String owner, Mode mode, URI url, ObjectNode body, StoredConfig stored) {
    if (!mode.needsKey()) {
      return Optional.empty();
    }
    var entered = text(body, "apiKey").filter(key -> !KeyMask.isMasked(key));
    if (entered.isPresent()) {
      return entered;
    }
    var kept = reader.key(owner, mode.id(), mode, url, stored);
    if (kept.isEmpty()) {
      throw refused("A key is required for this address");
    }
    return kept;
  }

  private static Optional<String> text(ObjectNode body, String name) {
    return Optional.of(body.path(name).asText("").strip()).filter(text -> !text.isEmpty());
  }

  private static IllegalArgumentException refused(String why) {
    return new IllegalArgumentException(why);
  }
}
