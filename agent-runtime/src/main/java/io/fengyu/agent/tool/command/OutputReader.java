package io.fengyu.agent.tool.command;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;

/** Reads a stream of UTF-8 to its end; what is no UTF-8 becomes replacement characters. */
final class OutputReader {

  private static final int CHUNK = 1 << 16;

  private final InputStream in;
  private final Sink sink;
  private final CharsetDecoder decoder =
      StandardCharsets.UTF_8
          .newDecoder()
          .onMalformedInput(CodingErrorAction.REPLACE)
          .onUnmappableCharacter(CodingErrorAction.REPLACE);
  private final CharBuffer decoded = CharBuffer.allocate(CHUNK + 8);
  private final int[] characters = new int[CHUNK + 8];

  /** Takes characters, some at a time. */
  interface Sink {
    void take(int[] characters, int count);
  }

  OutputReader(InputStream in, Sink sink) {
    this.in = in;
    this.sink = sink;
  }

  /** Returns at the end of the stream, or when it is closed under our hands. */
  void read() {
    var bytes = ByteBuffer.allocate(CHUNK);
    try {
      while (true) {
        int read = in.read(bytes.array(), bytes.position(), bytes.remaining());
        if (read < 0) {
          break;
        }
        bytes.limit(bytes.position() + read).position(0);
        decoder.decode(bytes, decoded, false);
        bytes.compact();
        pass();
      }
    } catch (IOException closed) {
      // The process is gone; what it wrote before is here.
    }
    bytes.flip();
    decoder.decode(bytes, decoded, true);
    decoder.flush(decoded);
    pass();
  }

  // The decoder never leaves half a surrogate pair behind.
  private void pass() {
    decoded.flip();
    int count = 0;
    while (decoded.hasRemaining()) {
      char first = decoded.get();
      characters[count++] =
          Character.isHighSurrogate(first) && decoded.hasRemaining()
              ? Character.toCodePoint(first, decoded.get())
              : first;
    }
    decoded.clear();
    sink.take(characters, count);
  }
}
