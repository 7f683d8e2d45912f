package io.fengyu.agent.tool.mail.smtp;

import jakarta.mail.Address;
import jakarta.mail.AuthenticationFailedException;
import jakarta.mail.MessagingException;
import jakarta.mail.SendFailedException;
import jakarta.mail.Session;
import jakarta.mail.internet.InternetAddress;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import java.util.stream.Stream;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLSocket;
import org.jspecify.annotations.Nullable;

/**
 * A talk with a mail server, over which one mail after the other is handed over. It belongs to one
 * thread, and that one must be a platform thread, as the library holds monitors while it waits;
 * only {@link #hangUp} is for others.
 */
public final class SmtpTalk implements AutoCloseable {

  private final Mailbox mailbox;
  private final SmtpSettings settings;
  private final Session session;
  private volatile @Nullable Socket socket;
  private volatile boolean hungUp;
  private @Nullable SmtpConnection connection;

  /** A talk that has not begun. */
  public SmtpTalk(Mailbox mailbox, SmtpSettings settings) {
    this.mailbox = mailbox;
    this.settings = settings;
    this.session = Session.getInstance(properties());
  }

  private Properties properties() {
    var properties = new Properties();
    boolean starttls = mailbox.security() == Mailbox.Security.STARTTLS;
    properties.setProperty("mail.smtp.starttls.enable", String.valueOf(starttls));
    properties.setProperty("mail.smtp.starttls.required", String.valueOf(starttls));
    properties.setProperty("mail.smtp.ssl.checkserveridentity", "true");
    properties.put("mail.smtp.ssl.socketFactory", settings.certificates());
    properties.setProperty("mail.smtp.auth", String.valueOf(mailbox.username() != null));
    properties.setProperty("mail.smtp.sendpartial", "true");
    properties.setProperty("mail.smtp.quitwait", "false");
    properties.setProperty("mail.smtp.reportsuccess", "false");
    return properties;
  }

  /** Connects and logs in, unless that was done and the server is still there. */
  public void open() throws NoTalkException {
    if (connection != null && connection.isConnected()) {
      return;
    }
    close();
    var fresh = new SmtpConnection(session, mailbox);
    try {
      var dialled = dial();
      session.getProperties().setProperty("mail.smtp.localhost", literal(dialled));
      fresh.connect(dialled);
      connection = fresh;
    } catch (AuthenticationFailedException refused) {
      throw new NoTalkException(refusal(refused));
    } catch (MessagingException | IOException failed) {
      throw new NoTalkException(mailbox.host() + ": " + why(failed));
    } finally {
      if (connection == null) {
        abandon();
      }
    }
  }

  private String refusal(AuthenticationFailedException refused) {
    return mailbox.password() == null && mailbox.username() != null
        ? "the password of the account is not set"
        : mailbox.host() + " does not accept the login: " + mailbox.told(refused.getMessage());
  }

  private Socket dial() throws IOException {
    IOException last = new IOException("no address");
    for (var address : mailbox.addresses()) {
      try {
        return secured(connected(address));
      } catch (SSLException untrusted) {
        throw untrusted;
      } catch (IOException unreachable) {
        last = unreachable;
      }
    }
    throw last;
  }

  private Socket connected(InetSocketAddress address) throws IOException {
    var dialled = new Socket();
    socket = dialled;
    try {
      if (hungUp) {
        throw new IOException("the talk was broken off");
      }
      // The name goes along with the checked address: certificates are checked against it.
      var named = InetAddress.getByAddress(mailbox.host(), address.getAddress().getAddress());
      dialled.connect(
          new InetSocketAddress(named, address.getPort()), (int) settings.connect().toMillis());
      dialled.setSoTimeout((int) settings.answer().toMillis());
      return dialled;
    } catch (IOException failed) {
      dialled.close();
      throw failed;
    }
  }

  private Socket secured(Socket plain) throws IOException {
    if (mailbox.security() != Mailbox.Security.TLS) {
      return plain;
    }
    var secured =
        (SSLSocket)
            settings.certificates().createSocket(plain, mailbox.host(), plain.getPort(), true);
    var parameters = secured.getSSLParameters();
    parameters.setEndpointIdentificationAlgorithm("HTTPS");
    secured.setSSLParameters(parameters);
    secured.startHandshake();
    return secured;
  }

  private static String literal(Socket dialled) {
    var here = dialled.getLocalAddress().getHostAddress().replaceAll("%.*", "");
    return here.contains(":") ? "[IPv6:" + here + "]" : "[" + here + "]";
  }

  /** Hands a mail over; the talk must be open. */
  public Fate send(Letter letter) {
    var open = connection;
    if (open == null) {
      return new Fate.Failed("the connection to " + mailbox.host() + " is closed");
    }
    open.begin();
    try {
      session.getProperties().setProperty("mail.smtp.from", letter.from().email());
      open.sendMessage(MimeLetter.of(session, letter), addresses(letter));
      return new Fate.Accepted(List.of());
    } catch (MessagingException failed) {
      return fate(open, failed);
    } catch (IOException unreadable) {
      return new Fate.Failed("the mail could not be put together: " + unreadable.getMessage());
    }
  }

  private Fate fate(SmtpConnection open, MessagingException failed) {
    if (open.taken()) {
      return new Fate.Accepted(failed instanceof SendFailedException some ? left(some) : List.of());
    }
    boolean inDoubt = open.inDoubt(failed);
    if (open.unusable(failed)) {
      abandon();
    }
    return inDoubt
        ? new Fate.Unknown(
            mailbox.host() + " was given the mail, but its answer was not heard: " + why(failed))
        : new Fate.Failed(why(failed));
  }

  private static List<String> left(SendFailedException some) {
    return Stream.of(some.getInvalidAddresses(), some.getValidUnsentAddresses())
        .flatMap(addresses -> addresses == null ? Stream.empty() : Stream.of(addresses))
        .map(address -> address instanceof InternetAddress who ? who.getAddress() : "" + address)
        .distinct()
        .toList();
  }

  private static Address[] addresses(Letter letter) throws MessagingException {
    var all = new ArrayList<Address>();
    for (var recipient : letter.recipients()) {
      all.add(new InternetAddress(recipient, true));
    }
    return all.toArray(Address[]::new);
  }

  /** What the server said, or what happened to the connection; the innermost words say most. */
  private String why(Throwable failed) {
    if (hungUp) {
      return "the talk was broken off";
    }
    var words = new ArrayList<String>();
    Throwable at = failed;
    for (int i = 0; at != null && i < 8; i++) {
      if (at instanceof SocketTimeoutException) {
        return "no answer in time";
      }
      if (at.getMessage() != null) {
        words.add(at.getMessage());
      }
      at = at instanceof MessagingException outer ? outer.getNextException() : at.getCause();
    }
    if (words.isEmpty()) {
      return "the connection broke";
    }
    var told = mailbox.told(words.getLast());
    return told.equals("[EOF]") || told.isEmpty() ? "the connection was closed" : told;
  }

  /** Ends the talk at once, from any thread; nothing more is said. */
  public void hangUp() {
    hungUp = true;
    abandon();
  }

  private void abandon() {
    var open = socket;
    if (open != null) {
      try {
        open.close();
      } catch (IOException closedAlready) {
        socket = null;
      }
    }
  }

  /** Takes leave of the server. */
  @Override
  public void close() {
    var open = connection;
    connection = null;
    if (open != null) {
      try {
        open.close();
      } catch (MessagingException gone) {
        abandon();
      }
    }
    abandon();
  }
}
