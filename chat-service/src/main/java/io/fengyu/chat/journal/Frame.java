package io.fengyu.chat.journal;

import com.fasterxml.jackson.core.io.JsonStringEncoder;
import java.nio.charset.StandardCharsets;

/** One event as it goes to every reader: encoded once. */
final class Frame {

  static final String TOKEN = "token";
  static final String THINKING = "thinking";
  static final String TOOL = "tool";
  static final String DONE = "done";
  static final String ERROR = "error";

  private static final JsonStringEncoder ENCODER = JsonStringEncoder.getInstance();

  private final long seq;
  private final byte[] bytes;
  private final boolean terminal;

  private Frame(long seq, byte[] bytes, boolean terminal) {
    this.seq = seq;
    this.bytes = bytes;
    this.terminal = terminal;
  }

  long seq() {
    return seq;
  }

  /** The whole frame, shared by all who read it: nobody changes it. */
  byte[] bytes() {
    return bytes;
  }

  /** True when nothing follows. */
  boolean terminal() {
    return terminal;
  }

  static Frame of(long seq, String type, String data) {
    var text = "id: " + seq + "\nevent: " + type + "\ndata: " + data + "\n\n";
    var terminal = type.equals(DONE) || type.equals(ERROR);
    return new Frame(seq, text.getBytes(StandardCharsets.UTF_8), terminal);
  }

  /** A fragment of a text. */
  static Frame fragment(long seq, String type, String text) {
    var frame = new StringBuilder(text.length() + 64);
    frame
        .append("id: ")
        .append(seq)
        .append("\nevent: ")
        .append(type)
        .append("\ndata: {\"text\":\"");
    ENCODER.quoteAsString(text, frame);
    frame.append("\"}\n\n");
    return new Frame(seq, frame.toString().getBytes(StandardCharsets.UTF_8), false);
  }

  static boolean isText(String type) {
    return type.equals(TOKEN) || type.equals(THINKING);
  }
}
