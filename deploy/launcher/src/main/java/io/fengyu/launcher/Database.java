package io.fengyu.launcher;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.time.Duration;

/** The embedded Postgres as a supervised process. */
final class Database implements Child.Plan {

  private static final Duration READY_WITHIN = Duration.ofSeconds(60);

  private final Postgres postgres;
  private final Child child;
  private volatile int port = Ports.any();

  Database(Postgres postgres, DataDirectory directory, Watchdog watchdog, Runnable onRestart) {
    this.postgres = postgres;
    this.child =
        new Child("postgres", this, directory.freshLog("postgres"), watchdog, "INT", onRestart);
    this.log = directory.log("postgres").toString();
  }

  private final String log;

  /** Returns when it accepts connections and holds the services' roles and schemas. */
  void start() {
    postgres.prepare();
    child.start();
    if (!child.awaitReady(READY_WITHIN)) {
      throw new LaunchException("Postgres does not start; see " + log);
    }
    postgres.bootstrap(port);
  }

  void stop(Duration atMost) {
    child.signalStop();
    child.awaitStopped(atMost);
  }

  Child child() {
    return child;
  }

  int port() {
    return port;
  }

  /** The port stays the same while the launcher runs: the services know it. */
  @Override
  public ProcessBuilder next() {
    return new ProcessBuilder(postgres.command(port));
  }

  /** Asks for encryption, which every Postgres answers with one byte once it takes connections. */
  @Override
  public boolean ready() {
    try (var socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
      socket.setSoTimeout(1_000);
      socket.getOutputStream().write(new byte[] {0, 0, 0, 8, 4, (byte) 0xd2, 0x16, 0x2f});
      return socket.getInputStream().read() > 0;
    } catch (IOException notYet) {
      return false;
    }
  }
}
