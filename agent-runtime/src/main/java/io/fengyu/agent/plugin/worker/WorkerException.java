package io.fengyu.agent.plugin.worker;

/** A call that came to nothing, in words for the caller. */
public final class WorkerException extends Exception {

  private static final long serialVersionUID = 1L;

  private final boolean outcomeUnknown;

  private WorkerException(String message, boolean outcomeUnknown) {
    super(message, null, false, false);
    this.outcomeUnknown = outcomeUnknown;
  }

  /** Nothing was done. */
  static WorkerException notDone(String message) {
    return new WorkerException(message, false);
  }

  /** The process may have done it all the same. */
  static WorkerException unknown(String message) {
    return new WorkerException(message, true);
  }

  /** True when the work may have been done. */
  public boolean outcomeUnknown() {
    return outcomeUnknown;
  }
}
