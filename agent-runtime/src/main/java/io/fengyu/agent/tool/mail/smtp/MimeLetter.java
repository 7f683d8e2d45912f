package io.fengyu.agent.tool.mail.smtp;

import jakarta.activation.DataHandler;
import jakarta.activation.DataSource;
import jakarta.mail.Message.RecipientType;
import jakarta.mail.MessagingException;
import jakarta.mail.Session;
import jakarta.mail.internet.InternetAddress;
import jakarta.mail.internet.MimeBodyPart;
import jakarta.mail.internet.MimeMessage;
import jakarta.mail.internet.MimeMultipart;
import jakarta.mail.internet.MimePart;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UnsupportedEncodingException;
import java.net.URLConnection;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Locale;

/** A mail in the form that servers take, with an id that does not change. */
final class MimeLetter extends MimeMessage {

  private static final String UTF_8 = StandardCharsets.UTF_8.name();

  private static final DateTimeFormatter DATE =
      DateTimeFormatter.ofPattern("EEE, d MMM yyyy HH:mm:ss Z", Locale.ENGLISH)
          .withZone(ZoneOffset.UTC);

  private final String messageId;

  private MimeLetter(Session session, String messageId) {
    super(session);
    this.messageId = messageId;
  }

  static MimeLetter of(Session session, Letter letter) throws MessagingException, IOException {
    var mime = new MimeLetter(session, letter.messageId());
    mime.setFrom(address(letter.from()));
    mime.setRecipients(RecipientType.TO, addresses(letter.to()));
    mime.setRecipients(RecipientType.CC, addresses(letter.cc()));
    mime.setSubject(letter.subject(), UTF_8);
    mime.setHeader("Date", DATE.format(letter.date()));
    content(mime, letter);
    mime.saveChanges();
    return mime;
  }

  @Override
  protected void updateMessageID() throws MessagingException {
    setHeader("Message-ID", "<" + messageId + ">");
  }

  private static void content(MimePart part, Letter letter) throws MessagingException {
    if (letter.enclosures().isEmpty()) {
      texts(part, letter);
      return;
    }
    var mixed = new MimeMultipart("mixed");
    var first = new MimeBodyPart();
    texts(first, letter);
    mixed.addBodyPart(first);
    for (var enclosure : letter.enclosures()) {
      mixed.addBodyPart(enclosed(enclosure));
    }
    part.setContent(mixed);
  }

  private static void texts(MimePart part, Letter letter) throws MessagingException {
    var plain = letter.plainText();
    var html = letter.htmlText();
    if (html == null) {
      part.setText(plain == null ? "" : plain, UTF_8, "plain");
    } else if (plain == null) {
      part.setText(html, UTF_8, "html");
    } else {
      var both = new MimeMultipart("alternative");
      both.addBodyPart(text(plain, "plain"));
      both.addBodyPart(text(html, "html"));
      part.setContent(both);
    }
  }

  private static MimeBodyPart text(String text, String kind) throws MessagingException {
    var part = new MimeBodyPart();
    part.setText(text, UTF_8, kind);
    return part;
  }

  private static MimeBodyPart enclosed(Letter.Enclosure enclosure) throws MessagingException {
    var part = new MimeBodyPart();
    part.setDataHandler(new DataHandler(new Enclosed(enclosure)));
    part.setFileName(enclosure.name());
    part.setDisposition("attachment");
    part.setHeader("Content-Transfer-Encoding", "base64");
    return part;
  }

  private static InternetAddress[] addresses(List<Letter.Person> people)
      throws MessagingException, UnsupportedEncodingException {
    var addresses = new InternetAddress[people.size()];
    for (int i = 0; i < addresses.length; i++) {
      addresses[i] = address(people.get(i));
    }
    return addresses;
  }

  private static InternetAddress address(Letter.Person person)
      throws MessagingException, UnsupportedEncodingException {
    var address = new InternetAddress(person.email(), true);
    if (!person.name().isEmpty()) {
      address.setPersonal(person.name(), UTF_8);
    }
    return address;
  }

  /** Reads the file while it is sent: a mail is never in memory as a whole. */
  private record Enclosed(Letter.Enclosure enclosure) implements DataSource {

    @Override
    public InputStream getInputStream() throws IOException {
      return Files.newInputStream(enclosure.file());
    }

    @Override
    public OutputStream getOutputStream() throws IOException {
      throw new IOException("enclosures are only read");
    }

    @Override
    public String getContentType() {
      var name = enclosure.name();
      if (name.endsWith(".xlsx")) {
        return "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet";
      }
      var known = URLConnection.guessContentTypeFromName(name);
      return known == null ? "application/octet-stream" : known;
    }

    @Override
    public String getName() {
      return enclosure.name();
    }
  }
}
