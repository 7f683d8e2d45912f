package io.fengyu.agent.journal;

/** Stage of a run, under both names of the wire. */
public enum RunStatus {
  PLANNING("preparing", true),
  AWAITING_PLAN_APPROVAL("paused", true),
  AWAITING_STEP_APPROVAL("paused", true),
  EXECUTING("running", true),
  COMPLETED("completed", false),
  FAILED("error", false),
  CANCELLED("cancelled", false);

  private final String runStatus;
  private final boolean open;

  RunStatus(String runStatus, boolean open) {
    this.runStatus = runStatus;
    this.open = open;
  }

  /** Value of {@code run_status}. */
  public String runStatus() {
    return runStatus;
  }

  /** False once the run has ended. */
  public boolean open() {
    return open;
  }
}
