package io.fengyu.webhook.delivery;

import io.vertx.core.buffer.Buffer;
import io.vertx.ext.web.RoutingContext;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Reads a body up to a limit, counted as it comes, whatever its headers say. */
final class BodyReader {

  /** The longest body that is taken. */
  static final int MOST_BYTES = 256 * 1024;

  private final Buffer read = Buffer.buffer();
  private final Consumer<byte[]> whole;
  private final Runnable tooLong;
  private boolean over;

  private BodyReader(Consumer<byte[]> whole, Runnable tooLong) {
    this.whole = whole;
    this.tooLong = tooLong;
  }

  /** The request is paused; exactly one of both is called, unless the sender goes away. */
  static void read(RoutingContext context, Consumer<byte[]> whole, Runnable tooLong) {
    var reader = new BodyReader(whole, tooLong);
    var request = context.request();
    if (declared(request.getHeader("Content-Length")) > MOST_BYTES) {
      tooLong.run();
      return;
    }
    request.handler(
        piece -> {
          if (reader.add(piece)) {
            request.pause();
            reader.tooLong.run();
          }
        });
    request.endHandler(ended -> reader.end());
    request.exceptionHandler(gone -> reader.over = true);
    request.resume();
  }

  private static long declared(@Nullable String length) {
    return length == null || !length.matches("[0-9]{1,18}") ? 0 : Long.parseLong(length);
  }

  /** True with the piece that is too much. */
  private boolean add(Buffer piece) {
    if (over) {
      return false;
    }
    over = read.length() + piece.length() > MOST_BYTES;
    if (!over) {
      read.appendBuffer(piece);
    }
    return over;
  }

  private void end() {
    if (!over) {
      over = true;
      whole.accept(read.getBytes());
    }
  }
}
