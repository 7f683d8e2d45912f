package io.fengyu.agent.tool.mail;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fengyu.agent.tool.Declaration.Field;
import io.fengyu.agent.tool.Effect;
import io.fengyu.agent.tool.Reach;
import io.fengyu.agent.tool.ToolCall;
import io.fengyu.agent.tool.ToolSpec;
import jakarta.inject.Singleton;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** Prepares one mail. */
@Singleton
class EmailSendSingle extends MailTool {

  private static final ToolSpec SPEC =
      declare(
              "email_send_single",
              "Prepares one mail; confirm_send sends it, reject_send drops it. All recipients see"
                  + " each other, except those in bcc. Attachments are sent as they are now: when"
                  + " one changes before the confirmation, nothing is sent.")
          .effect(Effect.READ)
          .resources(List.of("mail_accounts", "mail_contacts", "output_dir"), List.of())
          .label("Prepare a mail")
          .in(
              Field.required("accountId", "integer", "The account to send from."),
              Field.optional("to", "array", "Addresses: a@b.example or Name <a@b.example>.")
                  .ofType("string"),
              Field.optional("recipientTagIds", "array", "Groups whose contacts get it, too.")
                  .ofType("integer"),
              Field.optional("cc", "array", "Addresses for a copy.").ofType("string"),
              Field.optional("bcc", "array", "Addresses for a copy that nobody sees.")
                  .ofType("string"),
              Field.optional("subject", "string", "One line."),
              Field.optional("plainText", "string", "The text."),
              Field.optional("htmlText", "string", "The text in HTML."),
              Field.optional("attachments", "array", "Paths of files.").ofType("string"))
          .out(confirmation())
          .spec();

  private final Preparation preparation;

  EmailSendSingle(Preparation preparation) {
    super(SPEC);
    this.preparation = preparation;
  }

  @Override
  ObjectNode answer(ToolCall call, MailArgs args) throws Exception {
    var account = preparation.account(call.owner(), args.id("accountId"));
    var groups = args.ids("recipientTagIds");
    var contacts = preparation.contacts(call.owner(), preparation.tags(call.owner()), groups);
    var to =
        BatchPlan.distinct(
            Stream.concat(args.addresses("to").stream(), contacts.stream().map(Contact::address))
                .toList());
    var cc = BatchPlan.without(args.addresses("cc"), to);
    var seen = new ArrayList<>(to);
    seen.addAll(cc);
    var bcc = BatchPlan.without(args.addresses("bcc"), seen);
    var attached = preparation.attached(Reach.of(call), args.texts("attachments"));
    return preparation.freeze(
        account, args.text(), List.of(new Planned(null, to, cc, bcc, attached)), List.of());
  }
}
