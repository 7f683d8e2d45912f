package io.fengyu.testing.model;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The Messages API of Anthropic: named events and numbered content blocks. */
final class AnthropicDialect implements Dialect {

  private static final Map<String, String> STOP_REASONS =
      Map.of(
          "stop", "end_turn",
          "tool_calls", "tool_use",
          "length", "max_tokens",
          "content_filter", "refusal");

  private final String model;
  private final Map<Integer, Integer> toolBlocks = new LinkedHashMap<>();
  private int blocks;
  private @Nullable String openKind;
  private long outputTokens;

  AnthropicDialect(String model) {
    this.model = model;
  }

  @Override
  public String mediaType() {
    return "text/event-stream; charset=utf-8";
  }

  @Override
  public String opening() {
    var start = JSON.createObjectNode().put("type", "message_start");
    start.set("message", message());
    return event(start) + ping();
  }

  @Override
  public String frame(Part part) {
    return switch (part) {
      case Part.Text text -> inBlock("text", delta("text_delta", "text", text.delta()));
      case Part.Thinking thinking ->
          inBlock("thinking", delta("thinking_delta", "thinking", thinking.delta()));
      case Part.Signature signature ->
          inBlock("thinking", delta("signature_delta", "signature", signature.signature()));
      case Part.RedactedThinking redacted -> redacted(redacted);
      case Part.ToolFragment fragment -> tool(fragment);
      case Part.Usage usage -> remember(usage);
      case Part.Finish finish -> closeAll() + event(messageDelta(finish));
      case Part.Failure failure -> event(failure(failure));
      case Part.KeepAlive keepAlive -> ping();
      case Part.Raw raw -> raw.text();
      case Part.Reached reached -> "";
      case Part.Await await -> "";
      case Part.Cut cut -> "";
      case Part.Hang hang -> "";
    };
  }

  @Override
  public String closing() {
    return event(JSON.createObjectNode().put("type", "message_stop"));
  }

  @Override
  public ObjectNode failure(Part.Failure failure) {
    var body = JSON.createObjectNode().put("type", "error");
    body.putObject("error").put("type", failure.type()).put("message", failure.message());
    return body;
  }

  @Override
  public ObjectNode whole(Iterable<Part> parts) {
    var text = new StringBuilder();
    var calls = new LinkedHashMap<Integer, ObjectNode>();
    var body = message().put("stop_reason", "end_turn");
    for (var part : parts) {
      switch (part) {
        case Part.Text delta -> text.append(delta.delta());
        case Part.ToolFragment fragment -> Whole.add(calls, fragment);
        case Part.Usage usage ->
            body.putObject("usage")
                .put("input_tokens", usage.input())
                .put("output_tokens", usage.output());
        case Part.Finish finish -> body.put("stop_reason", STOP_REASONS.get(finish.reason()));
        default -> {}
      }
    }
    body.withArray("content").addObject().put("type", "text").put("text", text.toString());
    calls.values().forEach(call -> body.withArray("content").add(Whole.anthropic(call)));
    return body;
  }

  private ObjectNode message() {
    var message = JSON.createObjectNode();
    message
        .put("id", "msg_scripted")
        .put("type", "message")
        .put("role", "assistant")
        .put("model", model);
    message.putArray("content");
    message.putNull("stop_reason").putNull("stop_sequence");
    message.putObject("usage").put("input_tokens", 11).put("output_tokens", 1);
    return message;
  }

  private String inBlock(String kind, ObjectNode delta) {
    var opened = "";
    if (!kind.equals(openKind)) {
      opened = closeAll() + open(kind);
    }
    return opened + deltaOf(blocks - 1, delta);
  }

  private String open(String kind) {
    var block = JSON.createObjectNode().put("type", kind).put(kind, "");
    if (kind.equals("thinking")) {
      block.put("signature", "");
    }
    openKind = kind;
    return started(block);
  }

  private String redacted(Part.RedactedThinking redacted) {
    var block =
        JSON.createObjectNode().put("type", "redacted_thinking").put("data", redacted.data());
    var frames = closeAll() + started(block);
    openKind = "redacted_thinking";
    return frames;
  }

  // Blocks of tools stay open until something else begins, so that fragments may interleave.
  private String tool(Part.ToolFragment fragment) {
    var key = fragment.index() == null ? toolBlocks.size() : fragment.index();
    var frames = new StringBuilder();
    if (!toolBlocks.containsKey(key)) {
      if (openKind != null) {
        frames.append(closeAll());
      }
      toolBlocks.put(key, blocks);
      var block = JSON.createObjectNode().put("type", "tool_use");
      block.put("id", fragment.id()).put("name", fragment.name()).putObject("input");
      frames.append(started(block));
    }
    if (fragment.arguments() != null) {
      frames.append(
          deltaOf(
              toolBlocks.get(key),
              delta("input_json_delta", "partial_json", fragment.arguments())));
    }
    return frames.toString();
  }

  private String started(ObjectNode block) {
    var event = JSON.createObjectNode().put("type", "content_block_start").put("index", blocks++);
    event.set("content_block", block);
    return event(event);
  }

  private String closeAll() {
    var frames = new StringBuilder();
    if (openKind != null) {
      frames.append(stopped(blocks - 1));
      openKind = null;
    }
    toolBlocks.values().forEach(block -> frames.append(stopped(block)));
    toolBlocks.clear();
    return frames.toString();
  }

  private static String stopped(int block) {
    return event(JSON.createObjectNode().put("type", "content_block_stop").put("index", block));
  }

  private String remember(Part.Usage usage) {
    outputTokens = usage.output();
    return "";
  }

  private ObjectNode messageDelta(Part.Finish finish) {
    var event = JSON.createObjectNode().put("type", "message_delta");
    event
        .putObject("delta")
        .put("stop_reason", STOP_REASONS.getOrDefault(finish.reason(), finish.reason()))
        .putNull("stop_sequence");
    event.putObject("usage").put("output_tokens", outputTokens);
    return event;
  }

  private static ObjectNode delta(String type, String member, String value) {
    return JSON.createObjectNode().put("type", type).put(member, value);
  }

  private static String deltaOf(int block, ObjectNode delta) {
    var event = JSON.createObjectNode().put("type", "content_block_delta").put("index", block);
    event.set("delta", delta);
    return event(event);
  }

  private static String ping() {
    return event(JSON.createObjectNode().put("type", "ping"));
  }

  private static String event(ObjectNode data) {
    return "event: " + data.get("type").asText() + "\ndata: " + data + "\n\n";
  }
}
