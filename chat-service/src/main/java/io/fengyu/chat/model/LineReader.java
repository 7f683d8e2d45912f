package io.fengyu.chat.model;

import io.vertx.core.buffer.Buffer;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.function.Consumer;

/**
 * Puts lines together from bytes that may be cut anywhere, also inside a character or between the
 * two bytes of a line end.
 */
final class LineReader {

  static final int LONGEST_LINE = 8 * 1024 * 1024;

  private final boolean carriageReturnEnds;
  private final Consumer<String> lines;
  private final ByteArrayOutputStream line = new ByteArrayOutputStream();
  private boolean afterCarriageReturn;

  private LineReader(boolean carriageReturnEnds, Consumer<String> lines) {
    this.carriageReturnEnds = carriageReturnEnds;
    this.lines = lines;
  }

  /** Lines end with LF, CR LF or a lone CR, as in event streams. */
  static LineReader ofEventStream(Consumer<String> lines) {
    return new LineReader(true, lines);
  }

  /** Lines end with LF. */
  static LineReader ofJsonLines(Consumer<String> lines) {
    return new LineReader(false, lines);
  }

  void feed(Buffer bytes) {
    var all = bytes.getBytes();
    var start = 0;
    for (var at = 0; at < all.length; at++) {
      if (ends(all[at])) {
        line.write(all, start, at - start);
        start = at + 1;
        afterLine(all[at]);
      } else {
        afterCarriageReturn = false;
      }
    }
    line.write(all, start, all.length - start);
    if (line.size() > LONGEST_LINE) {
      throw ModelFailure.lasting(ErrorCode.UNKNOWN, "The provider sent a line that is too long");
    }
  }

  /** The characters after the last line end; empty for none. */
  String rest() {
    return line.toString(StandardCharsets.UTF_8);
  }

  private boolean ends(byte character) {
    return character == '\n' || (carriageReturnEnds && character == '\r');
  }

  private void afterLine(byte end) {
    var secondHalf = end == '\n' && afterCarriageReturn && line.size() == 0;
    afterCarriageReturn = end == '\r';
    if (secondHalf) {
      return;
    }
    var text = line.toString(StandardCharsets.UTF_8);
    line.reset();
    lines.accept(text);
  }
}
