package io.fengyu.agent.approval;

import io.fengyu.contract.problem.Problem;
import io.fengyu.contract.problem.ProblemException;

/** What a caller can be refused about the inbox. */
public final class ApprovalProblems {

  private ApprovalProblems() {}

  /** No gate of that id, or somebody else's. */
  public static ProblemException notFound(String gateId) {
    return Problem.of(404, "GATE_NOT_FOUND").with("gateId", gateId).asFailure();
  }

  static ProblemException decisionMissing() {
    return Problem.of(400, "DECISION_MISSING").asFailure();
  }

  static ProblemException parameter(String name) {
    return Problem.of(400, "PARAMETER_INVALID").with("parameter", name).asFailure();
  }
}
