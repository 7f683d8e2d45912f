package io.fengyu.agent.mcp.wire;

import io.vertx.core.Context;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClientRequest;
import io.vertx.core.http.HttpClientResponse;
import java.io.ByteArrayOutputStream;
import java.time.Duration;
import java.util.Locale;
import java.util.Objects;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** A response whose body is fetched piece by piece; made on the event loop of its connection. */
final class HttpReply implements Bytes {

  private enum Mark {
    END,
    BROKEN
  }

  private final HttpClientRequest request;
  private final HttpClientResponse response;
  private final Context context;
  // Holds at most one piece, because only one is asked for at a time, and the mark of the end.
  private final LinkedBlockingQueue<Object> pieces = new LinkedBlockingQueue<>();
  private volatile boolean complete;

  HttpReply(HttpClientRequest request, HttpClientResponse response) {
    this.request = request;
    this.response = response;
    this.context = Objects.requireNonNull(Vertx.currentContext());
    response.pause();
    response.handler(piece -> pieces.add(piece.getBytes()));
    response.exceptionHandler(failure -> pieces.add(Mark.BROKEN));
    response.endHandler(this::ended);
    response.fetch(1);
  }

  private void ended(@Nullable Void nothing) {
    complete = true;
    pieces.add(Mark.END);
  }

  int status() {
    return response.statusCode();
  }

  @Nullable String header(String name) {
    return response.getHeader(name);
  }

  /** The media type without parameters, in lower case; empty when there is none. */
  String mediaType() {
    var type = header("Content-Type");
    return type == null ? "" : type.replaceFirst(";.*", "").strip().toLowerCase(Locale.ROOT);
  }

  @Override
  public byte @Nullable [] next(Deadline deadline) throws McpException, InterruptedException {
    var piece = pieces.poll(deadline.leftNanos(), TimeUnit.NANOSECONDS);
    if (piece == null) {
      throw McpException.late();
    }
    if (piece instanceof byte[] bytes) {
      context.runOnContext(now -> response.fetch(1));
      return bytes;
    }
    pieces.add(piece);
    if (piece == Mark.BROKEN) {
      throw HttpLink.broken();
    }
    return null;
  }

  /** The whole body. */
  byte[] whole(Memory.Share memory, Deadline deadline) throws McpException, InterruptedException {
    memory.free();
    var body = new ByteArrayOutputStream();
    for (var piece = next(deadline); piece != null; piece = next(deadline)) {
      memory.take(piece.length);
      body.writeBytes(piece);
    }
    return body.toByteArray();
  }

  /** A body that only explains a refusal; empty when it is long. */
  String excerpt(int most, Deadline deadline) throws InterruptedException {
    var body = Buffer.buffer();
    try {
      for (var piece = next(deadline); piece != null; piece = next(deadline)) {
        body.appendBytes(piece);
        if (body.length() > most) {
          return "";
        }
      }
      return body.toString();
    } catch (McpException brokeOff) {
      return "";
    }
  }

  /** Reads what is left and nobody needs; false when that does not come to an end in time. */
  boolean ends(Duration within) {
    var deadline = Deadline.in(within);
    try {
      while (!complete && next(deadline) != null) {
        // The next piece is of no interest either.
      }
      return complete;
    } catch (McpException late) {
      return false;
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  /** Gives the connection up unless the body has been read to its end. */
  void discard() {
    if (!complete) {
      request.reset();
    }
  }
}
