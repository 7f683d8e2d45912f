package io.fengyu.chat.model;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fengyu.contract.model.StopReason;
import io.vertx.core.buffer.Buffer;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Understands the named events and numbered blocks of the Messages API. */
final class AnthropicDecoder implements Protocol.Decoder {

  private final Answering answering;
  private final EventStreamParser parser = new EventStreamParser(this::event);
  private final Map<Integer, Integer> calls = new HashMap<>();
  private @Nullable StopReason stopReason;

  AnthropicDecoder(Answering answering) {
    this.answering = answering;
  }

  @Override
  public void feed(Buffer bytes) {
    parser.feed(bytes);
  }

  @Override
  public void end() {
    if (stopReason != null) {
      answering.done(stopReason);
    }
    if (!answering.isDone()) {
      throw ModelFailure.passing(
          ErrorCode.NETWORK, "The provider closed the stream before the end", null);
    }
  }

  private void event(String type, String data) {
    if (answering.isDone()) {
      return;
    }
    var event = Json.read(data);
    switch (event.path("type").asText(type)) {
      case "message_start" -> usage(event.path("message").path("usage"));
      case "content_block_start" -> start(event.path("index").asInt(), event.path("content_block"));
      case "content_block_delta" -> delta(event.path("index").asInt(), event.path("delta"));
      case "content_block_stop" -> stop(event.path("index").asInt());
      case "message_delta" -> message(event);
      case "message_stop" -> answering.done(stopReason == null ? StopReason.END : stopReason);
      case "error" -> throw ProviderErrors.inStream(event);
      default -> {
        // Pings, and events that a later version of the API adds.
      }
    }
  }

  private void start(int block, JsonNode content) {
    switch (content.path("type").asText()) {
      case "text" -> answering.text(Json.text(content, "text"));
      case "thinking" -> answering.thinking(Json.text(content, "thinking"));
      case "redacted_thinking" -> answering.redactedThinking(content.path("data").asText());
      case "tool_use" -> call(block, content);
      default -> {
        // Blocks of the provider's own tools, which are never offered.
      }
    }
  }

  private void call(int block, JsonNode content) {
    var index = answering.startCall(Json.text(content, "id"), content.path("name").asText());
    calls.put(block, index);
    if (content.path("input") instanceof ObjectNode input && !input.isEmpty()) {
      answering.callArguments(index, input.toString());
    }
  }

  private void delta(int block, JsonNode delta) {
    switch (delta.path("type").asText()) {
      case "text_delta" -> answering.text(Json.text(delta, "text"));
      case "thinking_delta" -> answering.thinking(Json.text(delta, "thinking"));
      case "signature_delta" -> answering.signature(delta.path("signature").asText());
      case "input_json_delta" -> arguments(block, delta.path("partial_json").asText());
      default -> {
        // Citations, and deltas that a later version of the API adds.
      }
    }
  }

  private void arguments(int block, String fragment) {
    var call = calls.get(block);
    if (call != null) {
      answering.callArguments(call, fragment);
    }
  }

  private void stop(int block) {
    var call = calls.remove(block);
    if (call != null) {
      answering.endCall(call);
    }
  }

  private void message(ObjectNode event) {
    usage(event.path("usage"));
    var reason = Json.text(event.path("delta"), "stop_reason");
    if (reason != null) {
      stopReason = reason(reason);
    }
  }

  private static StopReason reason(String reason) {
    return switch (reason) {
      case "tool_use" -> StopReason.TOOL_CALLS;
      case "max_tokens", "model_context_window_exceeded" -> StopReason.LENGTH;
      case "refusal" -> StopReason.FILTERED;
      default -> StopReason.END;
    };
  }

  // What was read from or written to the provider's cache was input all the same.
  private void usage(JsonNode usage) {
    var input = Json.count(usage, "input_tokens");
    if (input >= 0) {
      answering.inputTokens(
          input
              + Math.max(0, Json.count(usage, "cache_creation_input_tokens"))
              + Math.max(0, Json.count(usage, "cache_read_input_tokens")));
    }
    answering.outputTokens(Json.count(usage, "output_tokens"));
  }
}
