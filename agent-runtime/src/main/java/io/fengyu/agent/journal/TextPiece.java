package io.fengyu.agent.journal;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectReader;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/**
 * Consecutive fragments of a text in one row. The row carries the number of the last of them, so
 * that the newest row of a run still tells its newest number, and a reader whose cursor lies inside
 * finds the row by "what is above the cursor".
 */
final class TextPiece {

  /** A piece is stored at the latest so long after its first fragment. */
  static final long PATIENCE_MS = 50;

  private static final int MAX_BYTES = 4096;
  private static final ObjectReader READER = JsonMapper.builder().build().reader();

  private final EventType fragment;
  private final ArrayNode texts = JsonNodeFactory.instance.arrayNode();
  private int bytes;

  /**
   * @param fragment what readers see each fragment as
   */
  TextPiece(EventType fragment) {
    this.fragment = fragment;
  }

  /** False when the fragment belongs into the next piece. A single larger one travels alone. */
  boolean takes(EventType type, String text) {
    return type == fragment && bytes + size(text) <= MAX_BYTES;
  }

  void add(String text) {
    texts.add(text);
    bytes += size(text);
  }

  boolean full() {
    return bytes >= MAX_BYTES;
  }

  /** Type of the row. */
  EventType type() {
    return fragment.piece();
  }

  /** Data of the row. */
  String data() {
    return JsonNodeFactory.instance.objectNode().set("fragments", texts).toString();
  }

  private static int size(String text) {
    return text.getBytes(StandardCharsets.UTF_8).length;
  }

  /** A fragment as readers see it. */
  static StoredEvent event(EventType type, long seq, String text, Instant at) {
    var data = JsonNodeFactory.instance.objectNode().put("text", text);
    if (type == EventType.PLAN_TOKEN) {
      data.put("delta", text);
    }
    return new StoredEvent(seq, type.wire(), data.toString(), at);
  }

  /** What follows the cursor in these rows, every fragment for itself; at most so many. */
  static List<StoredEvent> expanded(List<StoredEvent> rows, long cursor, int limit) {
    var events = new ArrayList<StoredEvent>(rows.size());
    for (var row : rows) {
      for (var event : expanded(row)) {
        if (event.seq() > cursor && events.size() < limit) {
          events.add(event);
        }
      }
    }
    return events;
  }

  /** The fragments of a row; any other row is itself. */
  static List<StoredEvent> expanded(StoredEvent row) {
    for (var type : EventType.values()) {
      if (type.inPieces() && type.piece().wire().equals(row.type())) {
        return fragments(type, row);
      }
    }
    return List.of(row);
  }

  private static List<StoredEvent> fragments(EventType type, StoredEvent row) {
    try {
      var texts = READER.readTree(row.data()).path("fragments");
      var events = new ArrayList<StoredEvent>(texts.size());
      var seq = row.seq() - texts.size() + 1;
      for (var text : texts) {
        events.add(event(type, seq++, text.asText(), row.createdAt()));
      }
      return events;
    } catch (JsonProcessingException damaged) {
      throw new IllegalStateException("Event " + row.seq() + " is no JSON", damaged);
    }
  }
}
