package io.fengyu.agent.tool.mail.smtp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.icegreen.greenmail.util.DummySSLSocketFactory;
import com.icegreen.greenmail.util.GreenMail;
import com.icegreen.greenmail.util.ServerSetup;
import io.fengyu.agent.tool.mail.smtp.Letter.Enclosure;
import io.fengyu.agent.tool.mail.smtp.Letter.Person;
import io.fengyu.agent.tool.mail.smtp.Mailbox.Security;
import io.fengyu.testing.smtp.SmtpServer;
import io.fengyu.testing.smtp.SmtpServer.Ending;
import io.fengyu.testing.smtp.SmtpServer.Greeting;
import jakarta.mail.Message.RecipientType;
import jakarta.mail.internet.InternetAddress;
import jakarta.mail.internet.MimeMessage;
import jakarta.mail.internet.MimeMultipart;
import jakarta.mail.internet.MimeUtility;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import javax.net.ssl.SSLSocketFactory;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SmtpTalkTest {

  private final SmtpServer server = SmtpServer.start();

  @AfterEach
  void close() {
    server.close();
  }

  @Test
  void aMailThatTheServerTakesIsAccepted() throws Exception {
    server.login("robot", "open sesame");

    try (var talk =
        talk(mailbox("localhost", server.port(), Security.NONE, "robot", "open sesame"))) {
      talk.open();

      assertThat(talk.send(letter("a@x.example", "b@x.example")))
          .isEqualTo(new Fate.Accepted(List.of()));
    }

    var mail = server.received().getFirst();
    assertThat(mail.login()).isEqualTo("robot");
    assertThat(mail.sender()).isEqualTo("me@x.example");
    assertThat(mail.recipients()).containsExactly("a@x.example", "b@x.example", "hidden@x.example");
    assertThat(mail.header("Message-ID")).isEqualTo("<id-1@x.example>");
    assertThat(mail.data()).doesNotContain("hidden@x.example");
  }

  @Test
  void severalMailsGoOverOneConnection() throws Exception {
    try (var talk = open()) {
      for (int i = 0; i < 3; i++) {
        talk.open();
        assertThat(talk.send(letter("a@x.example"))).isInstanceOf(Fate.Accepted.class);
      }
    }

    assertThat(server.received()).hasSize(3);
  }

  @Test
  void aWrongPasswordIsAnEndWithoutThePassword() {
    server.login("robot", "open sesame");
    var mailbox = mailbox("localhost", server.port(), Security.NONE, "robot", "close sesame");

    assertThatThrownBy(() -> talk(mailbox).open())
        .isInstanceOf(NoTalkException.class)
        .hasMessageContaining("does not accept the login")
        .hasMessageNotContaining("sesame");
  }

  @Test
  void recipientsThatAreRefusedAreNamedWhileOthersGetTheMail() throws Exception {
    server.refusing("b@x.example");

    try (var talk = open()) {
      assertThat(talk.send(letter("a@x.example", "b@x.example")))
          .isEqualTo(new Fate.Accepted(List.of("b@x.example")));
    }

    assertThat(server.received().getFirst().recipients())
        .containsExactly("a@x.example", "hidden@x.example");
  }

  @Test
  void aMailThatNobodyMayGetHasFailedAndTheNextOneGoesOut() throws Exception {
    server.refusing("a@x.example").refusing("hidden@x.example");

    try (var talk = open()) {
      assertThat(talk.send(letter("a@x.example"))).isInstanceOf(Fate.Failed.class);
      talk.open();
      assertThat(talk.send(letter("b@x.example"))).isInstanceOf(Fate.Accepted.class);
    }
  }

  @Test
  void aMailThatIsRefusedAtItsEndHasFailed() throws Exception {
    server.ending(Ending.REFUSE);

    try (var talk = open()) {
      var fate = talk.send(letter("a@x.example"));

      assertThat(fate).isInstanceOf(Fate.Failed.class);
      assertThat(((Fate.Failed) fate).why()).contains("554 refused");
    }
  }

  @Test
  void aServerThatDiesInTheMiddleOfAMailHasNotTakenIt() throws Exception {
    server.dyingInData();

    try (var talk = open()) {
      assertThat(talk.send(large("a@x.example"))).isInstanceOf(Fate.Failed.class);
    }

    assertThat(server.received()).isEmpty();
  }

  @Test
  void aServerThatDiesAfterTheEndOfAMailMayHaveTakenIt() throws Exception {
    server.ending(Ending.TAKE_AND_DIE);

    try (var talk = open()) {
      assertThat(talk.send(letter("a@x.example"))).isInstanceOf(Fate.Unknown.class);

      server.ending(Ending.TAKE);
      talk.open();
      assertThat(talk.send(letter("b@x.example"))).isInstanceOf(Fate.Accepted.class);
    }
  }

  @Test
  void aServerThatNeverAnswersTheEndOfAMailMayHaveTakenIt() throws Exception {
    server.ending(Ending.HOLD);

    try (var talk = open()) {
      var fate = talk.send(letter("a@x.example"));

      assertThat(fate).isInstanceOf(Fate.Unknown.class);
      assertThat(((Fate.Unknown) fate).why()).contains("no answer in time");
    }
  }

  @Test
  void aServerThatSaysNothingIsGivenUp() {
    server.greeting(Greeting.NONE);

    assertThatThrownBy(this::open)
        .isInstanceOf(NoTalkException.class)
        .hasMessageContaining("no answer in time");
  }

  @Test
  void aServerThatIsBusyOrAbsentIsNoTalk() throws Exception {
    server.greeting(Greeting.BUSY);
    assertThatThrownBy(this::open).isInstanceOf(NoTalkException.class);

    server.close();
    assertThatThrownBy(this::open).isInstanceOf(NoTalkException.class);
  }

  @Test
  void aServerWithoutEncryptionGetsNothingWhenItIsWanted() {
    var mailbox = mailbox("localhost", server.port(), Security.STARTTLS, null, null);

    assertThatThrownBy(() -> talk(mailbox).open())
        .isInstanceOf(NoTalkException.class)
        .hasMessageContaining("STARTTLS");
    assertThat(server.received()).isEmpty();
  }

  @Test
  void certificatesThatNobodyVouchesForAreRefused() {
    var green = new GreenMail(new ServerSetup(0, null, ServerSetup.PROTOCOL_SMTPS));
    green.start();
    try {
      int port = green.getSmtps().getPort();
      var mailbox = mailbox("localhost", port, Security.TLS, null, null);

      assertThatThrownBy(() -> talk(mailbox).open())
          .isInstanceOf(NoTalkException.class)
          .hasMessageContaining("certificat");
    } finally {
      green.stop();
    }
  }

  @Test
  void aTrustedCertificateOfAnotherHostIsRefused() {
    var green = new GreenMail(new ServerSetup(0, null, ServerSetup.PROTOCOL_SMTPS));
    green.start();
    try {
      int port = green.getSmtps().getPort();
      var mailbox = mailbox("mail.other.example", port, Security.TLS, null, null);

      assertThatThrownBy(() -> talk(mailbox, new DummySSLSocketFactory()).open())
          .isInstanceOf(NoTalkException.class);
    } finally {
      green.stop();
    }
  }

  @Test
  void namesTextsAndFilesArriveInEveryLanguage(@TempDir Path folder) throws Exception {
    var green = new GreenMail(new ServerSetup(0, null, ServerSetup.PROTOCOL_SMTP));
    green.start();
    try {
      var file = Files.writeString(folder.resolve("0"), "内容 ".repeat(2_000));
      var letter =
          new Letter(
              "id-2@x.example",
              new Person("发件人 “甲”", "me@x.example"),
              List.of(new Person("张三, 李四", "zhang@x.example")),
              List.of(new Person("Åsa <x>", "asa@x.example")),
              List.of(),
              "第三季度报表 – Ünïcödé " + "长".repeat(100),
              "您好\n.\n请查收",
              "<p>您好</p>",
              List.of(new Enclosure("华东 销售 报表 " + "很长".repeat(40) + ".xlsx", file)),
              Instant.EPOCH);
      try (var talk =
          talk(mailbox("localhost", green.getSmtp().getPort(), Security.NONE, null, null))) {
        talk.open();
        assertThat(talk.send(letter)).isInstanceOf(Fate.Accepted.class);
      }

      var mime = green.getReceivedMessages()[0];
      assertThat(mime.getSubject()).isEqualTo(letter.subject());
      assertThat(mime.getSentDate().toInstant()).isEqualTo(Instant.EPOCH);
      assertThat(mime.getMessageID()).isEqualTo("<id-2@x.example>");
      assertThat(((InternetAddress) mime.getFrom()[0]).getPersonal()).isEqualTo("发件人 “甲”");
      assertThat(((InternetAddress) mime.getRecipients(RecipientType.TO)[0]).getPersonal())
          .isEqualTo("张三, 李四");
      assertThat(((InternetAddress) mime.getRecipients(RecipientType.CC)[0]).getPersonal())
          .isEqualTo("Åsa <x>");
      checkParts(mime, letter, Files.readAllBytes(file));
    } finally {
      green.stop();
    }
  }

  private static void checkParts(MimeMessage mime, Letter letter, byte[] content) throws Exception {
    var mixed = (MimeMultipart) mime.getContent();
    var texts = (MimeMultipart) mixed.getBodyPart(0).getContent();
    assertThat(texts.getContentType()).startsWith("multipart/alternative");
    assertThat(texts.getBodyPart(0).getContent().toString().replace("\r", ""))
        .isEqualTo("您好\n.\n请查收");
    assertThat(texts.getBodyPart(1).getContent()).isEqualTo("<p>您好</p>");
    var enclosed = mixed.getBodyPart(1);
    assertThat(MimeUtility.decodeText(enclosed.getFileName()))
        .isEqualTo(letter.enclosures().getFirst().name());
    assertThat(enclosed.getContentType()).contains("spreadsheetml");
    try (var in = enclosed.getInputStream()) {
      assertThat(Arrays.equals(in.readAllBytes(), content)).isTrue();
    }
  }

  @Test
  void aTalkThatIsBrokenOffEndsAtOnce() throws Exception {
    server.ending(Ending.HOLD);
    try (var talk =
        talk(
            mailbox("localhost", server.port(), Security.NONE, null, null),
            Duration.ofMinutes(5))) {
      talk.open();
      var breaker =
          Thread.ofVirtual()
              .start(
                  () -> {
                    org.awaitility.Awaitility.await().until(() -> server.received().size() == 1);
                    talk.hangUp();
                  });

      assertThat(talk.send(letter("a@x.example"))).isInstanceOf(Fate.Unknown.class);
      breaker.join();
    }
  }

  private SmtpTalk open() throws NoTalkException {
    var talk = talk(mailbox("localhost", server.port(), Security.NONE, null, null));
    talk.open();
    return talk;
  }

  private static SmtpTalk talk(Mailbox mailbox) {
    return talk(mailbox, Duration.ofSeconds(2));
  }

  private static SmtpTalk talk(Mailbox mailbox, Duration answer) {
    var trusted = (SSLSocketFactory) SSLSocketFactory.getDefault();
    return new SmtpTalk(mailbox, new SmtpSettings(Duration.ofSeconds(5), answer, trusted));
  }

  private static SmtpTalk talk(Mailbox mailbox, SSLSocketFactory trusted) {
    var wait = Duration.ofSeconds(5);
    return new SmtpTalk(mailbox, new SmtpSettings(wait, wait, trusted));
  }

  private static Mailbox mailbox(
      String host, int port, Security security, @Nullable String user, @Nullable String password) {
    var address = new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
    return new Mailbox(host, List.of(address), security, user, password);
  }

  private static Letter large(String to) {
    var letter = letter(to);
    return new Letter(
        letter.messageId(),
        letter.from(),
        letter.to(),
        letter.cc(),
        letter.bcc(),
        letter.subject(),
        "many lines\n".repeat(200_000),
        null,
        List.of(),
        Instant.EPOCH);
  }

  private static Letter letter(String... to) {
    return new Letter(
        "id-1@x.example",
        new Person("Me", "me@x.example"),
        Arrays.stream(to).map(email -> new Person("", email)).toList(),
        List.of(),
        List.of(new Person("", "hidden@x.example")),
        "Subject",
        "Text",
        null,
        List.of(),
        Instant.EPOCH);
  }
}
