package io.fengyu.agent.plugin.worker;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** Reads messages from the output of a process, one a line; what is none is counted. */
final class Answers {

  /** Bytes of one line. */
  static final int LONGEST = 8 << 20;

  private static final int PIECE = 16 * 1024;
  private static final int MOST_NOISE = 100;

  // What all processes together have in half-read lines.
  private static final long MOST_HELD = 64L << 20;
  private static final AtomicLong HELD = new AtomicLong();

  private static final JsonMapper JSON =
      JsonMapper.builder().enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS).build();

  private final InputStream stdout;
  private final byte[] piece = new byte[PIECE];
  private int at;
  private int end;
  private int noise;

  Answers(InputStream stdout) {
    this.stdout = stdout;
  }

  /** What a process writes that is no protocol. */
  static final class BrokenException extends IOException {

    private static final long serialVersionUID = 1L;

    BrokenException(String message) {
      super(message);
    }
  }

  /** The next message; null at the end. Blocks. */
  @Nullable ObjectNode next() throws IOException {
    for (var line = line(); line != null; line = line()) {
      if (parsed(line) instanceof ObjectNode message) {
        return message;
      }
      if (line.length > 0 && ++noise > MOST_NOISE) {
        throw new BrokenException("it writes something else than messages on its output");
      }
    }
    return null;
  }

  /** Lines so far that were no messages. */
  int noise() {
    return noise;
  }

  private static @Nullable JsonNode parsed(byte[] line) throws IOException {
    try {
      return JSON.readTree(line);
    } catch (JsonProcessingException noMessage) {
      return null;
    }
  }

  private byte @Nullable [] line() throws IOException {
    var line = new ByteArrayOutputStream();
    try {
      while (at < end || more()) {
        int from = at;
        while (at < end && piece[at] != '\n') {
          at++;
        }
        take(line, from);
        if (at < end) {
          at++;
          return line.toByteArray();
        }
      }
      return null;
    } finally {
      HELD.addAndGet(-line.size());
    }
  }

  private void take(ByteArrayOutputStream line, int from) throws BrokenException {
    if (line.size() + at - from > LONGEST) {
      throw new BrokenException("it writes a line of more than " + LONGEST + " bytes");
    }
    line.write(piece, from, at - from);
    if (HELD.addAndGet(at - from) > MOST_HELD) {
      throw new BrokenException("too many long lines of plugins are being read at once");
    }
  }

  private boolean more() throws IOException {
    at = 0;
    end = Math.max(0, stdout.read(piece));
    return end > 0;
  }
}
