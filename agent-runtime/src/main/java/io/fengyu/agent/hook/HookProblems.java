package io.fengyu.agent.hook;

import io.fengyu.contract.problem.Problem;
import io.fengyu.contract.problem.ProblemException;

/** What a caller can be refused about hooks. */
final class HookProblems {

  private HookProblems() {}

  static ProblemException invalid(int index, String field, String expected) {
    return Problem.of(400, "HOOK_INVALID")
        .with("index", index)
        .with("field", field)
        .with("expected", expected)
        .asFailure();
  }

  static ProblemException body() {
    return Problem.of(400, "HOOKS_BODY_INVALID").asFailure();
  }

  static ProblemException tooMany(int hooks, int max) {
    return Problem.of(400, "HOOKS_TOO_MANY").with("hooks", hooks).with("max", max).asFailure();
  }

  static ProblemException commandsDisabled(int index) {
    return Problem.of(400, "HOOK_COMMANDS_DISABLED").with("index", index).asFailure();
  }

  static ProblemException adminOnly() {
    return Problem.of(403, "FORBIDDEN").asFailure();
  }
}
