package io.fengyu.scheduler.queue;

import io.fengyu.contract.problem.Problem;
import io.fengyu.contract.problem.ProblemException;
import java.time.Duration;
import java.util.Map;

/** Every refusal about background tasks. */
public final class TaskProblems {

  private static final Duration SOON = Duration.ofSeconds(1);

  private TaskProblems() {}

  static ProblemException capacity(Refusal refusal) {
    var problem =
        Problem.of(429, "BACKGROUND_CAPACITY")
            .with("limit", refusal.limit())
            .member("capacityScope", refusal.scope())
            .retryAfter(SOON);
    var priority = refusal.priority();
    return (priority == null ? problem : problem.member("capacityPriority", priority.wire()))
        .asFailure();
  }

  /** This process takes nothing in: it starts, or it stops. */
  public static ProblemException unavailable() {
    return Problem.of(503, "UNAVAILABLE").retryAfter(SOON).asFailure();
  }

  /** There is no such task, or it is somebody else's. */
  public static ProblemException notFound(String id) {
    return Problem.of(404, "TASK_NOT_FOUND").with("taskId", id).asFailure();
  }

  /** More tasks are waited for than one call may. */
  public static ProblemException tooMany(int max) {
    return Problem.of(400, "TASK_WAIT_LIMIT").with("max", max).asFailure();
  }

  /** The mode of permission is none. */
  public static ProblemException permissionMode(String value) {
    return Problem.of(400, "PERMISSION_MODE_UNKNOWN").with("value", value).asFailure();
  }

  /**
   * One field of the body.
   *
   * @param pointer JSON pointer into the body
   * @param code such as {@code WRONG_TYPE}
   */
  public static ProblemException field(String pointer, String code, Map<String, Object> params) {
    return Problem.of(400, "INVALID_REQUEST").field(pointer, code, params).asFailure();
  }
}
