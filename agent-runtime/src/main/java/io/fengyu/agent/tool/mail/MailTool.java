package io.fengyu.agent.tool.mail;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fengyu.agent.tool.Declaration;
import io.fengyu.agent.tool.Declaration.Field;
import io.fengyu.agent.tool.Tool;
import io.fengyu.agent.tool.ToolCall;
import io.fengyu.agent.tool.ToolSpec;
import io.smallrye.mutiny.Uni;

/** What the tools of the family share. */
abstract class MailTool implements Tool {

  private final ToolSpec spec;

  MailTool(ToolSpec spec) {
    this.spec = spec;
  }

  static Declaration declare(String name, String description) {
    return Declaration.of(name, description)
        .plugin(MailPlugin.ID)
        .out(
            Field.required("success", "boolean", "False when it was not done."),
            Field.optional("summary", "string", "What was done, in a sentence."));
  }

  /** What a prepared sending answers with. */
  static Field[] confirmation() {
    return new Field[] {
      Field.optional("confirmation_required", "boolean", "True: nothing is sent yet."),
      Field.optional(
          "confirmation",
          "object",
          "The prepared sending: confirmationId for confirm_send or reject_send, expiresAt, and a"
              + " summary for people.")
    };
  }

  @Override
  public final ToolSpec spec() {
    return spec;
  }

  @Override
  public final String call(ToolCall call) throws Exception {
    return answer(call, MailArgs.of(call)).toString();
  }

  abstract ObjectNode answer(ToolCall call, MailArgs args) throws Exception;

  static ObjectNode success(String summary) {
    return JsonNodeFactory.instance.objectNode().put("success", true).put("summary", summary);
  }

  static <T> T waited(Uni<T> statement) {
    return statement.await().atMost(Ids.PATIENCE);
  }
}
