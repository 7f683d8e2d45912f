package io.fengyu.chat.model.config;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.fengyu.chat.model.KeyMask;
import io.fengyu.chat.model.Mode;
import java.util.List;

/**
 * The configuration as its owner sees it; keys are masked.
 *
 * @param activeMode the same as {@code mode}
 * @param ready the active back end is complete
 * @param contextWindowTokens 0 when compaction is off
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record ConfigView(
    String activeMode,
    String mode,
    boolean ready,
    int contextWindowTokens,
    Keyed openai,
    Keyed anthropic,
    Keyed deepseek,
    Plain ollama,
    double temperature,
    double topP,
    int maxTokens,
    int maxToolRounds,
    String systemPrompt) {

  static final List<String> NAMES =
      List.of(
          "activeMode",
          "mode",
          "contextWindowTokens",
          "openai",
          "anthropic",
          "deepseek",
          "ollama",
          "local",
          "temperature",
          "topP",
          "maxTokens",
          "maxToolRounds",
          "systemPrompt",
          "model",
          "baseUrl",
          "endpoint",
          "apiKey");

  /**
   * A back end with a key.
   *
   * @param apiKey masked; empty for none
   * @param apiKeySet there is a key that may be sent to this address
   * @param endpoint the same as {@code baseUrl}
   */
  public record Keyed(
      String apiKey, boolean apiKeySet, String model, String baseUrl, String endpoint) {

    static Keyed of(AiSettings.Provider provider) {
      var url = provider.baseUrl().toString();
      return new Keyed(
          KeyMask.masked(provider.apiKey()), provider.apiKey() != null, provider.model(), url, url);
    }
  }

  /** A back end without a key. */
  public record Plain(String baseUrl, String model) {}

  static ConfigView of(AiSettings settings, boolean ready) {
    var local = settings.provider(Mode.LOCAL);
    return new ConfigView(
        settings.mode().id(),
        settings.mode().id(),
        ready,
        settings.contextWindowTokens(),
        Keyed.of(settings.provider(Mode.OPENAI)),
        Keyed.of(settings.provider(Mode.ANTHROPIC)),
        Keyed.of(settings.provider(Mode.DEEPSEEK)),
        new Plain(local.baseUrl().toString(), local.model()),
        settings.temperature(),
        settings.topP(),
        settings.maxTokens(),
        settings.maxToolRounds(),
        settings.systemPrompt());
  }
}
