package io.fengyu.agent.approval;

import io.vertx.core.Context;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerResponse;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jboss.logging.Logger;

/**
 * One client that watches an inbox: a place and a socket. It takes the next page only when the
 * socket has room, so that a slow client costs nobody anything.
 */
final class InboxStream {

  private static final Logger LOG = Logger.getLogger(InboxStream.class);
  private static final Buffer CONNECTED = Buffer.buffer(": connected\n\n");
  private static final Buffer HEARTBEAT = Buffer.buffer(": heartbeat\n\n");
  private static final Buffer DRAINING = Buffer.buffer(": draining\n\n");

  private final String owner;
  private final HttpServerResponse response;
  private final Context context;
  private final InboxPages pages;
  private final Runnable closed;
  private final AtomicBoolean woken = new AtomicBoolean();

  // Used on the context of the connection only.
  private InboxPlace place;
  private boolean reading;
  private boolean again;
  private boolean over;
  private long lastWrite = System.nanoTime();
  private long fullSince;

  InboxStream(
      String owner,
      HttpServerResponse response,
      Context context,
      InboxPages pages,
      InboxPlace place,
      Runnable closed) {
    this.owner = owner;
    this.response = response;
    this.context = context;
    this.pages = pages;
    this.place = place;
    this.closed = closed;
  }

  String owner() {
    return owner;
  }

  /** Sends the head and begins. */
  void open() {
    response.setChunked(true);
    response.putHeader("Content-Type", "text/event-stream");
    response.putHeader("Cache-Control", "no-store");
    response.putHeader("X-Accel-Buffering", "no");
    response.exceptionHandler(failure -> finish());
    response.drainHandler(drained -> drained());
    write(CONNECTED);
    pump();
  }

  /** There may be something new. */
  void wake() {
    if (woken.compareAndSet(false, true)) {
      context.runOnContext(now -> pump());
    }
  }

  /** The connection is gone. */
  void gone() {
    context.runOnContext(now -> finish());
  }

  /** The process stops: the client comes back elsewhere, by its cursor. */
  void drain() {
    context.runOnContext(now -> end(DRAINING));
  }

  /** Sends a sign of life when it was silent for long, and drops a client that takes nothing. */
  void check(long now, long silenceNanos, long stallNanos) {
    context.runOnContext(
        tick -> {
          if (over) {
            return;
          }
          if (response.writeQueueFull()) {
            dropIfStalled(now, stallNanos);
          } else if (now - lastWrite > silenceNanos) {
            write(HEARTBEAT);
          }
        });
  }

  private void dropIfStalled(long now, long stallNanos) {
    if (fullSince != 0 && now - fullSince > stallNanos) {
      LOG.debug("A client of an inbox takes nothing and is dropped");
      finish();
      response.reset();
    }
  }

  private void drained() {
    fullSince = 0;
    pump();
  }

  private void pump() {
    woken.set(false);
    if (reading) {
      again = true;
      return;
    }
    if (over) {
      return;
    }
    if (response.writeQueueFull()) {
      fullSince = fullSince == 0 ? System.nanoTime() : fullSince;
      return;
    }
    reading = true;
    again = false;
    pages
        .read(owner, place)
        .subscribe()
        .with(
            frames -> context.runOnContext(now -> send(frames)),
            failure -> context.runOnContext(now -> notRead(failure)));
  }

  private void send(InboxPages.Frames frames) {
    reading = false;
    if (over) {
      return;
    }
    place = frames.next();
    if (!frames.text().isEmpty()) {
      write(Buffer.buffer(frames.text()));
    }
    if (again || !frames.last()) {
      pump();
    }
  }

  // The client comes back by its cursor.
  private void notRead(Throwable failure) {
    LOG.debugf("An inbox cannot be read: %s", failure.getMessage());
    reading = false;
    end(Buffer.buffer());
  }

  private void end(Buffer lastWords) {
    if (!over) {
      response.end(lastWords);
      finish();
    }
  }

  private void write(Buffer bytes) {
    lastWrite = System.nanoTime();
    response.write(bytes);
  }

  private void finish() {
    if (!over) {
      over = true;
      closed.run();
    }
  }
}
