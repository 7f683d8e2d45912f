package io.fengyu.agent.journal;

import io.vertx.core.Context;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerResponse;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * One client that watches a run: a cursor and a socket, nothing else. It takes the next events only
 * when the socket has room, from memory if they are there and from the table if not, so that a slow
 * client costs nobody anything.
 */
final class EventStream {

  private static final Logger LOG = Logger.getLogger(EventStream.class);
  private static final int PAGE_EVENTS = 200;
  private static final int PAGE_CHARS = 64 * 1024;

  // A query that never answers would silence the client for good; closed, it comes back.
  private static final Duration PAGE_WITHIN = Duration.ofSeconds(10);
  private static final Buffer CONNECTED = Buffer.buffer(": connected\n\n");
  private static final Buffer HEARTBEAT = Buffer.buffer(": heartbeat\n\n");
  private static final Buffer DRAINING = Buffer.buffer(": draining\n\n");

  private final UUID runId;
  private final HttpServerResponse response;
  private final Context context;
  private final LiveRuns live;
  private final EventPages pages;
  private final boolean ended;
  private final Consumer<Instant> announced;
  private final Runnable closed;
  private final Runnable wake = this::wake;
  private final AtomicBoolean woken = new AtomicBoolean();

  // Used on the context of the connection only.
  private long cursor;
  private @Nullable LiveRun followed;
  private boolean reading;
  private boolean again;
  private boolean over;
  private boolean caughtUp;
  private long lastWrite = System.nanoTime();
  private long fullSince;

  /**
   * @param context of the connection
   * @param cursor the last event the client has; -1 for none
   * @param ended true when the run was over at the start, so that nothing is waited for
   * @param announced told the time of an event that another replica wrote while this one waited
   * @param closed runs once, when the stream is over
   */
  EventStream(
      UUID runId,
      HttpServerResponse response,
      Context context,
      LiveRuns live,
      EventPages pages,
      long cursor,
      boolean ended,
      Consumer<Instant> announced,
      Runnable closed) {
    this.runId = runId;
    this.response = response;
    this.context = context;
    this.live = live;
    this.pages = pages;
    this.cursor = cursor;
    this.ended = ended;
    this.announced = announced;
    this.closed = closed;
  }

  /** Sends the head and begins to follow the run. */
  void open() {
    response.setChunked(true);
    response.putHeader("Content-Type", "text/event-stream");
    response.putHeader("Cache-Control", "no-store");
    response.putHeader("X-Accel-Buffering", "no");
    response.exceptionHandler(failure -> finish());
    response.drainHandler(drained -> drained());
    live.watch(runId, wake);
    write(CONNECTED);
    pump();
  }

  /** Sends one frame that is no event of the run, and closes. */
  static void refuse(HttpServerResponse response, String type, String data) {
    response.putHeader("Content-Type", "text/event-stream");
    response.putHeader("Cache-Control", "no-store");
    response.end(Buffer.buffer(": connected\n\nevent: " + type + "\ndata: " + data + "\n\n"));
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
            response.end(DRAINING);
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
      LOG.debugf("A client of run %s takes nothing and is dropped", runId);
      finish();
      response.reset();
    }
  }

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
      var run = live.find(runId);
      if (torn(run)) {
        tear();
        return;
      }
      var page = run == null ? null : run.after(cursor, PAGE_CHARS);
      if (run == null || page == null) {
        readTable(run);
      } else if (page.isEmpty()) {
        closeIf(run.over());
        return;
      } else {
        send(page);
      }
    }
  }

  // Its executor lost the run while fragments were shown that the table will never have.
  private boolean torn(@Nullable LiveRun run) {
    var before = followed;
    if (run != null) {
      followed = run;
    }
    return run == null && before != null && before.tornBefore(cursor);
  }

  private void tear() {
    var frame = RunProblems.replayFrame(runId, "the last fragments were not stored");
    response.end(Buffer.buffer("event: replay_unavailable\ndata: " + frame + "\n\n"));
    finish();
  }

  private void closeIf(boolean nothingMoreComes) {
    if (nothingMoreComes && !over) {
      response.end();
      finish();
    }
  }

  private void readTable(@Nullable LiveRun run) {
    reading = true;
    again = false;
    pages
        .after(runId, cursor, PAGE_EVENTS)
        .ifNoItem()
        .after(PAGE_WITHIN)
        .fail()
        .subscribe()
        .with(
            page -> context.runOnContext(now -> read(shown(page, run))),
            failure -> context.runOnContext(now -> notRead(failure)));
  }

  // The end of a run executed here is shown once it was read back, though it is in the table.
  private static List<StoredEvent> shown(List<StoredEvent> page, @Nullable LiveRun run) {
    if (run == null || run.left()) {
      return page;
    }
    var newest = run.lastSeq();
    return page.stream().filter(event -> event.seq() <= newest).toList();
  }

  private void read(List<StoredEvent> page) {
    reading = false;
    if (over) {
      return;
    }
    if (!page.isEmpty()) {
      if (caughtUp) {
        announced.accept(page.getLast().createdAt());
      }
      caughtUp = false;
      send(page);
      pump();
    } else if (again) {
      pump();
    } else {
      caughtUp = true;
      closeIf(ended);
    }
  }

  private void notRead(Throwable failure) {
    LOG.debugf("Events of run %s cannot be read: %s", runId, failure.getMessage());
    reading = false;
    if (!over) {
      response.end();
      finish();
    }
  }

  private void send(List<StoredEvent> page) {
    var text = new StringBuilder(page.size() * 256);
    var terminal = false;
    for (var event : page) {
      if (event.seq() == cursor + 1 && !terminal) {
        frame(text, event);
        cursor = event.seq();
        terminal = event.terminal();
      }
    }
    write(Buffer.buffer(text.toString()));
    if (terminal) {
      response.end();
      finish();
    }
  }

  private static void frame(StringBuilder text, StoredEvent event) {
    text.append("id: ").append(event.seq()).append("\nevent: ").append(event.type());
    text.append("\ndata: ");
    event.appendNumbered(text);
    text.append("\n\n");
  }

  private void write(Buffer bytes) {
    lastWrite = System.nanoTime();
    response.write(bytes);
  }

  private void finish() {
    if (!over) {
      over = true;
      live.unwatch(runId, wake);
      closed.run();
    }
  }
}
