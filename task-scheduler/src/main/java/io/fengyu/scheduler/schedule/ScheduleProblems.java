package io.fengyu.scheduler.schedule;

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
}
