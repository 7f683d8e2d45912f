package io.fengyu.agent.tool.mail;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.IntNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fengyu.agent.tool.Declaration.Field;
import io.fengyu.agent.tool.Effect;
import io.fengyu.agent.tool.ToolCall;
import io.fengyu.agent.tool.ToolException;
import io.fengyu.agent.tool.ToolSpec;
import jakarta.inject.Singleton;
import java.util.List;

/** Finds contacts. */
@Singleton
class EmailContactsQuery extends MailTool {

  private static final int USUAL = 100;
  private static final int MOST = 1_000;

  private static final ToolSpec SPEC =
      declare(
              "email_contacts_query",
              "Finds contacts by a part of their name or address, and by the groups they are in.")
          .effect(Effect.READ)
          .resources(List.of("mail_contacts"), List.of())
          .label("Mail contacts")
          .in(
              Field.optional("query", "string", "Part of a name or address; all when left out."),
              Field.optional("tagIds", "array", "Groups, of which one is enough.")
                  .ofType("integer"),
              Field.optional("offset", "integer", "How many to pass over.").between(0, 1_000_000),
              Field.optional("limit", "integer", "How many to return.")
                  .between(1, MOST)
                  .byDefault(IntNode.valueOf(USUAL)))
          .out(
              Field.optional("contacts", "array", "The contacts.")
                  .of(
                      Field.required("id", "integer", "Its id."),
                      Field.required("name", "string", "What it is called."),
                      Field.required("email", "string", "Its address."),
                      Field.required("tagIds", "array", "Its groups.").ofType("integer")),
              Field.optional("total", "integer", "How many there are."))
          .spec();

  private final AddressBook book;
  private final ObjectMapper json;

  EmailContactsQuery(AddressBook book, ObjectMapper json) {
    super(SPEC);
    this.book = book;
    this.json = json;
  }

  @Override
  ObjectNode answer(ToolCall call, MailArgs args) throws ToolException {
    var query = args.plain().optionalText("query");
    var found =
        waited(
            book.contacts(
                call.owner(),
                query == null ? "" : query.strip().replace("\0", ""),
                args.ids("tagIds"),
                args.plain().integer("offset", 0, 0, 1_000_000),
                args.plain().integer("limit", USUAL, 1, MOST)));
    var result = success("Found " + found.total() + " contact(s).");
    result.set("contacts", json.valueToTree(found.contacts()));
    return result.put("total", found.total());
  }
}
