package io.fengyu.chat.context;

import io.fengyu.chat.model.ModelMessage;
import io.fengyu.chat.model.ToolDefinition;
import io.fengyu.contract.model.ModelBlock;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** How many tokens something may come to, by its bytes. */
public final class Estimate {

  private static final int MESSAGE = 6;
  private static final int CALL = 8;
  private static final int IMAGE = 1024;
  private static final int TOOL = 12;
  private static final int BYTES_A_TOKEN = 4;

  private Estimate() {}

  /** Of a text. */
  public static long text(@Nullable String text) {
    return text == null ? 0 : (bytes(text) + BYTES_A_TOKEN - 1) / BYTES_A_TOKEN;
  }

  /** Of a message, with its calls and pictures. */
  public static long message(ModelMessage message) {
    return MESSAGE
        + switch (message) {
          case ModelMessage.SystemText(var text) -> text(text);
          case ModelMessage.User user -> text(user.text()) + images(user.images());
          case ModelMessage.Assistant assistant ->
              assistant.blocks().stream().mapToLong(Estimate::block).sum();
          case ModelMessage.ToolResult result -> text(result.text()) + images(result.images());
        };
  }

  private static long images(List<ModelMessage.Image> images) {
    return (long) IMAGE * images.size();
  }

  private static long block(ModelBlock block) {
    return switch (block) {
      case ModelBlock.Text(var text) -> text(text);
      case ModelBlock.Thinking thinking -> text(thinking.text());
      case ModelBlock.Redacted redacted -> text(redacted.data());
      case ModelBlock.Call call -> CALL + text(call.name()) + text(call.arguments());
    };
  }

  /** Of many messages. */
  public static long messages(Collection<ModelMessage> messages) {
    return messages.stream().mapToLong(Estimate::message).sum();
  }

  /** Of the tools that are offered with a request. */
  public static long tools(Collection<ToolDefinition> tools) {
    return tools.stream()
        .mapToLong(
            tool ->
                TOOL
                    + text(tool.name())
                    + text(tool.description())
                    + text(tool.schema().toString()))
        .sum();
  }

  private static long bytes(String text) {
    var bytes = 0L;
    for (var i = 0; i < text.length(); i++) {
      var c = text.charAt(i);
      // A surrogate is half of a character of four bytes.
      bytes += c < 0x80 ? 1 : c < 0x800 || Character.isSurrogate(c) ? 2 : 3;
    }
    return bytes;
  }
}
