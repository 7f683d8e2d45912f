package io.fengyu.agent.scope;

import io.fengyu.contract.problem.Problem;
import io.fengyu.contract.problem.ProblemException;

/** What a caller can be refused about the scope of a conversation. */
final class ScopeProblems {

  private ScopeProblems() {}

  static ProblemException invalid(String field, String expected) {
    return Problem.of(400, "SESSION_SCOPE_INVALID")
        .with("field", field)
        .with("expected", expected)
        .asFailure();
  }

  static ProblemException nobody() {
    return Problem.of(400, "SESSION_SCOPE_WITHOUT_OWNER").asFailure();
  }
}
