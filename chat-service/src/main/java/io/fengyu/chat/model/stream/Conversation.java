package io.fengyu.chat.model.stream;

import io.fengyu.chat.model.ModelMessage;
import io.fengyu.chat.model.ModelRequest;
import io.fengyu.chat.model.config.AiProblems;
import io.fengyu.contract.model.ModelStreamRequest;
import io.fengyu.contract.model.ModelStreamRequest.Message;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads a conversation from another service; no tools, ever. */
final class Conversation {

  private static final int MOST_MESSAGES = 2000;
  private static final int MOST_TOKENS = 1_000_000;

  private Conversation() {}

  static ModelRequest of(ModelStreamRequest body) {
    return new ModelRequest(
        body.system(),
        messages(body.messages()),
        List.of(),
        bound(body.maxTokens()),
        Boolean.TRUE.equals(body.reasoning()));
  }

  private static List<ModelMessage> messages(@Nullable List<Message> sent) {
    if (sent == null || sent.isEmpty() || sent.size() > MOST_MESSAGES) {
      throw AiProblems.invalidMessages();
    }
    var messages = new ArrayList<ModelMessage>(sent.size());
    sent.forEach(message -> messages.add(message(message)));
    if (!(messages.getLast() instanceof ModelMessage.User)) {
      throw AiProblems.invalidMessages();
    }
    return messages;
  }

  private static ModelMessage message(@Nullable Message message) {
    if (message == null || message.content() == null) {
      throw AiProblems.invalidMessages();
    }
    return switch (message.role()) {
      case null -> ModelMessage.user(message.content());
      case "user" -> ModelMessage.user(message.content());
      case "assistant" -> ModelMessage.assistant(message.content());
      default -> throw AiProblems.invalidMessages();
    };
  }

  private static @Nullable Integer bound(@Nullable Integer tokens) {
    return tokens == null ? null : Math.clamp(tokens, 1, MOST_TOKENS);
  }
}
