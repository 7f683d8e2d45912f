package io.fengyu.agent.tool;

/** A failure that a tool explains in words a caller can act on; no fault of the program. */
public final class ToolException extends Exception {

  private static final long serialVersionUID = 1L;

  /** Fails with a text that holds no secret and no path outside of the caller's places. */
  public ToolException(String message) {
    super(message, null, false, false);
  }
}
