package io.fengyu.chat.model;

import com.fasterxml.jackson.databind.JsonNode;
import io.fengyu.contract.model.StopReason;
import io.vertx.core.buffer.Buffer;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Understands streamed chat completions, also from servers that bend the rules. */
final class OpenAiDecoder implements Protocol.Decoder {

  // Where providers put reasoning beside the text.
  private static final List<String> REASONING = List.of("reasoning_content", "reasoning");

  private final Answering answering;
  private final OpenAiToolCalls calls;
  private final EventStreamParser parser = new EventStreamParser(this::event);
  private @Nullable StopReason stopReason;

  OpenAiDecoder(Answering answering) {
    this.answering = answering;
    this.calls = new OpenAiToolCalls(answering);
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
    if (data.strip().equals("[DONE]")) {
      answering.done(stopReason == null ? StopReason.END : stopReason);
      return;
    }
    var chunk = Json.read(data);
    if (chunk.hasNonNull("error")) {
      throw ProviderErrors.inStream(chunk);
    }
    usage(chunk.path("usage"));
    for (var choice : chunk.path("choices")) {
      choice(choice);
    }
  }

  private void choice(JsonNode choice) {
    if (choice.path("index").asInt(0) != 0) {
      return;
    }
    var delta = choice.path("delta");
    for (var name : REASONING) {
      answering.thinking(Json.text(delta, name));
    }
    answering.text(Json.text(delta, "content"));
    answering.text(Json.text(delta, "refusal"));
    delta.path("tool_calls").forEach(calls::fragment);
    usage(choice.path("usage"));
    finish(Json.text(choice, "finish_reason"));
  }

  private void finish(@Nullable String reason) {
    if (reason == null || reason.isEmpty()) {
      return;
    }
    stopReason =
        switch (reason) {
          case "tool_calls", "function_call" -> StopReason.TOOL_CALLS;
          case "length" -> StopReason.LENGTH;
          case "content_filter" -> StopReason.FILTERED;
          case "error", "insufficient_system_resource" ->
              throw ModelFailure.passing(ErrorCode.UNKNOWN, "The provider broke off", null);
          default -> StopReason.END;
        };
  }

  private void usage(JsonNode usage) {
    answering.inputTokens(Json.count(usage, "prompt_tokens"));
    answering.outputTokens(Json.count(usage, "completion_tokens"));
  }
}
