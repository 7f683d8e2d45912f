package io.fengyu.agent.guard;

import io.fengyu.contract.problem.Problem;
import io.fengyu.contract.problem.ProblemException;

/** What a caller can be refused about permission rules. */
final class GuardProblems {

  private static final int SHOWN = 200;

  private GuardProblems() {}

  static ProblemException body(String field, String expected) {
    return Problem.of(400, "GUARD_BODY_INVALID")
        .with("field", field)
        .with("expected", expected)
        .asFailure();
  }

  static ProblemException malformed(String list, String rule) {
    var shown = rule.length() <= SHOWN ? rule : rule.substring(0, SHOWN) + "…";
    return Problem.of(400, "PERMISSION_RULE_INVALID")
        .with("rule", shown)
        .with("list", list)
        .asFailure();
  }

  static ProblemException tooMany(int rules, int max) {
    return Problem.of(400, "PERMISSION_RULES_TOO_MANY")
        .with("rules", rules)
        .with("max", max)
        .asFailure();
  }

  static ProblemException mode(String value) {
    return Problem.of(400, "PERMISSION_MODE_UNKNOWN").with("value", value).asFailure();
  }

  static ProblemException tool(String name) {
    return Problem.of(400, "TOOL_UNKNOWN").with("tool", name).asFailure();
  }
}
