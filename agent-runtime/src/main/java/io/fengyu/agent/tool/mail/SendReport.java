package io.fengyu.agent.tool.mail;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fengyu.agent.tool.mail.Planned.Attached;
import java.util.List;
import java.util.Locale;

/** Says what became of a sending. */
final class SendReport {

  private static final int MOST_LISTED = 1_000;

  private SendReport() {}

  static String sentence(Sending sending) {
    return switch (sending.status()) {
      case "PENDING" -> "The sending waits for confirm_send; nothing was sent.";
      case "EXPIRED" -> "The sending was not confirmed in time; nothing was sent.";
      case "REJECTED" -> "The sending was rejected; nothing was sent.";
      case "SENDING" -> "The sending is under way in another call.";
      case "INTERRUPTED" ->
          "The program ended while it was sending: "
              + counted(sending)
              + ". Nothing is sent again; confirm_send would send what was never begun.";
      default -> ended(sending);
    };
  }

  private static String ended(Sending sending) {
    var why = sending.errors();
    return counted(sending) + (why.isEmpty() ? "." : ": " + String.join("; ", why) + ".");
  }

  private static String counted(Sending sending) {
    var words =
        new StringBuilder()
            .append(sending.succeeded())
            .append(" of ")
            .append(sending.mails().size())
            .append(" mail(s) accepted by the server");
    if (sending.failed() > 0) {
      words.append(", ").append(sending.failed()).append(" not sent");
    }
    if (sending.unknown() > 0) {
      words.append(", ").append(sending.unknown()).append(" of unknown fate, not sent again");
    }
    var failed = sending.failedRecipients();
    if (!failed.isEmpty()) {
      words.append("; not reached: ").append(Preparation.joined(failed));
    }
    return words.toString();
  }

  /** Adds {@code send} to a result. */
  static ObjectNode add(ObjectNode result, Sending sending) {
    var send = result.putObject("send").put("confirmationId", sending.id().toString());
    send.put("status", sending.status());
    send.put("succeeded", sending.succeeded()).put("failed", sending.failed());
    addAll(send.putArray("failedRecipients"), sending.failedRecipients());
    send.put("unknown", sending.unknown());
    addAll(send.putArray("unknownRecipients"), sending.unknownRecipients());
    return send;
  }

  /** Adds the mails one by one. */
  static void addMails(ObjectNode send, Sending sending) {
    send.put("subject", sending.text().subject());
    send.put("from", sending.sender().shown());
    send.put("expiresAt", MailTimes.wire(sending.expiresAt()));
    var mails = send.putArray("messages");
    for (var mail : sending.mails()) {
      var shown = mails.addObject().put("messageId", "<" + sending.messageId(mail) + ">");
      var unknown = mail.unknown(sending.held());
      shown.put("state", unknown ? "unknown" : mail.state().name().toLowerCase(Locale.ROOT));
      addAll(shown.putArray("to"), emails(mail.planned().to()));
      addAll(shown.putArray("cc"), emails(mail.planned().cc()));
      addAll(shown.putArray("bcc"), emails(mail.planned().bcc()));
      addAll(
          shown.putArray("attachments"),
          mail.planned().attachments().stream().map(Attached::name).toList());
      addAll(shown.putArray("refusedRecipients"), mail.refused());
      shown.put("error", mail.error());
    }
  }

  private static List<String> emails(List<Address> addresses) {
    return addresses.stream().map(Address::email).toList();
  }

  private static void addAll(ArrayNode array, List<String> texts) {
    texts.stream().limit(MOST_LISTED).forEach(array::add);
  }
}
