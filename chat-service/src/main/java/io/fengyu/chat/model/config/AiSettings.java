package io.fengyu.chat.model.config;

import io.fengyu.chat.model.Mode;
import java.net.URI;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What holds for an owner now: chosen values over the environment's.
 *
 * @param temperature what is shown; {@code chosenTemperature} is null when it is only the default
 * @param contextWindowTokens 0 switches compaction off
 */
public record AiSettings(
    Mode mode,
    Map<Mode, Provider> providers,
    double temperature,
    @Nullable Double chosenTemperature,
    double topP,
    @Nullable Double chosenTopP,
    int maxTokens,
    int maxToolRounds,
    int contextWindowTokens,
    String systemPrompt) {

  /**
   * One back end.
   *
   * @param apiKey the key that may be sent to this address; null for none
   */
  public record Provider(URI baseUrl, String model, @Nullable String apiKey) {

    /** Without the key. */
    @Override
    public String toString() {
      return "Provider[" + baseUrl + ", " + model + "]";
    }
  }

  /** The back end of a mode. */
  public Provider provider(Mode mode) {
    var provider = providers.get(mode);
    if (provider == null) {
      throw new IllegalStateException("No back end " + mode.id());
    }
    return provider;
  }
}
