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

/** Ollama's own chat API, one JSON object a line. */
final class OllamaProtocol implements Protocol {

  @Override
  public URI chat(Backend backend) {
    return BaseUrl.ollama(backend.baseUrl(), "/api/chat");
  }

  @Override
  public URI models(Backend backend) {
    return BaseUrl.ollama(backend.baseUrl(), "/api/tags");
  }

  @Override
  public Map<String, String> headers(Backend backend) {
    return Map.of();
  }

  @Override
  public boolean streams(String mediaType) {
    return mediaType.equals("application/x-ndjson")
        || mediaType.equals("application/json")
        || mediaType.equals("text/plain")
        || mediaType.isEmpty();
  }

  @Override
  public Decoder decoder(Answering answering) {
    return new OllamaDecoder(answering);
  }

  @Override
  public ObjectNode body(Backend backend, ModelRequest request, Set<String> without) {
    var body = Json.object().put("model", backend.model()).put("stream", true);
    if (request.reasoning() && !without.contains("think") && !without.contains("thinking")) {
      body.put("think", true);
    }
    var options = body.putObject("options");
    options.put(
        "num_predict", request.maxTokens() == null ? backend.maxTokens() : request.maxTokens());
    if (backend.temperature() != null) {
      options.put("temperature", backend.temperature());
    }
    if (backend.topP() != null) {
      options.put("top_p", backend.topP());
    }
    var messages = body.putArray("messages");
    if (request.system() != null) {
      messages.addObject().put("role", "system").put("content", request.system());
    }
    var names = new HashMap<String, String>();
    request.messages().forEach(message -> add(messages, message, names));
    request.tools().forEach(tool -> add(body.withArray("tools"), tool));
    return body;
  }

  private static void add(ArrayNode messages, ModelMessage message, Map<String, String> names) {
    switch (message) {
      case ModelMessage.SystemText system ->
          messages.addObject().put("role", "system").put("content", system.text());
      case ModelMessage.User user ->
          images(
              messages.addObject().put("role", "user").put("content", user.text()), user.images());
      case ModelMessage.Assistant assistant -> assistant(messages.addObject(), assistant, names);
      case ModelMessage.ToolResult result -> {
        var tool = messages.addObject().put("role", "tool").put("content", result.text());
        tool.put("tool_name", names.getOrDefault(result.callId(), ""));
        images(tool, result.images());
      }
    }
  }

  private static void assistant(
      ObjectNode message, ModelMessage.Assistant assistant, Map<String, String> names) {
    message.put("role", "assistant").put("content", assistant.text());
    var calls = assistant.calls();
    if (!calls.isEmpty()) {
      thinking(message, assistant);
    }
    for (var call : calls) {
      names.put(call.id(), call.name());
      var function = message.withArray("tool_calls").addObject().putObject("function");
      function.put("name", call.name()).set("arguments", Json.arguments(call.arguments()));
    }
  }

  // What led to a call belongs beside it; of finished answers only the words are kept.
  private static void thinking(ObjectNode message, ModelMessage.Assistant assistant) {
    var text =
        assistant.blocks().stream()
            .filter(ModelBlock.Thinking.class::isInstance)
            .map(thought -> ((ModelBlock.Thinking) thought).text())
            .collect(Collectors.joining());
    if (!text.isEmpty()) {
      message.put("thinking", text);
    }
  }

  private static void images(ObjectNode message, List<ModelMessage.Image> images) {
    images.forEach(image -> message.withArray("images").add(image.base64()));
  }

  private static void add(ArrayNode tools, ToolDefinition tool) {
    var function = tools.addObject().put("type", "function").putObject("function");
    function.put("name", tool.name()).put("description", tool.description());
    function.set("parameters", tool.schema());
  }
}
