package io.fengyu.testing.smtp;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;

/** Takes mails on a port of its own; what it does wrong is switched on by the test. */
public final class SmtpServer implements AutoCloseable {

  /** What becomes of a mail whose end has come. */
  public enum Ending {
    /** It is taken, and that is said. */
    TAKE,
    /** It is taken, but the answer waits until {@link #release()}. */
    HOLD,
    /** It is taken, and the connection is closed without a word. */
    TAKE_AND_DIE,
    /** It is refused for good. */
    REFUSE
  }

  /** What a new connection gets. */
  public enum Greeting {
    /** The usual one. */
    USUAL,
    /** None, for as long as the connection is open. */
    NONE,
    /** A refusal. */
    BUSY
  }

  private final ServerSocket listener;
  private final List<ReceivedMail> received = new CopyOnWriteArrayList<>();
  private final Set<Socket> open = ConcurrentHashMap.newKeySet();
  private final Set<String> refused = ConcurrentHashMap.newKeySet();
  private volatile Ending ending = Ending.TAKE;
  private volatile Greeting greeting = Greeting.USUAL;
  private volatile boolean dyingInData;
  private volatile String login = "";
  private volatile CountDownLatch released = new CountDownLatch(1);

  private SmtpServer(ServerSocket listener) {
    this.listener = listener;
  }

  /** Starts a server on a free port of the loopback address. */
  public static SmtpServer start() {
    try {
      var server = new SmtpServer(new ServerSocket(0, 50, InetAddress.getLoopbackAddress()));
      Thread.ofVirtual().name("smtp-listener").start(server::accept);
      return server;
    } catch (IOException taken) {
      throw new UncheckedIOException(taken);
    }
  }

  /** Where it listens. */
  public int port() {
    return listener.getLocalPort();
  }

  /** What it has taken, whether it said so or not. */
  public List<ReceivedMail> received() {
    return List.copyOf(received);
  }

  /** Forgets everything, and behaves from now on. */
  public void reset() {
    release();
    received.clear();
    refused.clear();
    ending = Ending.TAKE;
    greeting = Greeting.USUAL;
    dyingInData = false;
    login = "";
    released = new CountDownLatch(1);
  }

  /** What becomes of the mails that follow. */
  public SmtpServer ending(Ending wanted) {
    ending = wanted;
    return this;
  }

  /** What the connections that follow get. */
  public SmtpServer greeting(Greeting wanted) {
    greeting = wanted;
    return this;
  }

  /** Closes connections in the middle of the mails that follow. */
  public SmtpServer dyingInData() {
    dyingInData = true;
    return this;
  }

  /** Refuses an address for good. */
  public SmtpServer refusing(String recipient) {
    refused.add(recipient);
    return this;
  }

  /** Lets in nobody else. */
  public SmtpServer login(String user, String password) {
    login = user + "\0" + password;
    return this;
  }

  /** Lets answers go that were held. */
  public void release() {
    released.countDown();
  }

  Ending ending() {
    return ending;
  }

  Greeting greeting() {
    return greeting;
  }

  boolean diesInData() {
    return dyingInData;
  }

  boolean refuses(String recipient) {
    return refused.contains(recipient);
  }

  String login() {
    return login;
  }

  void take(ReceivedMail mail) {
    received.add(mail);
  }

  void awaitRelease() throws InterruptedException {
    released.await();
  }

  private void accept() {
    while (!listener.isClosed()) {
      try {
        var client = listener.accept();
        open.add(client);
        Thread.ofVirtual().name("smtp-session").start(() -> serve(client));
      } catch (IOException closed) {
        return;
      }
    }
  }

  private void serve(Socket client) {
    try (client) {
      new SmtpSession(client, this).run();
    } catch (IOException gone) {
      // The client went, or the test closed the server.
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
    } finally {
      open.remove(client);
    }
  }

  @Override
  public void close() {
    try {
      listener.close();
      for (var client : open) {
        client.close();
      }
    } catch (IOException gone) {
      throw new UncheckedIOException(gone);
    }
    release();
  }
}
