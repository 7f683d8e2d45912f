package io.fengyu.chat.model;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fengyu.contract.model.StopReason;
import io.vertx.core.buffer.Buffer;

/** Understands Ollama's lines. */
final class OllamaDecoder implements Protocol.Decoder {

  private final Answering answering;
  private final LineReader reader = LineReader.ofJsonLines(this::line);

  OllamaDecoder(Answering answering) {
    this.answering = answering;
  }

  @Override
  public void feed(Buffer bytes) {
    reader.feed(bytes);
  }

  @Override
  public void end() {
    line(reader.rest());
    if (!answering.isDone()) {
      throw ModelFailure.passing(
          ErrorCode.NETWORK, "The provider closed the stream before the end", null);
    }
  }

  private void line(String line) {
    if (line.isBlank() || answering.isDone()) {
      return;
    }
    var body = Json.read(line);
    if (body.hasNonNull("error")) {
      throw ProviderErrors.inStream(body);
    }
    var message = body.path("message");
    answering.thinking(Json.text(message, "thinking"));
    answering.text(Json.text(message, "content"));
    message.path("tool_calls").forEach(this::call);
    if (body.path("done").asBoolean(false)) {
      finish(body);
    }
  }

  private void call(JsonNode call) {
    var function = call.path("function");
    var index = answering.startCall(Json.text(call, "id"), function.path("name").asText());
    answering.callArguments(index, Json.raw(function.get("arguments")));
    answering.endCall(index);
  }

  private void finish(ObjectNode body) {
    answering.inputTokens(Json.count(body, "prompt_eval_count"));
    answering.outputTokens(Json.count(body, "eval_count"));
    answering.done(
        body.path("done_reason").asText().equals("length") ? StopReason.LENGTH : StopReason.END);
  }
}
