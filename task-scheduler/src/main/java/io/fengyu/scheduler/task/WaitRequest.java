package io.fengyu.scheduler.task;

import com.fasterxml.jackson.databind.JsonNode;
import io.fengyu.scheduler.queue.TaskProblems;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A wish to wait for tasks.
 *
 * @param any true when one end is enough
 */
record WaitRequest(List<String> ids, boolean any, Duration atMost) {

  private static final int MOST = 20;
  private static final long USUAL_MS = 30_000;
  private static final long LONGEST_MS = 120_000;
  private static final long LONGEST_FOR_ONE_MS = 60_000;

  /** Reads {@code {taskIds, mode?, timeoutMs?}}. */
  static WaitRequest read(@Nullable JsonNode body) {
    if (body == null || !body.path("taskIds").isArray() || body.path("taskIds").isEmpty()) {
      throw TaskProblems.field("/taskIds", "REQUIRED", Map.of("field", "taskIds"));
    }
    var ids = new ArrayList<String>();
    body.path("taskIds").forEach(id -> ids.add(id.asText()));
    if (ids.size() > MOST) {
      throw TaskProblems.tooMany(MOST);
    }
    return new WaitRequest(
        List.copyOf(ids), any(body.path("mode")), atMost(body.path("timeoutMs")));
  }

  private static boolean any(JsonNode mode) {
    return switch (mode.asText("")) {
      case "any" -> true;
      case "all", "", "null" -> false;
      default -> throw TaskProblems.field("/mode", "INVALID", Map.of("allowed", "any, all"));
    };
  }

  private static Duration atMost(JsonNode value) {
    if (value.isMissingNode() || value.isNull()) {
      return Duration.ofMillis(USUAL_MS);
    }
    if (!value.isIntegralNumber()) {
      throw TaskProblems.field("/timeoutMs", "WRONG_TYPE", Map.of("expected", "integer"));
    }
    return bounded(value.longValue(), LONGEST_MS);
  }

  /** Reads the time that a single task is waited for; none without it. */
  static Duration oneTask(@Nullable String timeoutMs) {
    if (timeoutMs == null || timeoutMs.isBlank()) {
      return Duration.ZERO;
    }
    if (!timeoutMs.matches("-?[0-9]{1,18}")) {
      throw TaskProblems.field("/timeoutMs", "WRONG_TYPE", Map.of("expected", "integer"));
    }
    return bounded(Long.parseLong(timeoutMs), LONGEST_FOR_ONE_MS);
  }

  private static Duration bounded(long ms, long most) {
    return Duration.ofMillis(Math.clamp(ms, 0, most));
  }
}
