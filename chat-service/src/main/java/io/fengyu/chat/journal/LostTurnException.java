package io.fengyu.chat.journal;

/** The turn is not this process's any more: another one has declared it over. */
public final class LostTurnException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  LostTurnException() {
    super("the turn is executed here no longer", null, false, false);
  }
}
