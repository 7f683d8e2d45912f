package io.fengyu.agent.tool.mail;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fengyu.agent.tool.Reach;
import io.fengyu.agent.tool.ToolException;
import io.fengyu.agent.tool.mail.Planned.Attached;
import jakarta.enterprise.context.ApplicationScoped;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.UUID;

/** Freezes sendings: from here on only confirming or rejecting one changes anything. */
@ApplicationScoped
class Preparation {

  private static final int MOST_OPEN = 500;
  private static final int MOST_RECIPIENTS = 200;
  private static final int MOST_FILES = 100;
  private static final int MOST_SHOWN = 20;

  private final AccountStore accounts;
  private final AddressBook book;
  private final SendStore store;
  private final FrozenFiles files;
  private final MailConfig config;

  Preparation(
      AccountStore accounts,
      AddressBook book,
      SendStore store,
      FrozenFiles files,
      MailConfig config) {
    this.accounts = accounts;
    this.book = book;
    this.store = store;
    this.files = files;
    this.config = config;
  }

  Account account(String owner, long id) throws ToolException {
    var account = accounts.find(owner, id).await().atMost(Ids.PATIENCE).orElse(null);
    if (account == null) {
      throw new ToolException("there is no mail account " + id);
    }
    return account;
  }

  List<Tag> tags(String owner) {
    return book.tags(owner).await().atMost(Ids.PATIENCE);
  }

  /** Everybody in any of the groups, each of which must exist. */
  List<Contact> contacts(String owner, List<Tag> tags, Collection<Long> groups)
      throws ToolException {
    var known = tags.stream().map(Tag::id).toList();
    for (var group : groups) {
      if (!known.contains(group)) {
        throw new ToolException("there is no tag " + group);
      }
    }
    return groups.isEmpty()
        ? List.of()
        : book.contacts(owner, "", groups, 0, Contacts.MOST_CONTACTS)
            .await()
            .atMost(Ids.PATIENCE)
            .contacts();
  }

  List<Attached> attached(Reach reach, List<String> named) throws ToolException, IOException {
    if (named.size() > MOST_FILES) {
      throw new ToolException("a mail may have at most " + MOST_FILES + " attachments");
    }
    var attached = new ArrayList<Attached>();
    long bytes = 0;
    for (var name : named) {
      var one = files.freeze(reach, name);
      bytes += one.size();
      if (bytes > files.mostBytes()) {
        throw files.tooLarge();
      }
      attached.add(one);
    }
    return attached;
  }

  /**
   * Stores the sending and answers with what confirms it.
   *
   * @param notes further lines of the summary for people: label, then value
   */
  ObjectNode freeze(Account account, Text text, List<Planned> mails, List<List<String>> notes)
      throws ToolException {
    for (var mail : mails) {
      check(mail);
    }
    var id = UUID.randomUUID();
    var expires = store.prepare(id, account, text, mails, config.confirmWithin(), MOST_OPEN);
    if (expires == null) {
      throw new ToolException(
          MOST_OPEN + " sendings wait for a confirmation already: confirm or reject some");
    }
    var result =
        MailTool.success(
            mails.size() + " mail(s) prepared. Nothing is sent before confirm_send is called.");
    result.put("confirmation_required", true);
    var confirmation = result.putObject("confirmation").put("pluginId", MailPlugin.ID);
    confirmation.put("confirmationId", id.toString());
    confirmation.put("approveMethod", "confirm_send").put("rejectMethod", "reject_send");
    confirmation.put("expiresAt", MailTimes.wire(expires));
    summary(confirmation.putArray("summary"), account, text, mails, notes);
    return result;
  }

  private void check(Planned mail) throws ToolException {
    int recipients = mail.recipients().size();
    if (mail.to().isEmpty() && recipients == 0) {
      throw new ToolException("the mail has no recipients");
    }
    if (recipients > MOST_RECIPIENTS) {
      throw new ToolException("a mail may have at most " + MOST_RECIPIENTS + " recipients");
    }
    if (mail.attachments().stream().mapToLong(Attached::size).sum() > files.mostBytes()) {
      throw files.tooLarge();
    }
  }

  private static void summary(
      ArrayNode rows, Account account, Text text, List<Planned> mails, List<List<String>> notes) {
    row(rows, "From", new Address(account.displayName(), account.email()).shown());
    row(rows, "Subject", text.subject());
    row(rows, "Mails", Integer.toString(mails.size()));
    for (int i = 0; i < mails.size() && i < MOST_SHOWN; i++) {
      var mail = mails.get(i);
      var label = mails.size() == 1 ? "" : "Mail " + (i + 1) + ": ";
      row(rows, label + "To", shown(mail.to()));
      row(rows, label + "Cc", shown(mail.cc()));
      row(rows, label + "Bcc", shown(mail.bcc()));
      row(
          rows,
          label + "Attachments",
          joined(mail.attachments().stream().map(Attached::name).toList()));
    }
    notes.forEach(note -> row(rows, note.getFirst(), note.getLast()));
  }

  private static void row(ArrayNode rows, String label, String value) {
    if (!value.isEmpty()) {
      rows.addObject().put("label", label).put("value", value);
    }
  }

  private static String shown(List<Address> addresses) {
    return joined(addresses.stream().map(Address::shown).toList());
  }

  static String joined(List<String> all) {
    var some = String.join(", ", all.subList(0, Math.min(MOST_SHOWN, all.size())));
    return all.size() > MOST_SHOWN ? some + ", and " + (all.size() - MOST_SHOWN) + " more" : some;
  }
}
