package io.fengyu.chat.journal;

/** Where a turn is. */
public enum TurnStatus {
  /** The model or tools are at work. */
  RUNNING,
  /** It waits for its owner. */
  PAUSED,
  /** It said all it had to say. */
  COMPLETED,
  /** It ended with an error. */
  FAILED,
  /** Its owner stopped it. */
  CANCELLED,
  /** Its process died or stopped. */
  INTERRUPTED;

  /** True when nothing more comes. */
  public boolean over() {
    return this != RUNNING && this != PAUSED;
  }
}
