package io.fengyu.agent.journal;

import java.time.Instant;

/**
 * A committed event.
 *
 * @param seq position in the stream; negative for one that only the audit shows
 * @param type name of the wire
 * @param data JSON object without {@code seq}
 */
record StoredEvent(long seq, String type, String data, Instant createdAt) {

  /** The data as clients of the stream see it. */
  String numbered() {
    var separator = data.length() > 2 ? "," : "";
    return data.substring(0, data.length() - 1) + separator + "\"seq\":" + seq + "}";
  }

  /** True when nothing follows it in the stream. */
  boolean terminal() {
    return type.equals("complete") || type.equals("error");
  }
}
