package io.fengyu.agent.tool.mail;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fengyu.agent.tool.Declaration.Field;
import io.fengyu.agent.tool.Effect;
import io.fengyu.agent.tool.ToolCall;
import io.fengyu.agent.tool.ToolException;
import io.fengyu.agent.tool.ToolSpec;
import jakarta.inject.Singleton;
import java.util.List;

/** Drops what was prepared. */
@Singleton
class RejectSend extends MailTool {

  private static final ToolSpec SPEC =
      declare("reject_send", "Drops a prepared sending: it cannot be sent any more.")
          .effect(Effect.EXTERNAL)
          .idempotent()
          .resources(List.of(), List.of("mail_sending"))
          .label("Drop the prepared mails")
          .in(Field.required("confirmationId", "string", "The prepared sending."))
          .out(Field.optional("send", "object", "Its status."))
          .spec();

  private final SendStore store;

  RejectSend(SendStore store) {
    super(SPEC);
    this.store = store;
  }

  @Override
  ObjectNode answer(ToolCall call, MailArgs args) throws ToolException {
    var id = args.confirmationId();
    store.reject(id, call.owner());
    var sending = store.find(id, call.owner());
    if (sending == null) {
      throw MailArgs.unknownSending();
    }
    boolean dropped = List.of("REJECTED", "EXPIRED").contains(sending.status());
    var result = success(SendReport.sentence(sending)).put("success", dropped);
    SendReport.add(result, sending);
    return result;
  }
}
