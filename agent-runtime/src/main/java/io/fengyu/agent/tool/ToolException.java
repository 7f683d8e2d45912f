package io.fengyu.agent.tool;

/** A failure that a tool explains in words a caller can act on; no fault of the program. */
public final class ToolException extends Exception {

  private static final long serialVersionUID = 1L;

  private final boolean outcomeUnknown;

  /** Fails with a text that holds no secret and no path outside of the caller's places. */
  public ToolException(String message) {
    this(message, false);
  }

  private ToolException(String message, boolean outcomeUnknown) {
    super(message, null, false, false);
    this.outcomeUnknown = outcomeUnknown;
  }

  /** Fails a call that may have done its work all the same: nobody can tell any more. */
  public static ToolException unknown(String message) {
    return new ToolException(message, true);
  }

  /** True when the work may have been done. */
  public boolean outcomeUnknown() {
    return outcomeUnknown;
  }
}
