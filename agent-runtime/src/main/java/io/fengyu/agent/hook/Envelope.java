package io.fengyu.agent.hook;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * What a hook is told.
 *
 * @param toolName null for the end of a run
 * @param toolResult null before a call
 */
record Envelope(
    HookEvent event,
    @Nullable String toolName,
    ObjectNode toolInput,
    @Nullable String toolResult,
    @Nullable UUID runId,
    Instant timestamp) {

  private static final int LONGEST = 64_000;
  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("yyyy-MM-dd'T'HH:mm:ss.SSS'Z'").withZone(ZoneOffset.UTC);

  static Envelope ofRun(HookEvent event, UUID runId, String goal, String result, Clock clock) {
    var input = JsonNodeFactory.instance.objectNode().put("goal", goal);
    return new Envelope(event, null, input, result, runId, clock.instant());
  }

  String toJson() {
    var json = JsonNodeFactory.instance.objectNode();
    json.put("hookEventName", event.wire());
    json.put("toolName", toolName);
    json.set("toolInput", toolInput);
    if (toolResult != null) {
      json.put("toolResult", cut(toolResult));
    }
    json.put("runId", runId == null ? null : runId.toString());
    return json.put("timestamp", TIME.format(timestamp)).toString();
  }

  private static String cut(String text) {
    if (text.length() <= LONGEST) {
      return text;
    }
    int end = Character.isHighSurrogate(text.charAt(LONGEST - 1)) ? LONGEST - 1 : LONGEST;
    return text.substring(0, end);
  }
}
