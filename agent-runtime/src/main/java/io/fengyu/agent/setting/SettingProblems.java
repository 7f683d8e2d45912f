package io.fengyu.agent.setting;

import io.fengyu.contract.problem.Problem;
import io.fengyu.contract.problem.ProblemException;

/** What a caller can be refused about settings. */
final class SettingProblems {

  private SettingProblems() {}

  static ProblemException invalid(String field, String expected) {
    return Problem.of(400, "SETTING_INVALID")
        .with("field", field)
        .with("expected", expected)
        .asFailure();
  }

  static ProblemException unknown(String field) {
    return Problem.of(400, "SETTING_UNKNOWN").with("field", field).asFailure();
  }

  static ProblemException adminOnly() {
    return Problem.of(403, "FORBIDDEN").asFailure();
  }
}
