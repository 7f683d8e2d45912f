package io.fengyu.chat.model;

import io.fengyu.contract.model.ModelBlock;
import io.fengyu.contract.model.ModelTurn;
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
   * @param blocks in their order; what a provider wants back together with results is among them
   */
  record Assistant(List<ModelBlock> blocks) implements ModelMessage {

    String text() {
      return ModelTurn.text(blocks);
    }

    List<ModelBlock.Call> calls() {
      return ModelTurn.calls(blocks);
    }
  }

  /** The result of one call. */
  record ToolResult(String callId, String text, boolean success, List<Image> images)
      implements ModelMessage {}

  /**
   * A picture.
   *
   * @param base64 its bytes
   */
  record Image(String mimeType, String base64) {}

  /** True when a picture goes with it. */
  default boolean hasImages() {
    return switch (this) {
      case User user -> !user.images().isEmpty();
      case ToolResult result -> !result.images().isEmpty();
      case SystemText system -> false;
      case Assistant assistant -> false;
    };
  }

  /** The same message in words only. */
  default ModelMessage withoutImages() {
    return switch (this) {
      case User user -> new User(user.text(), List.of());
      case ToolResult result ->
          new ToolResult(result.callId(), result.text(), result.success(), List.of());
      case SystemText system -> system;
      case Assistant assistant -> assistant;
    };
  }

  /** A user message without images. */
  static User user(String text) {
    return new User(text, List.of());
  }

  /** An assistant message of text only. */
  static Assistant assistant(String text) {
    return new Assistant(List.of(new ModelBlock.Text(text)));
  }
}
