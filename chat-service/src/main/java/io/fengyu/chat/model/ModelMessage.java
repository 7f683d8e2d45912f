package io.fengyu.chat.model;

import java.util.List;

/** One message of the conversation that a model continues. */
public sealed interface ModelMessage {

  /** Instructions in the middle of a conversation. */
  record SystemText(String text) implements ModelMessage {}

  /** What a person said. */
  record User(String text, List<Image> images) implements ModelMessage {}

  /**
   * What the model said before.
   *
   * @param thinking as it came, to be given back where a provider wants it together with results
   */
  record Assistant(String text, List<Thought> thinking, List<Call> calls) implements ModelMessage {}

  /** The result of one call. */
  record ToolResult(String callId, String text, boolean success, List<Image> images)
      implements ModelMessage {}

  /**
   * A picture.
   *
   * @param base64 its bytes
   */
  record Image(String mimeType, String base64) {}

  /**
   * A tool call of the model.
   *
   * @param arguments JSON text, as the model wrote it
   */
  record Call(String id, String name, String arguments) {}

  /** A block of thinking: readable and sealed, or readable by the provider only. */
  sealed interface Thought {

    /**
     * Readable.
     *
     * @param signature empty where the provider seals nothing
     */
    record Plain(String text, String signature) implements Thought {}

    /** For the provider only. */
    record Redacted(String data) implements Thought {}
  }

  /** A user message without images. */
  static User user(String text) {
    return new User(text, List.of());
  }

  /** An assistant message of text only. */
  static Assistant assistant(String text) {
    return new Assistant(text, List.of(), List.of());
  }
}
