package io.fengyu.agent.tool.mail;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.smallrye.mutiny.Uni;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.List;
import java.util.Set;

/** Groups and contacts as their owners keep them. */
@ApplicationScoped
class Contacts {

  static final int MOST_TAGS = 1_000;
  static final int MOST_CONTACTS = 20_000;
  private static final int LONGEST_NAME = 200;

  private final AddressBook book;

  Contacts(AddressBook book) {
    this.book = book;
  }

  Uni<List<Tag>> tags(String owner) {
    return book.tags(owner);
  }

  Uni<Tag> createTag(String owner, ObjectNode body) {
    return book.createTag(owner, name(body), MOST_TAGS);
  }

  Uni<Tag> renameTag(String owner, String id, ObjectNode body) {
    var number = Ids.number(id);
    if (number == null) {
      throw MailProblems.tagNotFound();
    }
    return book.renameTag(owner, number, name(body));
  }

  /** Takes the group away; contacts stay, without it. */
  Uni<Void> deleteTag(String owner, String id) {
    var number = Ids.number(id);
    if (number == null) {
      throw MailProblems.tagNotFound();
    }
    return book.deleteTag(owner, number)
        .invoke(
            gone -> {
              if (!gone) {
                throw MailProblems.tagNotFound();
              }
            })
        .replaceWithVoid();
  }

  Uni<AddressBook.Found> find(
      String owner, String query, List<Long> tagIds, int offset, int limit) {
    return book.contacts(owner, query, tagIds, offset, limit);
  }

  Uni<Contact> createContact(String owner, ObjectNode request) {
    var body = new Body(request);
    var email = body.email(null);
    var who = new Address(body.line("name", LONGEST_NAME, email), email);
    return book.createContact(owner, who, body.ids("tagIds", Set.of()), MOST_CONTACTS);
  }

  Uni<Contact> changeContact(String owner, String id, ObjectNode request) {
    var body = new Body(request);
    return contact(owner, id)
        .chain(
            before ->
                book.changeContact(
                    owner,
                    before.id(),
                    new Address(
                        body.line("name", LONGEST_NAME, before.name()), body.email(before.email())),
                    body.ids("tagIds", Set.copyOf(before.tagIds()))));
  }

  Uni<Void> deleteContact(String owner, String id) {
    return contact(owner, id)
        .chain(contact -> book.deleteContact(owner, contact.id()))
        .replaceWithVoid();
  }

  private Uni<Contact> contact(String owner, String id) {
    var number = Ids.number(id);
    if (number == null) {
      throw MailProblems.contactNotFound();
    }
    return book.contact(owner, number);
  }

  private static String name(ObjectNode body) {
    return new Body(body).line("name", LONGEST_NAME, null);
  }
}
