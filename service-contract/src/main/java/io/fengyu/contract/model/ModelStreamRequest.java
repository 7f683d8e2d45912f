package io.fengyu.contract.model;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What agent-runtime asks of chat-service's model gateway; tools are never offered here.
 *
 * @param model a model of the catalogue or of the owner; null for the owner's active one
 * @param system instructions before the conversation; null for none
 * @param maxTokens bound of the answer; null for the owner's setting
 * @param reasoning null or false leaves thinking to the provider's default
 */
public record ModelStreamRequest(
    @Nullable String model,
    @Nullable String system,
    @Nullable List<Message> messages,
    @Nullable Integer maxTokens,
    @Nullable Boolean reasoning) {

  /**
   * One message.
   *
   * @param role {@code user} or {@code assistant}; the last one is {@code user}
   */
  public record Message(@Nullable String role, @Nullable String content) {}
}
