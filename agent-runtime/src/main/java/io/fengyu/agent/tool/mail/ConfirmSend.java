package io.fengyu.agent.tool.mail;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fengyu.agent.tool.Declaration.Field;
import io.fengyu.agent.tool.Effect;
import io.fengyu.agent.tool.ToolCall;
import io.fengyu.agent.tool.ToolException;
import io.fengyu.agent.tool.ToolSpec;
import jakarta.inject.Singleton;
import java.util.List;

/** Sends what was prepared: the only tool that does. */
@Singleton
class ConfirmSend extends MailTool {

  private static final ToolSpec SPEC =
      declare(
              "confirm_send",
              "Sends the mails of a prepared sending. It does so once: calling it again says what"
                  + " became of them and sends nothing that may have been sent.")
          .effect(Effect.EXTERNAL)
          .resources(List.of("output_dir"), List.of("mail_sending"))
          .label("Send the prepared mails")
          .in(Field.required("confirmationId", "string", "The prepared sending."))
          .out(
              Field.optional(
                  "send",
                  "object",
                  "status, succeeded, failed, failedRecipients, unknown, unknownRecipients."))
          .spec();

  private final Delivery delivery;
  private final SendStore store;

  ConfirmSend(Delivery delivery, SendStore store) {
    super(SPEC);
    this.delivery = delivery;
    this.store = store;
  }

  @Override
  ObjectNode answer(ToolCall call, MailArgs args) throws Exception {
    var id = args.confirmationId();
    delivery.send(call, id);
    var sending = store.find(id, call.owner());
    if (sending == null) {
      throw MailArgs.unknownSending();
    }
    var sentence = SendReport.sentence(sending);
    if (sending.unknown() > 0) {
      throw ToolException.unknown(sentence);
    }
    boolean sent = sending.succeeded() > 0 && !sending.held();
    var result = success(sentence).put("success", sent);
    SendReport.add(result, sending);
    return result;
  }
}
