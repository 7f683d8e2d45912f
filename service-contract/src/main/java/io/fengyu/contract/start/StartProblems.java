package io.fengyu.contract.start;

import io.fengyu.contract.problem.Problem;
import io.fengyu.contract.problem.ProblemException;
import java.time.Duration;

/** What a caller can be refused about the key of a start. */
public final class StartProblems {

  private StartProblems() {}

  static ProblemException keyInvalid(int max) {
    return Problem.of(400, "IDEMPOTENCY_KEY_INVALID").with("max", max).asFailure();
  }

  /** The key stands for other content. */
  static ProblemException conflict(StartKey key) {
    return Problem.of(409, "START_IDEMPOTENCY_CONFLICT").with(key.name(), key.value()).asFailure();
  }

  static ProblemException underWay(StartKey key) {
    return Problem.of(503, "START_UNDER_WAY")
        .with(key.name(), key.value())
        .retryAfter(Duration.ofSeconds(1))
        .asFailure();
  }

  /** Somebody cancelled the start before it began. */
  public static ProblemException cancelled() {
    return Problem.of(409, "START_CANCELLED").asFailure();
  }
}
