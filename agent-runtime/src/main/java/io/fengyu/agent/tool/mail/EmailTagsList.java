package io.fengyu.agent.tool.mail;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fengyu.agent.tool.Declaration.Field;
import io.fengyu.agent.tool.Effect;
import io.fengyu.agent.tool.ToolCall;
import io.fengyu.agent.tool.ToolSpec;
import jakarta.inject.Singleton;
import java.util.List;

/** Lists the groups of contacts. */
@Singleton
class EmailTagsList extends MailTool {

  private static final ToolSpec SPEC =
      declare("email_tags_list", "Lists the tags: the groups that contacts belong to.")
          .effect(Effect.READ)
          .resources(List.of("mail_contacts"), List.of())
          .label("Mail groups")
          .out(
              Field.optional("tags", "array", "The groups.")
                  .of(
                      Field.required("id", "integer", "For recipientGroupTagIds and the like."),
                      Field.required("name", "string", "What it is called.")))
          .spec();

  private final AddressBook book;
  private final ObjectMapper json;

  EmailTagsList(AddressBook book, ObjectMapper json) {
    super(SPEC);
    this.book = book;
    this.json = json;
  }

  @Override
  ObjectNode answer(ToolCall call, MailArgs args) {
    var all = waited(book.tags(call.owner()));
    var result = success("There are " + all.size() + " tag(s).");
    result.set("tags", json.valueToTree(all));
    return result;
  }
}
