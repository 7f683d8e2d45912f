package io.fengyu.chat.model;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a model is asked, without a provider in mind.
 *
 * @param system null for none
 * @param tools what the model may call; empty leaves tools out of the request altogether
 * @param maxTokens null for the back end's setting
 * @param reasoning asks for thinking where a provider has to be asked
 */
public record ModelRequest(
    @Nullable String system,
    List<ModelMessage> messages,
    List<ToolDefinition> tools,
    @Nullable Integer maxTokens,
    boolean reasoning) {

  /** True when a message carries a picture. */
  boolean hasImages() {
    return messages.stream().anyMatch(ModelMessage::hasImages);
  }

  /** The same request in words only. */
  ModelRequest withoutImages() {
    return new ModelRequest(
        system,
        messages.stream().map(ModelMessage::withoutImages).toList(),
        tools,
        maxTokens,
        reasoning);
  }

  /** A request without tools. */
  public static ModelRequest plain(@Nullable String system, List<ModelMessage> messages) {
    return new ModelRequest(system, messages, List.of(), null, false);
  }
}
