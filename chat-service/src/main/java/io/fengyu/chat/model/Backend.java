package io.fengyu.chat.model;

import java.net.URI;
import org.jspecify.annotations.Nullable;

/**
 * A complete target for a model request; a turn keeps the one it started with.
 *
 * @param baseUrl as configured, without a trailing slash
 * @param apiKey null when the back end needs none
 * @param temperature null when the owner chose none and the provider's own default is better
 * @param topP null like {@code temperature}
 * @param maxTokens bound of an answer
 */
public record Backend(
    Mode mode,
    URI baseUrl,
    String model,
    @Nullable String apiKey,
    @Nullable Double temperature,
    @Nullable Double topP,
    int maxTokens) {

  /** Without the key. */
  @Override
  public String toString() {
    return "Backend[" + mode.id() + ", " + baseUrl + ", " + model + "]";
  }
}
