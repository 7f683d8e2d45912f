package io.fengyu.console.proxy;

import io.vertx.core.Context;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.core.http.HttpVersion;
import java.util.Objects;

/** The body of an answer, passed on piece by piece; it never ends cleaner than it came. */
final class Answer {

  private static final int EMPTY_LINE = 0x0a0a;

  private final boolean stream;
  private final HttpClientResponse from;
  private final HttpServerRequest inbound;
  private final HttpServerResponse to;
  private final Context loop = Objects.requireNonNull(Vertx.currentContext());

  /** True from the last piece, or the break, on: the connection may serve somebody else by now. */
  private boolean received;

  /** The last two bytes passed on: an event stream may be interrupted after an empty line only. */
  private int tail;

  Answer(HttpClientResponse from, HttpServerRequest inbound, boolean stream) {
    this.from = from;
    this.inbound = inbound;
    this.to = inbound.response();
    this.stream = stream;
    this.tail = stream ? EMPTY_LINE : 0;
  }

  void start() {
    from.exceptionHandler(
        broken -> {
          received = true;
          breakOff();
        });
    from.endHandler(ended -> finish());
    from.handler(this::pass);
    if (to.isChunked()) {
      to.writeHead();
    }
  }

  /** Ends an event stream between two events, so that its reader comes back by its cursor. */
  void drain() {
    loop.runOnContext(
        now -> {
          if (to.ended() || to.closed()) {
            return;
          }
          if (tail == EMPTY_LINE) {
            to.write(": draining\n\n");
          }
          to.end();
          drop();
        });
  }

  /**
   * Takes nothing more. What has ended, also if its end waits here unread, is left alone: to reset
   * it would close a connection that another request is under way on.
   */
  void drop() {
    if (received) {
      return;
    }
    from.handler(ignored -> {});
    from.exceptionHandler(broken -> received = true);
    from.endHandler(ended -> received = true);
    from.resume();
    loop.runOnContext(
        now -> {
          if (!received) {
            from.request().reset();
          }
        });
  }

  /** Nothing more will come: the reader of a stream comes back, others must not wait. */
  void abandon() {
    if (stream) {
      drain();
    } else {
      breakOff();
      drop();
    }
  }

  private void pass(Buffer piece) {
    if (to.closed()) {
      return;
    }
    to.write(piece);
    for (var i = Math.max(0, piece.length() - 2); i < piece.length(); i++) {
      tail = ((tail << 8) | (piece.getByte(i) & 0xff)) & 0xffff;
    }
    if (to.writeQueueFull()) {
      from.pause();
      to.drainHandler(room -> from.resume());
    }
  }

  private void finish() {
    received = true;
    if (!to.ended() && !to.closed()) {
      to.end();
      Leftovers.discard(inbound);
    }
  }

  /** The service died in the middle: the client must not take what it got for the whole. */
  private void breakOff() {
    if (!to.ended() && !to.closed()) {
      if (inbound.version() == HttpVersion.HTTP_2) {
        to.reset();
      } else {
        inbound.connection().close();
      }
    }
  }
}
