package io.fengyu.testing.model;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.LinkedHashMap;
import org.jspecify.annotations.Nullable;

/** Chat completions of OpenAI, and of DeepSeek with its {@code reasoning_content}. */
final class OpenAiDialect implements Dialect {

  private final String model;

  OpenAiDialect(String model) {
    this.model = model;
  }

  @Override
  public String mediaType() {
    return "text/event-stream; charset=utf-8";
  }

  @Override
  public String opening() {
    var delta = JSON.createObjectNode().put("role", "assistant").put("content", "");
    return chunk(delta, null);
  }

  @Override
  public String frame(Part part) {
    return switch (part) {
      case Part.Text text -> chunk(JSON.createObjectNode().put("content", text.delta()), null);
      case Part.Thinking thinking ->
          chunk(JSON.createObjectNode().put("reasoning_content", thinking.delta()), null);
      case Part.ToolFragment fragment -> chunk(fragment(fragment), null);
      case Part.Usage usage -> data(withUsage(envelope(), usage));
      case Part.Finish finish -> chunk(JSON.createObjectNode(), finish.reason());
      case Part.Failure failure -> data(failure(failure));
      case Part.KeepAlive keepAlive -> ": keep-alive\n\n";
      case Part.Raw raw -> raw.text();
      case Part.Signature signature -> "";
      case Part.RedactedThinking redacted -> "";
      case Part.Reached reached -> "";
      case Part.Await await -> "";
      case Part.Cut cut -> "";
      case Part.Hang hang -> "";
    };
  }

  @Override
  public String closing() {
    return "data: [DONE]\n\n";
  }

  @Override
  public ObjectNode failure(Part.Failure failure) {
    var body = JSON.createObjectNode();
    body.putObject("error")
        .put("message", failure.message())
        .put("type", failure.type())
        .putNull("param")
        .put("code", failure.type());
    return body;
  }

  @Override
  public ObjectNode whole(Iterable<Part> parts) {
    var text = new StringBuilder();
    var calls = new LinkedHashMap<Integer, ObjectNode>();
    var body = envelope().put("object", "chat.completion");
    var choice = body.withArray("choices").addObject().put("index", 0).put("finish_reason", "stop");
    for (var part : parts) {
      switch (part) {
        case Part.Text delta -> text.append(delta.delta());
        case Part.ToolFragment fragment -> Whole.add(calls, fragment);
        case Part.Usage usage -> withUsage(body, usage);
        case Part.Finish finish -> choice.put("finish_reason", finish.reason());
        default -> {}
      }
    }
    var message = choice.putObject("message").put("role", "assistant");
    message.put("content", text.toString());
    calls.values().forEach(call -> message.withArray("tool_calls").add(Whole.openAi(call)));
    return body;
  }

  private ObjectNode fragment(Part.ToolFragment fragment) {
    var delta = JSON.createObjectNode();
    var call = delta.putArray("tool_calls").addObject();
    if (fragment.index() != null) {
      call.put("index", fragment.index());
    }
    if (fragment.id() != null) {
      call.put("id", fragment.id()).put("type", "function");
    }
    var function = call.putObject("function");
    if (fragment.name() != null) {
      function.put("name", fragment.name());
    }
    if (fragment.arguments() != null) {
      function.put("arguments", fragment.arguments());
    }
    return delta;
  }

  private String chunk(ObjectNode delta, @Nullable String finishReason) {
    var body = envelope();
    var choice = body.withArray("choices").addObject().put("index", 0);
    choice.set("delta", delta);
    choice.putNull("logprobs").put("finish_reason", finishReason);
    return data(body);
  }

  private ObjectNode envelope() {
    var body = JSON.createObjectNode();
    body.put("id", "chatcmpl-scripted")
        .put("object", "chat.completion.chunk")
        .put("created", 1_767_225_600)
        .put("model", model)
        .put("system_fingerprint", "fp_scripted")
        .putArray("choices");
    return body;
  }

  private static ObjectNode withUsage(ObjectNode body, Part.Usage usage) {
    body.putObject("usage")
        .put("prompt_tokens", usage.input())
        .put("completion_tokens", usage.output())
        .put("total_tokens", usage.input() + usage.output());
    return body;
  }

  private static String data(ObjectNode body) {
    return "data: " + body + "\n\n";
  }
}
