package io.fengyu.contract.plan;

/** A reference leads to nothing; the message names its path. Has no stack trace: it is no fault. */
public final class UnresolvedReferenceException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  /** Says what was looked for and how far it got. */
  public UnresolvedReferenceException(String message) {
    super(message, null, false, false);
  }
}
