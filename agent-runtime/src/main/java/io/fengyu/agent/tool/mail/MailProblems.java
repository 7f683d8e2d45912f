package io.fengyu.agent.tool.mail;

import io.fengyu.contract.problem.Problem;
import io.fengyu.contract.problem.ProblemException;

/** Everything a caller can be refused about mail data. */
final class MailProblems {

  private MailProblems() {}

  static ProblemException invalid(String field, String expected) {
    return Problem.of(400, "MAIL_INVALID")
        .with("field", field)
        .with("expected", expected)
        .asFailure();
  }

  static ProblemException addressRefused(String host) {
    return Problem.of(400, "MAIL_ADDRESS_REFUSED").with("host", host).asFailure();
  }

  static ProblemException accountNotFound() {
    return Problem.of(404, "MAIL_ACCOUNT_NOT_FOUND").asFailure();
  }

  static ProblemException tagNotFound() {
    return Problem.of(404, "MAIL_TAG_NOT_FOUND").asFailure();
  }

  static ProblemException contactNotFound() {
    return Problem.of(404, "MAIL_CONTACT_NOT_FOUND").asFailure();
  }

  static ProblemException accountChanged() {
    return Problem.of(409, "MAIL_ACCOUNT_CHANGED").asFailure();
  }

  static ProblemException tagExists(String name) {
    return Problem.of(409, "MAIL_TAG_EXISTS").with("name", name).asFailure();
  }

  static ProblemException tooMany(int max) {
    return Problem.of(409, "MAIL_LIMIT").with("max", max).asFailure();
  }
}
