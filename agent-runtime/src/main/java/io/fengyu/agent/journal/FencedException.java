package io.fengyu.agent.journal;

import java.util.UUID;

/** The run belongs to somebody else by now: nothing may be written or done for it any more. */
public final class FencedException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  /** Says which run was lost. */
  public FencedException(UUID runId) {
    super("Lease of run " + runId + " is lost", null, false, false);
  }
}
