package io.fengyu.chat.user;

import io.fengyu.contract.problem.Problem;
import io.fengyu.contract.problem.ProblemException;
import java.util.UUID;

/** What the administration of users refuses. */
final class UserProblems {

  private UserProblems() {}

  static ProblemException exists(String id) {
    return Problem.of(409, "USER_EXISTS").with("id", id).asFailure();
  }

  /** Deleting this user could not take the access away that the environment gives. */
  static ProblemException fixed(String id) {
    return Problem.of(409, "USER_FIXED").with("id", id).asFailure();
  }

  static ProblemException unknown(String id) {
    return Problem.of(404, "USER_NOT_FOUND").with("id", id).asFailure();
  }

  static ProblemException unknownToken(UUID tokenId) {
    return Problem.of(404, "TOKEN_NOT_FOUND").with("tokenId", tokenId).asFailure();
  }

  static ProblemException expired() {
    return Problem.of(400, "TOKEN_EXPIRY_PAST").asFailure();
  }
}
