package io.fengyu.contract.problem;

/**
 * Carries a {@link Problem} to the place that answers it; has no stack trace, because it is no
 * fault.
 */
public final class ProblemException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  private final transient Problem problem;

  ProblemException(Problem problem) {
    super(problem.code(), null, false, false);
    this.problem = problem;
  }

  /** What is to be answered. */
  public Problem problem() {
    return problem;
  }
}
