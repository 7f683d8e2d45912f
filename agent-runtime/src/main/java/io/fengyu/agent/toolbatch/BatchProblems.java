package io.fengyu.agent.toolbatch;

import io.fengyu.contract.problem.Problem;
import io.fengyu.contract.problem.ProblemException;
import java.time.Duration;

/** What a caller can be refused about a batch of tool calls. */
final class BatchProblems {

  private BatchProblems() {}

  static ProblemException body(String field, String expected) {
    return Problem.of(400, "TOOL_BATCH_INVALID")
        .with("field", field)
        .with("expected", expected)
        .asFailure();
  }

  static ProblemException permissionMode(String value) {
    return Problem.of(400, "PERMISSION_MODE_UNKNOWN").with("value", value).asFailure();
  }

  static ProblemException approvedByOutsider() {
    return Problem.of(403, "APPROVED_FROM_OUTSIDE").asFailure();
  }

  static ProblemException busy(int limit) {
    return Problem.of(429, "TOOL_BATCH_BUSY")
        .with("limit", limit)
        .retryAfter(Duration.ofSeconds(1))
        .asFailure();
  }
}
