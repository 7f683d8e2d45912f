package io.fengyu.agent.journal;

import java.time.Instant;

/**
 * A committed event.
 *
 * @param seq position in the stream; negative for one that only the audit shows
 * @param type name of the wire
 * @param data JSON object without {@code seq}
 */
public record StoredEvent(long seq, String type, String data, Instant createdAt) {

  /** The data as clients of the stream see it. */
  public String numbered() {
    var text = new StringBuilder(data.length() + 24);
    appendNumbered(text);
    return text.toString();
  }

  void appendNumbered(StringBuilder text) {
    text.append(data, 0, data.length() - 1);
    text.append(data.length() > 2 ? ",\"seq\":" : "\"seq\":").append(seq).append('}');
  }

  /** True when nothing follows it in the stream. */
  public boolean terminal() {
    return type.equals("complete") || type.equals("error");
  }
}
