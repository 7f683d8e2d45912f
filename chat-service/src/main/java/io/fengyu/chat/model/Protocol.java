package io.fengyu.chat.model;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.vertx.core.buffer.Buffer;
import java.net.URI;
import java.util.Map;
import java.util.Set;

/** What is said to one kind of provider, and how its answers are understood. */
interface Protocol {

  /** Where a conversation is sent. */
  URI chat(Backend backend);

  /** Where the provider lists its models. */
  URI models(Backend backend);

  /** Credentials and versions. */
  Map<String, String> headers(Backend backend);

  /**
   * The body of a request for a stream.
   *
   * @param without parameters that this endpoint has refused before
   */
  ObjectNode body(Backend backend, ModelRequest request, Set<String> without);

  /** True when an answer of this media type can be the expected stream. */
  boolean streams(String mediaType);

  /** Understands one answer. */
  Decoder decoder(Answering answering);

  /** Bytes in, events out. */
  interface Decoder {

    /** Throws {@link ModelFailure} when the provider says so, or says nonsense. */
    void feed(Buffer bytes);

    /** The provider closed the stream; throws when that was too early. */
    void end();
  }

  /** The protocol of a mode. */
  static Protocol of(Mode mode) {
    return switch (mode) {
      case LOCAL -> new OllamaProtocol();
      case OPENAI -> new OpenAiProtocol(false);
      case DEEPSEEK -> new OpenAiProtocol(true);
      case ANTHROPIC -> new AnthropicProtocol();
    };
  }
}
