package io.fengyu.contract.client;

import io.vertx.core.Context;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpClientRequest;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.parsetools.RecordParser;
import java.io.IOException;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** The lines of an answer, as they come; closing it early ends the call on the other side too. */
public final class LineStream implements AutoCloseable {

  private static final int LONGEST_LINE = 32 * 1024 * 1024;
  private static final int AHEAD = 256;

  private sealed interface Item {}

  private record Line(String text) implements Item {}

  private record End() implements Item {}

  private record Broken(String why) implements Item {}

  private final HttpClientRequest request;
  private final RecordParser parser;
  private final Context context;
  // Bounded: past AHEAD lines the sender is held back.
  private final LinkedBlockingQueue<Item> items = new LinkedBlockingQueue<>();
  private final AtomicInteger waiting = new AtomicInteger();
  private volatile boolean over;

  /** Read on the event loop only. */
  private boolean unread;

  /** On the event loop of the response, before its first bytes are delivered. */
  LineStream(HttpClientRequest request, HttpClientResponse response) {
    this.request = request;
    this.context = Objects.requireNonNull(Vertx.currentContext());
    this.parser = RecordParser.newDelimited("\n", response).maxRecordSize(LONGEST_LINE);
    parser.exceptionHandler(failure -> end(new Broken(String.valueOf(failure.getMessage()))));
    parser.endHandler(ended -> end(new End()));
    parser.handler(line -> take(line.toString()));
  }

  private void take(String line) {
    if (unread) {
      return;
    }
    items.add(new Line(line));
    if (waiting.incrementAndGet() == AHEAD) {
      parser.pause();
    }
  }

  private void end(Item last) {
    over = true;
    items.add(last);
  }

  /**
   * The next line; null at the end.
   *
   * @throws TimeoutException when none comes within {@code patience}
   * @throws IOException when the answer was cut
   */
  public @Nullable String next(Duration patience)
      throws InterruptedException, TimeoutException, IOException {
    var item = items.poll(Math.max(0, patience.toNanos()), TimeUnit.NANOSECONDS);
    return switch (item) {
      case null -> throw new TimeoutException("no line within " + patience);
      case Line(var text) -> {
        taken();
        yield text;
      }
      case End end -> {
        items.add(end);
        yield null;
      }
      case Broken(var why) -> throw new IOException(why);
    };
  }

  private void taken() {
    if (waiting.decrementAndGet() == AHEAD / 2) {
      context.runOnContext(now -> parser.resume());
    }
  }

  @Override
  public void close() {
    if (!over) {
      context.runOnContext(now -> letGo());
    }
  }

  // What has ended, though its end waits here unread, is left alone: to reset it would close a
  // connection that another request may be under way on.
  private void letGo() {
    unread = true;
    parser.resume();
    context.runOnContext(
        now -> {
          if (!over) {
            request.reset();
          }
        });
  }
}
