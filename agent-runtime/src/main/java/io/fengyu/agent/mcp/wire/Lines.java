package io.fengyu.agent.mcp.wire;

import java.io.ByteArrayOutputStream;
import org.jspecify.annotations.Nullable;

/** Puts lines together from bytes that may be cut anywhere. */
final class Lines {

  private final Bytes bytes;
  private final boolean carriageReturnEnds;
  private final Memory.Share memory;
  private byte[] piece = {};
  private int at;
  private boolean afterCarriageReturn;

  private Lines(Bytes bytes, boolean carriageReturnEnds, Memory.Share memory) {
    this.bytes = bytes;
    this.carriageReturnEnds = carriageReturnEnds;
    this.memory = memory;
  }

  /** Lines end with LF, CR LF or a lone CR, as in event streams. */
  static Lines ofEvents(Bytes bytes, Memory.Share memory) {
    return new Lines(bytes, true, memory);
  }

  /** Lines end with LF. */
  static Lines ofMessages(Bytes bytes, Memory.Share memory) {
    return new Lines(bytes, false, memory);
  }

  /** The next whole line without its end; null when there is none. Half a line is dropped. */
  byte @Nullable [] next(Deadline deadline) throws McpException, InterruptedException {
    var line = new ByteArrayOutputStream();
    while (true) {
      if (at == piece.length && !more(deadline)) {
        return null;
      }
      skipRestOfEnd();
      int end = end();
      memory.take(end - at);
      line.write(piece, at, end - at);
      at = end;
      if (at < piece.length) {
        afterCarriageReturn = piece[at] == '\r';
        at++;
        return line.toByteArray();
      }
    }
  }

  private boolean more(Deadline deadline) throws McpException, InterruptedException {
    var next = bytes.next(deadline);
    if (next == null) {
      return false;
    }
    piece = next;
    at = 0;
    return true;
  }

  // A line feed right after a carriage return that ended a line belongs to that end.
  private void skipRestOfEnd() {
    if (afterCarriageReturn && at < piece.length) {
      at += piece[at] == '\n' ? 1 : 0;
      afterCarriageReturn = false;
    }
  }

  private int end() {
    int end = at;
    while (end < piece.length && !ends(piece[end])) {
      end++;
    }
    return end;
  }

  private boolean ends(byte character) {
    return character == '\n' || (carriageReturnEnds && character == '\r');
  }
}
