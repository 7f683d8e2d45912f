package io.fengyu.chat.turn;

import io.fengyu.contract.problem.Problem;
import io.fengyu.contract.problem.ProblemException;

/** What a caller can be refused when a turn starts or is answered. */
final class TurnRefusals {

  private TurnRefusals() {}

  static ProblemException messages() {
    return Problem.of(400, "INVALID_MESSAGES").asFailure();
  }

  static ProblemException option(String field, String expected) {
    return Problem.of(400, "CHAT_REQUEST_INVALID")
        .with("field", field)
        .with("expected", expected)
        .asFailure();
  }

  static ProblemException permissionMode(String value) {
    return Problem.of(400, "PERMISSION_MODE_UNKNOWN").with("value", value).asFailure();
  }

  static ProblemException workflowUnknown(String id) {
    return Problem.of(400, "CHAT_WORKFLOW_UNKNOWN").with("workflowId", id).asFailure();
  }

  static ProblemException sendConflict(String sendId) {
    return Problem.of(409, "SEND_CONFLICT").with("sendId", sendId).asFailure();
  }

  static ProblemException editDisabled() {
    return Problem.of(409, "CAPABILITY_DISABLED")
        .with("capability", "edit_latest_turn_v1")
        .asFailure();
  }

  static ProblemException decisionMissing() {
    return Problem.of(400, "DECISION_MISSING").asFailure();
  }

  static ProblemException approvalUnknown(String id) {
    return Problem.of(404, "APPROVAL_NOT_FOUND").with("approvalId", id).asFailure();
  }

  static ProblemException approvalStale(String id) {
    return Problem.of(409, "STALE_APPROVAL").with("approvalId", id).asFailure();
  }

  static ProblemException argumentsInvalid(String pointer, String expected) {
    return Problem.of(422, "PATCHED_ARGS_INVALID")
        .with("pointer", pointer)
        .with("expected", expected)
        .asFailure();
  }
}
