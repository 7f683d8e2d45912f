package io.fengyu.chat.model.stream;

import io.fengyu.chat.model.ModelMessage;
import io.fengyu.chat.model.ModelRequest;
import io.fengyu.chat.model.ToolDefinition;
import io.fengyu.chat.model.config.AiProblems;
import io.fengyu.contract.model.ModelBlock;
import io.fengyu.contract.model.ModelStreamRequest;
import io.fengyu.contract.model.ModelStreamRequest.Image;
import io.fengyu.contract.model.ModelStreamRequest.Message;
import io.fengyu.contract.model.ModelStreamRequest.Tool;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Reads a conversation from another service, with the tools that it offers. */
final class Conversation {

  private static final int MOST_MESSAGES = 2000;
  private static final int MOST_TOOLS = 1000;
  private static final int MOST_TOKENS = 1_000_000;
  // What every provider takes as the name of a function.
  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9_-]{1,128}");

  private final Set<String> open = new HashSet<>();
  private final List<ModelMessage> messages = new ArrayList<>();

  private Conversation() {}

  static ModelRequest of(ModelStreamRequest body) {
    return new ModelRequest(
        body.system(),
        messages(body.messages()),
        tools(body.tools()),
        bound(body.maxTokens()),
        Boolean.TRUE.equals(body.reasoning()));
  }

  private static List<ModelMessage> messages(@Nullable List<Message> sent) {
    if (sent == null || sent.isEmpty() || sent.size() > MOST_MESSAGES) {
      throw AiProblems.invalidMessages();
    }
    var conversation = new Conversation();
    sent.forEach(conversation::add);
    if (!conversation.open.isEmpty()
        || conversation.messages.getLast() instanceof ModelMessage.Assistant) {
      throw AiProblems.invalidMessages();
    }
    return conversation.messages;
  }

  private void add(@Nullable Message message) {
    if (message == null) {
      throw AiProblems.invalidMessages();
    }
    messages.add(
        switch (message.role()) {
          case null -> user(message);
          case "user" -> user(message);
          case "assistant" -> assistant(message);
          case "tool" -> result(message);
          default -> throw AiProblems.invalidMessages();
        });
  }

  // Providers refuse anything between a call and its result.
  private ModelMessage user(Message message) {
    if (!open.isEmpty()) {
      throw AiProblems.invalidMessages();
    }
    return new ModelMessage.User(text(message), images(message.images()));
  }

  private ModelMessage assistant(Message message) {
    if (!open.isEmpty()) {
      throw AiProblems.invalidMessages();
    }
    var blocks = message.blocks();
    if (blocks == null) {
      return ModelMessage.assistant(text(message));
    }
    for (var block : blocks) {
      if (block == null || (block instanceof ModelBlock.Call call && !begin(call))) {
        throw AiProblems.invalidMessages();
      }
    }
    return new ModelMessage.Assistant(List.copyOf(blocks));
  }

  private boolean begin(ModelBlock.Call call) {
    return call.id() != null
        && call.name() != null
        && call.arguments() != null
        && open.add(call.id());
  }

  private ModelMessage result(Message message) {
    if (message.toolCallId() == null || !open.remove(message.toolCallId())) {
      throw AiProblems.invalidMessages();
    }
    return new ModelMessage.ToolResult(
        message.toolCallId(),
        text(message),
        !Boolean.FALSE.equals(message.success()),
        images(message.images()));
  }

  private static String text(Message message) {
    if (message.content() == null) {
      throw AiProblems.invalidMessages();
    }
    return message.content();
  }

  private static List<ModelMessage.Image> images(@Nullable List<Image> images) {
    return images == null ? List.of() : images.stream().map(Conversation::image).toList();
  }

  private static ModelMessage.Image image(@Nullable Image image) {
    if (image == null || image.mimeType() == null || image.base64() == null) {
      throw AiProblems.invalidMessages();
    }
    return new ModelMessage.Image(image.mimeType(), image.base64());
  }

  private static List<ToolDefinition> tools(@Nullable List<Tool> tools) {
    if (tools == null) {
      return List.of();
    }
    if (tools.size() > MOST_TOOLS) {
      throw AiProblems.invalidTools();
    }
    return tools.stream().map(Conversation::tool).toList();
  }

  private static ToolDefinition tool(@Nullable Tool tool) {
    if (tool == null
        || tool.name() == null
        || !NAME.matcher(tool.name()).matches()
        || tool.schema() == null) {
      throw AiProblems.invalidTools();
    }
    var description = tool.description() == null ? "" : tool.description();
    return new ToolDefinition(tool.name(), description, tool.schema());
  }

  private static @Nullable Integer bound(@Nullable Integer tokens) {
    return tokens == null ? null : Math.clamp(tokens, 1, MOST_TOKENS);
  }
}
