package io.fengyu.agent.mcp.wire;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Reads {@code text/event-stream} by the rules of the WHATWG. */
final class Events {

  private static final Duration LONGEST_RETRY = Duration.ofSeconds(30);
  private static final char BYTE_ORDER_MARK = '\uFEFF';

  /**
   * One event.
   *
   * @param type empty when the stream gave none
   */
  record Event(String type, String data) {}

  private final Lines lines;
  private final Memory.Share memory;
  private @Nullable String lastId;
  private @Nullable Duration retry;
  private String type = "";
  private @Nullable String data;
  private boolean first = true;

  Events(Bytes bytes, Memory.Share memory) {
    this.lines = Lines.ofEvents(bytes, memory);
    this.memory = memory;
  }

  /** Where the stream can be gone on with; null when it cannot. */
  @Nullable String lastId() {
    return lastId;
  }

  /** How long the server wants to be left alone before somebody goes on; null when it is silent. */
  @Nullable Duration retry() {
    return retry;
  }

  /** The next event that carries something; null at the end of the stream. */
  @Nullable Event next(Deadline deadline) throws McpException, InterruptedException {
    memory.free();
    while (true) {
      var line = lines.next(deadline);
      if (line == null) {
        return null;
      }
      if (line.length > 0) {
        field(text(line));
      } else {
        var event = dispatch();
        if (event != null) {
          return event;
        }
      }
    }
  }

  private String text(byte[] line) {
    var text = new String(line, StandardCharsets.UTF_8);
    var clean = first && text.charAt(0) == BYTE_ORDER_MARK ? text.substring(1) : text;
    first = false;
    return clean;
  }

  private void field(String line) {
    int colon = line.indexOf(':');
    var name = colon < 0 ? line : line.substring(0, colon);
    var value = colon < 0 ? "" : value(line, colon + 1);
    switch (name) {
      case "data" -> data = data == null ? value : data + "\n" + value;
      case "event" -> type = value;
      case "id" -> lastId = value.indexOf('\0') >= 0 ? lastId : value.isEmpty() ? null : value;
      case "retry" -> retry(value);
      default -> {}
    }
  }

  private static String value(String line, int from) {
    return from < line.length() && line.charAt(from) == ' '
        ? line.substring(from + 1)
        : line.substring(from);
  }

  private void retry(String value) {
    if (value.matches("[0-9]{1,9}")) {
      var asked = Duration.ofMillis(Long.parseLong(value));
      retry = asked.compareTo(LONGEST_RETRY) > 0 ? LONGEST_RETRY : asked;
    }
  }

  /** An event with empty data only tells its id. */
  private @Nullable Event dispatch() {
    var text = data;
    var name = type;
    data = null;
    type = "";
    if (text == null || text.isEmpty()) {
      memory.free();
      return null;
    }
    return new Event(name, text);
  }
}
