package io.fengyu.chat.conversation;

import io.fengyu.contract.problem.Problem;
import io.fengyu.contract.problem.ProblemException;

/** What conversations refuse. */
final class ConversationProblems {

  private ConversationProblems() {}

  /** The same for one that never was, one that is gone, and one of somebody else. */
  static ProblemException unknown(String id) {
    return Problem.of(404, "CONVERSATION_NOT_FOUND").with("id", id).asFailure();
  }

  static ProblemException invalid(String field, String expected) {
    return Problem.of(400, "CONVERSATION_INVALID")
        .with("field", field)
        .with("expected", expected)
        .asFailure();
  }

  /** Somebody changed it since the caller read it. */
  static ProblemException changed(String id) {
    return Problem.of(412, "CONVERSATION_CHANGED").with("id", id).asFailure();
  }

  static ProblemException full(String id) {
    return Problem.of(409, "CONVERSATION_FULL")
        .with("id", id)
        .with("limit", Message.MOST)
        .asFailure();
  }

  static ProblemException cursor() {
    return invalid("cursor", "what an earlier page told");
  }
}
