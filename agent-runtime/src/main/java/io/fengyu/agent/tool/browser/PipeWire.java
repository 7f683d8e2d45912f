package io.fengyu.agent.tool.browser;

import io.fengyu.agent.process.Child;
import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/** A browser that was started here: nobody else can speak to it. Messages end with a NUL. */
final class PipeWire implements Wire {

  private static final Logger LOG = Logger.getLogger(PipeWire.class);
  private static final Duration END_PATIENCE = Duration.ofSeconds(5);

  private final Child child;
  private final Runnable closed;
  private final ReentrantLock lock = new ReentrantLock();

  /**
   * Takes over a process.
   *
   * @param closed run when the process has ended
   */
  PipeWire(Child child, Runnable closed) {
    this.child = child;
    this.closed = closed;
  }

  // Reads of pipes would hold the carriers of virtual threads.
  @Override
  public void listen(Consumer<String> message, Runnable gone) {
    Thread.ofPlatform().daemon().name("browser-out").start(() -> read(message, gone));
    Thread.ofPlatform().daemon().name("browser-err").start(this::drain);
  }

  private void read(Consumer<String> message, Runnable gone) {
    try (var in = new BufferedInputStream(child.stdout(), 65_536)) {
      for (var next = next(in); next != null; next = next(in)) {
        message.accept(next);
      }
    } catch (IOException broken) {
      LOG.debugf("The browser does not answer any more: %s", broken.getMessage());
    } finally {
      gone.run();
    }
  }

  private static @Nullable String next(InputStream in) throws IOException {
    var message = new ByteArrayOutputStream(512);
    for (int c = in.read(); c >= 0; c = in.read()) {
      if (c == 0) {
        return message.toString(StandardCharsets.UTF_8);
      }
      message.write(c);
    }
    return null;
  }

  private void drain() {
    try (var in = child.stderr()) {
      in.transferTo(OutputStream.nullOutputStream());
    } catch (IOException broken) {
      LOG.debugf("The browser says nothing any more: %s", broken.getMessage());
    }
  }

  @Override
  public void send(String message) {
    lock.lock();
    try {
      child.stdin().write((message + '\0').getBytes(StandardCharsets.UTF_8));
      child.stdin().flush();
    } catch (IOException gone) {
      LOG.debugf("The browser does not listen any more: %s", gone.getMessage());
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void close() {
    if (!child.end(END_PATIENCE)) {
      LOG.warnf("The browser, process %d, can't be ended yet", child.pid());
    }
    closed.run();
  }
}
