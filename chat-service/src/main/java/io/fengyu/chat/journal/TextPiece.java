package io.fengyu.chat.journal;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.io.JsonStringEncoder;
import com.fasterxml.jackson.databind.ObjectReader;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.util.ArrayList;
import java.util.List;

/** Consecutive fragments of a text on their way into one row. */
final class TextPiece {

  /** A piece is stored at the latest so long after its first fragment. */
  static final long PATIENCE_MS = 50;

  private static final int MAX_CHARS = 4096 / 3;
  private static final ObjectReader READER = JsonMapper.builder().build().reader();
  private static final JsonStringEncoder ENCODER = JsonStringEncoder.getInstance();

  private final String type;
  private final long first;
  private final StringBuilder data = new StringBuilder("[");
  private int chars;
  private int fragments;

  TextPiece(String type, long first) {
    this.type = type;
    this.first = first;
  }

  /** False when the fragment belongs into the next piece; a longer one travels alone. */
  boolean takes(String other, String text) {
    return type.equals(other) && chars + text.length() <= MAX_CHARS;
  }

  void add(String text) {
    if (fragments++ > 0) {
      data.append(',');
    }
    data.append('"');
    ENCODER.quoteAsString(text, data);
    data.append('"');
    chars += text.length();
  }

  boolean full() {
    return chars >= MAX_CHARS;
  }

  EventRow row(LiveTurn turn) {
    return new EventRow(turn, first, first + fragments - 1, type, data + "]");
  }

  /** The fragments of a stored piece. */
  static List<String> read(String data) {
    try {
      var texts = new ArrayList<String>();
      READER.readTree(data).forEach(text -> texts.add(text.asText()));
      return texts;
    } catch (JsonProcessingException damaged) {
      throw new IllegalStateException("a stored piece of text is no JSON", damaged);
    }
  }
}
