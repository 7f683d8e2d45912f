package io.fengyu.agent.tool.mail;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fengyu.agent.tool.Declaration.Field;
import io.fengyu.agent.tool.Effect;
import io.fengyu.agent.tool.ToolCall;
import io.fengyu.agent.tool.ToolSpec;
import jakarta.inject.Singleton;
import java.util.List;

/** Lists the accounts that mails can be sent from. */
@Singleton
class EmailAccountsList extends MailTool {

  private static final ToolSpec SPEC =
      declare("email_accounts_list", "Lists the mail accounts that can be sent from.")
          .effect(Effect.READ)
          .resources(List.of("mail_accounts"), List.of())
          .label("Mail accounts")
          .out(
              Field.optional("accounts", "array", "The accounts.")
                  .of(
                      Field.required("id", "integer", "For accountId."),
                      Field.required("displayName", "string", "The sender's name."),
                      Field.required("email", "string", "The sender's address."),
                      Field.required("host", "string", "The mail server."),
                      Field.required("port", "integer", "Its port."),
                      Field.required("security", "string", "none, starttls or tls."),
                      Field.optional("username", "string", "Who logs in."),
                      Field.required("passwordConfigured", "boolean", "A password is stored.")))
          .spec();

  private final Accounts accounts;
  private final ObjectMapper json;

  EmailAccountsList(Accounts accounts, ObjectMapper json) {
    super(SPEC);
    this.accounts = accounts;
    this.json = json;
  }

  @Override
  ObjectNode answer(ToolCall call, MailArgs args) {
    var all = waited(accounts.list(call.owner()));
    var result = success("There are " + all.size() + " account(s).");
    result.set("accounts", json.valueToTree(all));
    return result;
  }
}
