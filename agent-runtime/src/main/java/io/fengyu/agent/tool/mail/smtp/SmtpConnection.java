package io.fengyu.agent.tool.mail.smtp;

import jakarta.mail.MessagingException;
import jakarta.mail.Session;
import jakarta.mail.URLName;
import java.io.IOException;
import java.io.OutputStream;
import org.eclipse.angus.mail.smtp.SMTPSendFailedException;
import org.eclipse.angus.mail.smtp.SMTPTransport;
import org.jspecify.annotations.Nullable;

/** A connection that remembers how far it came with a mail. */
final class SmtpConnection extends SMTPTransport {

  private final Mailbox mailbox;
  private boolean inData;
  private boolean endMarked;
  private boolean taken;

  SmtpConnection(Session session, Mailbox mailbox) {
    super(session, new URLName("smtp", mailbox.host(), -1, null, null, null));
    this.mailbox = mailbox;
  }

  /** Before each mail. */
  void begin() {
    inData = false;
    endMarked = false;
    taken = false;
  }

  /** True once the server has said that it takes the mail. */
  boolean taken() {
    return taken;
  }

  /** True when the end of the mail may have reached the server, and it has not refused it. */
  boolean inDoubt(MessagingException failure) {
    return endMarked && !taken && !refusal(failure);
  }

  /** True when the next command would be taken for text of a mail. */
  boolean unusable(MessagingException failure) {
    return inData && !taken && !refusal(failure);
  }

  private static boolean refusal(MessagingException failure) {
    return failure instanceof SMTPSendFailedException told
        && told.getReturnCode() >= 400
        && told.getReturnCode() < 600;
  }

  @Override
  protected synchronized boolean protocolConnect(
      @Nullable String host, int port, @Nullable String user, @Nullable String password)
      throws MessagingException {
    return super.protocolConnect(host, port, mailbox.username(), mailbox.password());
  }

  @Override
  protected OutputStream data() throws MessagingException {
    var body = super.data();
    inData = true;
    return body;
  }

  @Override
  protected void finishData() throws IOException, MessagingException {
    endMarked = true;
    super.finishData();
    taken = true;
  }
}
