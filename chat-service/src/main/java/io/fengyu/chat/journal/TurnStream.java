package io.fengyu.chat.journal;

import io.netty.buffer.Unpooled;
import io.vertx.core.Context;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerResponse;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * One client that reads a turn: a cursor and a socket, nothing else. It takes the next events only
 * when the socket has room, from memory if they are there and from the table if not, so that a slow
 * client costs nobody anything, and closing it ends nothing.
 */
final class TurnStream {

  private static final Logger LOG = Logger.getLogger(TurnStream.class);
  private static final int PAGE_BYTES = 64 * 1024;
  // A query that never answers would silence the client for good; closed, it comes back.
  private static final Duration PAGE_WITHIN = Duration.ofSeconds(10);
  private static final byte[] CONNECTED = bytes(": connected\n\n");
  private static final byte[] HEARTBEAT = bytes(": heartbeat\n\n");
  private static final byte[] DRAINING = bytes(": draining\n\n");

  private final UUID id;
  private final HttpServerResponse response;
  private final Context context;
  private final LiveTurns turns;
  private final TurnPages pages;
  private final boolean ended;
  private final Runnable closed;
  private final Runnable wake = this::wake;
  private final AtomicBoolean woken = new AtomicBoolean();

  // Used on the context of the connection only.
  private long cursor;
  private @Nullable LiveTurn live;
  private boolean reading;
  private boolean again;
  private boolean over;
  private long lastWrite = System.nanoTime();
  private long fullSince;

  /**
   * @param context of the connection
   * @param cursor the last event the client has; -1 for none
   * @param ended true when the turn was over at the start, so that nothing is waited for
   * @param closed runs once, when the stream is over
   */
  TurnStream(
      UUID id,
      HttpServerResponse response,
      Context context,
      LiveTurns turns,
      TurnPages pages,
      long cursor,
      boolean ended,
      Runnable closed) {
    this.id = id;
    this.response = response;
    this.context = context;
    this.turns = turns;
    this.pages = pages;
    this.cursor = cursor;
    this.ended = ended;
    this.closed = closed;
  }

  private static byte[] bytes(String text) {
    return text.getBytes(java.nio.charset.StandardCharsets.UTF_8);
  }

  /** Sends the head and begins to follow the turn. */
  void open() {
    head(response);
    response.setChunked(true);
    response.exceptionHandler(failure -> finish());
    response.drainHandler(drained -> drained());
    live = turns.find(id);
    if (live != null) {
      live.watch(wake);
    } else {
      turns.watch(id, wake);
    }
    write(CONNECTED);
    pump();
  }

  private static void head(HttpServerResponse response) {
    response.putHeader("Content-Type", "text/event-stream");
    response.putHeader("Cache-Control", "no-store");
    response.putHeader("X-Accel-Buffering", "no");
  }

  /** Sends one frame that is no event of the turn, and closes. */
  static void refuse(HttpServerResponse response, String data) {
    head(response);
    response.end(Buffer.buffer(": connected\n\n" + error(data)));
  }

  private static String error(String data) {
    return "event: error\ndata: " + data + "\n\n";
  }

  /** The connection is gone. */
  void gone() {
    context.runOnContext(now -> finish());
  }

  /** The process stops: the client comes back elsewhere, by its cursor. */
  void drain() {
    context.runOnContext(
        now -> {
          if (!over) {
            response.end(Buffer.buffer(DRAINING));
            finish();
          }
        });
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
      LOG.debugf("A client of turn %s takes nothing and is dropped", id);
      finish();
      response.reset();
    }
  }

  // The events of one read from the provider are written together: all of them are there before
  // the context comes to this.
  private void wake() {
    if (woken.compareAndSet(false, true)) {
      context.runOnContext(now -> pump());
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
    }
    while (!over && !reading) {
      if (response.writeQueueFull()) {
        fullSince = fullSince == 0 ? System.nanoTime() : fullSince;
        return;
      }
      var turn = live;
      if (turn != null && turn.left()) {
        leave(turn);
        continue;
      }
      var page = turn == null ? null : turn.after(cursor, PAGE_BYTES);
      if (turn == null || page == null) {
        readTable();
      } else if (page.isEmpty()) {
        closeIf(turn.over());
        return;
      } else {
        send(page);
      }
    }
  }

  // This process executes it no longer: what was shown and not stored will never be there.
  private void leave(LiveTurn turn) {
    live = null;
    turn.unwatch(wake);
    if (!turn.storedUpTo(cursor)) {
      response.end(Buffer.buffer(error(TurnStreams.lostFragments(id))));
      finish();
      return;
    }
    turns.watch(id, wake);
  }

  private void closeIf(boolean nothingMoreComes) {
    if (nothingMoreComes && !over) {
      response.end();
      finish();
    }
  }

  private void readTable() {
    reading = true;
    again = false;
    pages
        .after(id, cursor)
        .ifNoItem()
        .after(PAGE_WITHIN)
        .fail()
        .subscribe()
        .with(
            page -> context.runOnContext(now -> read(page)),
            failure -> context.runOnContext(now -> notRead(failure)));
  }

  private void read(List<Frame> page) {
    reading = false;
    if (over) {
      return;
    }
    if (!page.isEmpty()) {
      send(page);
      pump();
    } else if (again || live != null) {
      pump();
    } else {
      closeIf(ended);
    }
  }

  private void notRead(Throwable failure) {
    LOG.debugf("Events of turn %s cannot be read: %s", id, failure.getMessage());
    reading = false;
    if (!over) {
      response.end();
      finish();
    }
  }

  private void send(List<Frame> page) {
    var terminal = false;
    var count = 0;
    var size = 0;
    for (var frame : page) {
      if (terminal || frame.seq() != cursor + 1) {
        break;
      }
      cursor = frame.seq();
      terminal = frame.terminal();
      size += frame.bytes().length;
      count++;
    }
    if (count == 0) {
      // What comes next is gone: the turn was so long that its oldest events were removed.
      response.end(Buffer.buffer(error(TurnStreams.lostFragments(id))));
      finish();
      return;
    }
    write(count == 1 ? page.getFirst().bytes() : joined(page.subList(0, count), size));
    if (terminal) {
      response.end();
      finish();
    }
  }

  private static byte[] joined(List<Frame> frames, int size) {
    var all = new byte[size];
    var at = 0;
    for (var frame : frames) {
      System.arraycopy(frame.bytes(), 0, all, at, frame.bytes().length);
      at += frame.bytes().length;
    }
    return all;
  }

  // Without a copy: the same bytes go to every reader. There is no other way to say so.
  @SuppressWarnings("deprecation")
  private void write(byte[] bytes) {
    lastWrite = System.nanoTime();
    response.write(Buffer.buffer(Unpooled.wrappedBuffer(bytes)));
  }

  private void finish() {
    if (!over) {
      over = true;
      var turn = live;
      if (turn != null) {
        turn.unwatch(wake);
      } else {
        turns.unwatch(id, wake);
      }
      closed.run();
    }
  }
}
