package io.fengyu.agent.mcp;

import io.fengyu.contract.problem.Problem;
import io.fengyu.contract.problem.ProblemException;

/** Everything a caller can be refused about tool servers. */
final class McpProblems {

  private McpProblems() {}

  static ProblemException invalid(String field, String expected) {
    return Problem.of(400, "MCP_SERVER_INVALID")
        .with("field", field)
        .with("expected", expected)
        .asFailure();
  }

  static ProblemException addressRefused(String host) {
    return Problem.of(400, "MCP_ADDRESS_REFUSED").with("host", host).asFailure();
  }

  static ProblemException commandsDisabled() {
    return Problem.of(400, "MCP_COMMANDS_DISABLED").asFailure();
  }

  static ProblemException adminOnly() {
    return Problem.of(403, "FORBIDDEN").asFailure();
  }

  static ProblemException notFound() {
    return Problem.of(404, "MCP_SERVER_NOT_FOUND").asFailure();
  }

  static ProblemException tooMany(int max) {
    return Problem.of(409, "MCP_SERVER_LIMIT").with("max", max).asFailure();
  }

  static ProblemException changedMeanwhile() {
    return Problem.of(409, "MCP_TOOLS_CHANGED").asFailure();
  }
}
