package io.fengyu.agent.tool.mail;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fengyu.agent.tool.Declaration.Field;
import io.fengyu.agent.tool.Effect;
import io.fengyu.agent.tool.ToolCall;
import io.fengyu.agent.tool.ToolException;
import io.fengyu.agent.tool.ToolSpec;
import jakarta.inject.Singleton;
import java.util.List;

/** Says what became of a prepared sending. */
@Singleton
class EmailSendStatus extends MailTool {

  private static final ToolSpec SPEC =
      declare(
              "email_send_status",
              "Says what became of a prepared sending and of each of its mails: waiting, accepted"
                  + " by the server, failed, or unknown.")
          .effect(Effect.READ)
          .resources(List.of("mail_sending"), List.of())
          .label("State of a sending")
          .in(Field.required("confirmationId", "string", "The prepared sending."))
          .out(Field.optional("send", "object", "Its status, and its messages one by one."))
          .spec();

  private final SendStore store;

  EmailSendStatus(SendStore store) {
    super(SPEC);
    this.store = store;
  }

  @Override
  ObjectNode answer(ToolCall call, MailArgs args) throws ToolException {
    var sending = store.find(args.confirmationId(), call.owner());
    if (sending == null) {
      throw MailArgs.unknownSending();
    }
    var result = success(SendReport.sentence(sending));
    SendReport.addMails(SendReport.add(result, sending), sending);
    return result;
  }
}
