package io.fengyu.chat.model;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fengyu.contract.model.ModelBlock;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** Chat completions, as OpenAI, DeepSeek and many others speak them. */
final class OpenAiProtocol implements Protocol {

  private final boolean deepSeek;

  OpenAiProtocol(boolean deepSeek) {
    this.deepSeek = deepSeek;
  }

  @Override
  public URI chat(Backend backend) {
    return BaseUrl.openAi(backend.baseUrl(), "/chat/completions");
  }

  @Override
  public URI models(Backend backend) {
    return BaseUrl.openAi(backend.baseUrl(), "/models");
  }

  @Override
  public Map<String, String> headers(Backend backend) {
    return backend.apiKey() == null
        ? Map.of()
        : Map.of("Authorization", "Bearer " + backend.apiKey());
  }

  @Override
  public boolean streams(String mediaType) {
    return mediaType.equals("text/event-stream")
        || mediaType.equals("text/plain")
        || mediaType.equals("application/octet-stream")
        || mediaType.isEmpty();
  }

  @Override
  public Decoder decoder(Answering answering) {
    return new OpenAiDecoder(answering);
  }

  @Override
  public ObjectNode body(Backend backend, ModelRequest request, Set<String> without) {
    var body = Json.object().put("model", backend.model()).put("stream", true);
    if (!without.contains("stream_options")) {
      body.putObject("stream_options").put("include_usage", true);
    }
    numbers(body, backend, request, without);
    var messages = body.putArray("messages");
    if (request.system() != null) {
      messages.addObject().put("role", "system").put("content", request.system());
    }
    messages(messages, request.messages());
    request.tools().forEach(tool -> add(body.withArray("tools"), tool));
    return body;
  }

  // Newer models of OpenAI know only the second name of the bound, compatible servers the first.
  private void numbers(
      ObjectNode body, Backend backend, ModelRequest request, Set<String> without) {
    var bound = request.maxTokens() == null ? backend.maxTokens() : request.maxTokens();
    var newName = backend.baseUrl().getHost().equals("api.openai.com");
    var name = newName ? "max_completion_tokens" : "max_tokens";
    var other = newName ? "max_tokens" : "max_completion_tokens";
    if (!without.contains(name)) {
      body.put(name, bound);
    } else if (!without.contains(other)) {
      body.put(other, bound);
    }
    if (backend.temperature() != null && !without.contains("temperature")) {
      body.put("temperature", backend.temperature());
    }
    if (backend.topP() != null && !without.contains("top_p")) {
      body.put("top_p", backend.topP());
    }
  }

  // Results follow their calls without a gap, so their pictures come after the last of them.
  private void messages(ArrayNode messages, List<ModelMessage> all) {
    var pictures = new ArrayList<ModelMessage.Image>();
    for (var message : all) {
      if (message instanceof ModelMessage.ToolResult result) {
        pictures.addAll(result.images());
      } else {
        pictures(messages, pictures);
      }
      add(messages, message);
    }
    pictures(messages, pictures);
  }

  private static void pictures(ArrayNode messages, List<ModelMessage.Image> pictures) {
    if (!pictures.isEmpty()) {
      user(messages, "Images of the tool results above", pictures);
      pictures.clear();
    }
  }

  private void add(ArrayNode messages, ModelMessage message) {
    switch (message) {
      case ModelMessage.SystemText system ->
          messages.addObject().put("role", "system").put("content", system.text());
      case ModelMessage.User user -> user(messages, user.text(), user.images());
      case ModelMessage.Assistant assistant -> assistant(messages.addObject(), assistant);
      case ModelMessage.ToolResult result ->
          messages
              .addObject()
              .put("role", "tool")
              .put("tool_call_id", result.callId())
              .put("content", result.text());
    }
  }

  private static void user(ArrayNode messages, String text, List<ModelMessage.Image> images) {
    var message = messages.addObject().put("role", "user");
    if (images.isEmpty()) {
      message.put("content", text);
      return;
    }
    var parts = message.putArray("content");
    parts.addObject().put("type", "text").put("text", text);
    for (var image : images) {
      parts
          .addObject()
          .put("type", "image_url")
          .putObject("image_url")
          .put("url", "data:" + image.mimeType() + ";base64," + image.base64());
    }
  }

  private void assistant(ObjectNode message, ModelMessage.Assistant assistant) {
    message.put("role", "assistant").put("content", assistant.text());
    var calls = assistant.calls();
    if (deepSeek && !calls.isEmpty()) {
      reasoning(message, assistant);
    }
    for (var call : calls) {
      message
          .withArray("tool_calls")
          .addObject()
          .put("id", call.id())
          .put("type", "function")
          .putObject("function")
          .put("name", call.name())
          .put("arguments", Json.objectText(call.arguments()));
    }
  }

  // DeepSeek wants its reasoning back beside the calls that it led to, and nowhere else.
  private static void reasoning(ObjectNode message, ModelMessage.Assistant assistant) {
    var text =
        assistant.blocks().stream()
            .filter(ModelBlock.Thinking.class::isInstance)
            .map(thought -> ((ModelBlock.Thinking) thought).text())
            .collect(Collectors.joining());
    if (!text.isEmpty()) {
      message.put("reasoning_content", text);
    }
  }

  private static void add(ArrayNode tools, ToolDefinition tool) {
    var function = tools.addObject().put("type", "function").putObject("function");
    function.put("name", tool.name()).put("description", tool.description());
    function.set("parameters", tool.schema());
  }
}
