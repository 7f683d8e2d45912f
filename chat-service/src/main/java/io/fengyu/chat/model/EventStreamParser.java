package io.fengyu.chat.model;

import io.vertx.core.buffer.Buffer;

/** Reads {@code text/event-stream} by the rules of the WHATWG. */
final class EventStreamParser {

  /** Takes an event as soon as it is complete. */
  interface Handler {
    /** The type is empty when the stream gave none. */
    void event(String type, String data);
  }

  private static final char BYTE_ORDER_MARK = '\uFEFF';

  private final Handler handler;
  private final LineReader reader = LineReader.ofEventStream(this::line);
  private final StringBuilder data = new StringBuilder();
  private String type = "";
  private boolean hasData;
  private boolean first = true;

  EventStreamParser(Handler handler) {
    this.handler = handler;
  }

  void feed(Buffer bytes) {
    reader.feed(bytes);
  }

  private void line(String line) {
    var text = first ? withoutMark(line) : line;
    first = false;
    if (text.isEmpty()) {
      dispatch();
      return;
    }
    var colon = text.indexOf(':');
    if (colon == 0) {
      return;
    }
    var name = colon < 0 ? text : text.substring(0, colon);
    field(name, colon < 0 ? "" : value(text, colon + 1));
  }

  private static String withoutMark(String line) {
    return !line.isEmpty() && line.charAt(0) == BYTE_ORDER_MARK ? line.substring(1) : line;
  }

  private static String value(String line, int from) {
    return from < line.length() && line.charAt(from) == ' '
        ? line.substring(from + 1)
        : line.substring(from);
  }

  private void field(String name, String value) {
    if (name.equals("data")) {
      append(value);
    } else if (name.equals("event")) {
      type = value;
    }
  }

  private void append(String value) {
    if (hasData) {
      data.append('\n');
    }
    hasData = true;
    data.append(value);
    if (data.length() > LineReader.LONGEST_LINE) {
      throw ModelFailure.lasting(ErrorCode.UNKNOWN, "The provider sent an event that is too long");
    }
  }

  private void dispatch() {
    var event = data.toString();
    var name = type;
    var complete = hasData;
    data.setLength(0);
    type = "";
    hasData = false;
    if (complete) {
      handler.event(name, event);
    }
  }
}
