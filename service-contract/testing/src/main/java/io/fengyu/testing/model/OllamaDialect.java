package io.fengyu.testing.model;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.LinkedHashMap;
import java.util.Map;

/** Ollama's {@code /api/chat}: one JSON object a line, tool calls always whole. */
final class OllamaDialect implements Dialect {

  private final String model;
  private final Map<Integer, ObjectNode> calls = new LinkedHashMap<>();
  private long inputTokens;
  private long outputTokens;

  OllamaDialect(String model) {
    this.model = model;
  }

  @Override
  public String mediaType() {
    return "application/x-ndjson";
  }

  @Override
  public String opening() {
    return "";
  }

  @Override
  public String frame(Part part) {
    return switch (part) {
      case Part.Text text -> pending() + said("content", text.delta());
      case Part.Thinking thinking -> pending() + said("thinking", thinking.delta());
      case Part.ToolFragment fragment -> collect(fragment);
      case Part.Usage usage -> remember(usage);
      case Part.Finish finish -> pending() + line(ended(finish));
      case Part.Failure failure -> pending() + line(failure(failure));
      case Part.Raw raw -> raw.text();
      case Part.Signature signature -> "";
      case Part.RedactedThinking redacted -> "";
      case Part.KeepAlive keepAlive -> "\n";
      case Part.Reached reached -> "";
      case Part.Await await -> pending();
      case Part.Cut cut -> pending();
      case Part.Hang hang -> pending();
    };
  }

  @Override
  public String closing() {
    return "";
  }

  @Override
  public ObjectNode failure(Part.Failure failure) {
    return JSON.createObjectNode().put("error", failure.message());
  }

  @Override
  public ObjectNode whole(Iterable<Part> parts) {
    var text = new StringBuilder();
    var whole = new LinkedHashMap<Integer, ObjectNode>();
    var reason = "stop";
    for (var part : parts) {
      switch (part) {
        case Part.Text delta -> text.append(delta.delta());
        case Part.ToolFragment fragment -> Whole.add(whole, fragment);
        case Part.Usage usage -> remember(usage);
        case Part.Finish finish -> reason = finish.reason();
        default -> {}
      }
    }
    var body = ended(new Part.Finish(reason));
    var message = body.putObject("message").put("role", "assistant");
    message.put("content", text.toString());
    whole.values().forEach(call -> message.withArray("tool_calls").add(Whole.ollama(call)));
    return body;
  }

  private String said(String member, String delta) {
    var body = envelope();
    var message = body.putObject("message").put("role", "assistant").put("content", "");
    message.put(member, delta);
    return line(body.put("done", false));
  }

  private String collect(Part.ToolFragment fragment) {
    Whole.add(calls, fragment);
    return "";
  }

  private String pending() {
    if (calls.isEmpty()) {
      return "";
    }
    var body = envelope();
    var message = body.putObject("message").put("role", "assistant").put("content", "");
    calls.values().forEach(call -> message.withArray("tool_calls").add(Whole.ollama(call)));
    calls.clear();
    return line(body.put("done", false));
  }

  private ObjectNode ended(Part.Finish finish) {
    var body = envelope();
    body.putObject("message").put("role", "assistant").put("content", "");
    return body.put("done", true)
        .put("done_reason", finish.reason().equals("tool_calls") ? "stop" : finish.reason())
        .put("total_duration", 1_000_000)
        .put("load_duration", 1_000)
        .put("prompt_eval_count", inputTokens)
        .put("prompt_eval_duration", 1_000)
        .put("eval_count", outputTokens)
        .put("eval_duration", 1_000);
  }

  private ObjectNode envelope() {
    return JSON.createObjectNode().put("model", model).put("created_at", "2026-01-01T00:00:00Z");
  }

  private String remember(Part.Usage usage) {
    inputTokens = usage.input();
    outputTokens = usage.output();
    return "";
  }

  private static String line(ObjectNode body) {
    return body + "\n";
  }
}
