package io.fengyu.chat.model;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fengyu.contract.model.ModelBlock;
import java.net.URI;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Anthropic's Messages API. */
final class AnthropicProtocol implements Protocol {

  // The version that every compatible endpoint knows; later ones only take parameters away.
  private static final String VERSION = "2023-06-01";
  private static final int LEAST_THINKING = 1024;
  private static final int MOST_THINKING = 16_384;

  @Override
  public URI chat(Backend backend) {
    return BaseUrl.anthropic(backend.baseUrl(), "/messages");
  }

  @Override
  public URI models(Backend backend) {
    return BaseUrl.anthropic(backend.baseUrl(), "/models");
  }

  @Override
  public Map<String, String> headers(Backend backend) {
    var headers = new HashMap<String, String>();
    headers.put("anthropic-version", VERSION);
    if (backend.apiKey() != null) {
      headers.put("x-api-key", backend.apiKey());
    }
    return headers;
  }

  @Override
  public boolean streams(String mediaType) {
    return mediaType.equals("text/event-stream") || mediaType.isEmpty();
  }

  @Override
  public Decoder decoder(Answering answering) {
    return new AnthropicDecoder(answering);
  }

  @Override
  public ObjectNode body(Backend backend, ModelRequest request, Set<String> without) {
    var bound = request.maxTokens() == null ? backend.maxTokens() : request.maxTokens();
    var body = Json.object().put("model", backend.model()).put("stream", true);
    body.put("max_tokens", bound);
    var thinks = request.reasoning() && thinking(body, bound, without);
    if (!thinks) {
      sampling(body, backend, without);
    }
    var system = system(request);
    if (!system.isEmpty()) {
      body.put("system", system);
    }
    var messages = body.putArray("messages");
    request.messages().forEach(message -> add(messages, message));
    request.tools().forEach(tool -> add(body.withArray("tools"), tool));
    return body;
  }

  // Newer models think adaptively, older ones within a budget, the oldest not at all.
  private static boolean thinking(ObjectNode body, int bound, Set<String> without) {
    if (!without.contains("thinking")) {
      body.putObject("thinking").put("type", "adaptive").put("display", "summarized");
      return true;
    }
    if (without.contains("thinking budget") || bound <= LEAST_THINKING) {
      return false;
    }
    body.putObject("thinking")
        .put("type", "enabled")
        .put("budget_tokens", Math.clamp(bound / 2, LEAST_THINKING, MOST_THINKING));
    return true;
  }

  // Both at once are refused by many models, either by some.
  private static void sampling(ObjectNode body, Backend backend, Set<String> without) {
    if (backend.temperature() != null && !without.contains("temperature")) {
      body.put("temperature", Math.min(1.0, backend.temperature()));
    } else if (backend.topP() != null && !without.contains("top_p")) {
      body.put("top_p", backend.topP());
    }
  }

  private static String system(ModelRequest request) {
    var inside =
        request.messages().stream()
            .filter(ModelMessage.SystemText.class::isInstance)
            .map(message -> ((ModelMessage.SystemText) message).text());
    return Stream.concat(Stream.ofNullable(request.system()), inside)
        .collect(Collectors.joining("\n\n"));
  }

  private static void add(ArrayNode messages, ModelMessage message) {
    switch (message) {
      case ModelMessage.SystemText inSystem -> {}
      case ModelMessage.User user -> user(content(messages, "user"), user);
      case ModelMessage.Assistant assistant -> {
        var said = messages.arrayNode();
        assistant(said, assistant);
        if (!said.isEmpty()) {
          content(messages, "assistant").addAll(said);
        }
      }
      case ModelMessage.ToolResult result -> result(content(messages, "user"), result);
    }
  }

  // Roles must alternate: what one side says in several messages becomes one.
  private static ArrayNode content(ArrayNode messages, String role) {
    if (!messages.isEmpty()) {
      var last = messages.get(messages.size() - 1);
      if (role.equals(last.path("role").asText())) {
        return (ArrayNode) last.get("content");
      }
    }
    return messages.addObject().put("role", role).putArray("content");
  }

  private static void user(ArrayNode content, ModelMessage.User user) {
    images(content, user.images());
    if (!user.text().isEmpty() || user.images().isEmpty()) {
      text(content, user.text());
    }
  }

  // In their order: a provider that thinks between its calls checks that nothing was moved.
  private static void assistant(ArrayNode content, ModelMessage.Assistant assistant) {
    for (var block : assistant.blocks()) {
      switch (block) {
        case ModelBlock.Text(var words) -> {
          if (!words.isBlank()) {
            text(content, words);
          }
        }
        case ModelBlock.Thinking thinking -> thinking(content, thinking);
        case ModelBlock.Redacted(var data) ->
            content.addObject().put("type", "redacted_thinking").put("data", data);
        case ModelBlock.Call call -> call(content, call);
      }
    }
  }

  // Thinking without a seal is refused, so it stays out.
  private static void thinking(ArrayNode content, ModelBlock.Thinking thinking) {
    if (!thinking.signature().isEmpty()) {
      content
          .addObject()
          .put("type", "thinking")
          .put("thinking", thinking.text())
          .put("signature", thinking.signature());
    }
  }

  private static void call(ArrayNode content, ModelBlock.Call call) {
    var block = content.addObject().put("type", "tool_use");
    block.put("id", call.id()).put("name", call.name());
    block.set("input", Json.arguments(call.arguments()));
  }

  private static void result(ArrayNode content, ModelMessage.ToolResult result) {
    var block = content.addObject().put("type", "tool_result").put("tool_use_id", result.callId());
    if (!result.success()) {
      block.put("is_error", true);
    }
    var inside = block.putArray("content");
    text(inside, result.text());
    images(inside, result.images());
  }

  private static void text(ArrayNode content, String text) {
    content.addObject().put("type", "text").put("text", text);
  }

  private static void images(ArrayNode content, List<ModelMessage.Image> images) {
    for (var image : images) {
      content
          .addObject()
          .put("type", "image")
          .putObject("source")
          .put("type", "base64")
          .put("media_type", image.mimeType())
          .put("data", image.base64());
    }
  }

  private static void add(ArrayNode tools, ToolDefinition tool) {
    var definition = tools.addObject().put("name", tool.name());
    definition.put("description", tool.description()).set("input_schema", tool.schema());
  }
}
