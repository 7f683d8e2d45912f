package io.fengyu.scheduler.schedule;

import com.fasterxml.jackson.databind.JsonNode;
import io.fengyu.contract.problem.Problem;
import io.fengyu.contract.problem.ProblemException;
import java.time.Duration;
import java.util.Map;

/** Every refusal about schedules. */
final class ScheduleProblems {

  private ScheduleProblems() {}

  /**
   * The calendar means nothing.
   *
   * @param field of the calendar, such as {@code zoneId}
   */
  static ProblemException calendar(String field) {
    return Problem.of(400, "SCHEDULE_CALENDAR_INVALID").with("field", field).asFailure();
  }

  static ProblemException tooShort(Duration least) {
    return Problem.of(400, "SCHEDULE_INTERVAL_TOO_SHORT")
        .with("min", least.toSeconds())
        .asFailure();
  }

  static ProblemException tooLong(Duration most) {
    return Problem.of(400, "SCHEDULE_INTERVAL_TOO_LONG").with("max", most.toSeconds()).asFailure();
  }

  static ProblemException contradiction() {
    return Problem.of(400, "SCHEDULE_CONTRADICTION").asFailure();
  }

  /**
   * One field of the body.
   *
   * @param pointer JSON pointer into the body
   * @param code such as {@code WRONG_TYPE}
   */
  static ProblemException field(String pointer, String code, Map<String, Object> params) {
    return Problem.of(400, "INVALID_REQUEST").field(pointer, code, params).asFailure();
  }

  static ProblemException notFound(String id) {
    return Problem.of(404, "SCHEDULE_NOT_FOUND").with("scheduleId", id).asFailure();
  }

  static ProblemException limit(int max) {
    return Problem.of(409, "SCHEDULE_LIMIT_REACHED").with("max", max).asFailure();
  }

  static ProblemException mode(Object value) {
    return Problem.of(400, "PERMISSION_MODE_UNKNOWN").with("value", value).asFailure();
  }

  /**
   * Somebody would have to agree to a step, and nobody will be there.
   *
   * @param foreseen the answer of the dry run
   */
  static ProblemException unattended(JsonNode foreseen) {
    var first = firstInTheWay(foreseen.path("steps"));
    return Problem.of(400, "UNATTENDED_APPROVAL_REQUIRED")
        .with("step", first.path("index").asInt())
        .with("tool", first.path("tool").asText(""))
        .member("steps", foreseen.path("steps"))
        .asFailure();
  }

  private static JsonNode firstInTheWay(JsonNode steps) {
    for (var step : steps) {
      if (!step.path("verdict").asText("").equals("allow")) {
        return step;
      }
    }
    return steps.path(0);
  }

  /** The process ended, or lost the database, between a claim and its task. */
  static Problem interrupted() {
    return Problem.of(500, "SCHEDULE_FIRE_INTERRUPTED");
  }

  /** Deleted, or its workflow was, after the claim and before the task. */
  static Problem ended() {
    return Problem.of(409, "SCHEDULE_ENDED");
  }

  /** Plugins run without the sandbox that they had when the schedule was made. */
  static Problem weakened() {
    return Problem.of(409, "SANDBOX_POSTURE_WEAKENED");
  }
}
