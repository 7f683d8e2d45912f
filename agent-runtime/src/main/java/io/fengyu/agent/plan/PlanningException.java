package io.fengyu.agent.plan;

/** The model made no plan; the message is for people. */
public final class PlanningException extends Exception {

  private static final long serialVersionUID = 1L;

  private final String code;

  /** A failure of planning itself. */
  PlanningException(String message) {
    this("PLANNING_FAILED", "Planning failed: " + message);
  }

  PlanningException(String code, String message) {
    super(message);
    this.code = code;
  }

  /** Stable word for clients. */
  public String code() {
    return code;
  }

  /** What people read. */
  public String text() {
    return String.valueOf(getMessage());
  }
}
