package io.fengyu.contract.model;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What agent-runtime asks of chat-service's model gateway.
 *
 * @param model a model of the catalogue or of the owner; null for the owner's active one
 * @param pin from the start of an earlier answer: the back end it came from, over {@code model};
 *     null for none
 * @param system instructions before the conversation; null for none
 * @param maxTokens bound of the answer; null for the owner's setting
 * @param reasoning null or false leaves thinking to the provider's default
 * @param tools what the model may call; null or empty offers none
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record ModelStreamRequest(
    @Nullable String model,
    @Nullable String pin,
    @Nullable String system,
    @Nullable List<Message> messages,
    @Nullable Integer maxTokens,
    @Nullable Boolean reasoning,
    @Nullable List<Tool> tools) {

  /** A request that offers no tools. */
  public static ModelStreamRequest withoutTools(
      @Nullable String model, @Nullable String system, List<Message> messages, boolean reasoning) {
    return new ModelStreamRequest(model, null, system, messages, null, reasoning, null);
  }

  /**
   * A tool as the model sees it.
   *
   * @param schema JSON Schema of its arguments
   */
  public record Tool(String name, @Nullable String description, @Nullable ObjectNode schema) {}

  /**
   * One message. The last one is of {@code user} or {@code tool}.
   *
   * @param role {@code user}, {@code assistant} or {@code tool}; null means {@code user}
   * @param content its text; null where {@code blocks} say it all
   * @param blocks what an assistant said, in its order, to be given back unchanged
   * @param toolCallId which call a {@code tool} message answers
   * @param success false when that call failed; null means true
   * @param images pictures beside the text
   */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record Message(
      @Nullable String role,
      @Nullable String content,
      @Nullable List<ModelBlock> blocks,
      @Nullable String toolCallId,
      @Nullable Boolean success,
      @Nullable List<Image> images) {

    /** What a person, or the program for one, says. */
    public static Message user(String content) {
      return new Message("user", content, null, null, null, null);
    }

    /** What the model said before. */
    public static Message assistant(List<ModelBlock> blocks) {
      return new Message("assistant", null, blocks, null, null, null);
    }

    /** What a call came to. */
    public static Message result(
        String toolCallId, String content, boolean success, List<Image> images) {
      return new Message(
          "tool", content, null, toolCallId, success, images.isEmpty() ? null : images);
    }
  }

  /**
   * A picture.
   *
   * @param base64 its bytes
   */
  public record Image(String mimeType, String base64) {}
}
