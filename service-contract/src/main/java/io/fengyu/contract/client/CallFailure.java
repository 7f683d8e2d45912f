package io.fengyu.contract.client;

import io.fengyu.contract.problem.Problem;
import org.jspecify.annotations.Nullable;

/** An attempt that brought no usable answer. */
final class CallFailure extends RuntimeException {

  private static final long serialVersionUID = 1L;

  private final boolean nothingSent;
  private final transient @Nullable Problem answered;

  private CallFailure(boolean nothingSent, @Nullable Problem answered) {
    super("call failed", null, false, false);
    this.nothingSent = nothingSent;
    this.answered = answered;
  }

  static CallFailure notSent() {
    return new CallFailure(true, null);
  }

  static CallFailure lost() {
    return new CallFailure(false, null);
  }

  /** The callee, or something before it, was not able to work. */
  static CallFailure refused(Problem problem) {
    return new CallFailure(false, problem);
  }

  boolean nothingSent() {
    return nothingSent;
  }

  Problem problem(Service service) {
    return answered != null ? answered : unavailable(service, nothingSent);
  }

  static Problem unavailable(Service service, boolean nothingSent) {
    return Problem.of(503, "DEPENDENCY_UNAVAILABLE")
        .with("service", service.fullName())
        .with("outcome", nothingSent ? "none" : "unknown");
  }
}
