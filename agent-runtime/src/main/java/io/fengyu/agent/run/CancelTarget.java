package io.fengyu.agent.run;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fengyu.agent.journal.Ids;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * What a cancel request is about: a run, or a start that may not even have arrived.
 *
 * @param requestId the id of the cancel request
 * @param runId null when a start is meant
 * @param startId null when a run is meant
 */
record CancelTarget(String requestId, @Nullable UUID runId, @Nullable String startId) {

  private static final int MAX_ID = 200;

  /**
   * Reads a body.
   *
   * @throws io.fengyu.contract.problem.ProblemException 400 unless it has an id and one target, 404
   *     for the id of no run
   */
  static CancelTarget read(@Nullable JsonNode json) {
    if (!(json instanceof ObjectNode body)) {
      throw RunRefusals.body("", "an object");
    }
    var requestId = id(body, "cancel_request_id", "cancelRequestId");
    var runId = id(body, "run_id", "runId");
    var startId = id(body, "start_request_id", "startRequestId");
    if (requestId == null) {
      throw expected("cancel_request_id");
    }
    if ((runId == null) == (startId == null)) {
      throw RunRefusals.body("run_id", "given, or start_request_id, and not both");
    }
    return new CancelTarget(requestId, runId == null ? null : Ids.run(runId), startId);
  }

  private static @Nullable String id(ObjectNode body, String field, String alias) {
    var value = Json.first(body.path(field), body.path(alias));
    if (Json.absent(value)) {
      return null;
    }
    if (!value.isTextual() || !wellFormed(value.textValue())) {
      throw expected(field);
    }
    return value.textValue();
  }

  /** True for what can be the id of a request. */
  static boolean wellFormed(String id) {
    return !id.isBlank() && id.length() <= MAX_ID && id.chars().noneMatch(Character::isISOControl);
  }

  private static RuntimeException expected(String field) {
    return RunRefusals.body(
        field, "a string of 1 to " + MAX_ID + " characters, control characters excluded");
  }
}
