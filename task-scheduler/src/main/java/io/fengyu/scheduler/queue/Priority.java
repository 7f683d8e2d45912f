package io.fengyu.scheduler.queue;

import java.util.Locale;

/** Class of a task; the same word in answers, metrics and refusals. */
public enum Priority {
  INTERACTIVE(0),
  NORMAL(1),
  BATCH(2);

  private final int slot;

  Priority(int slot) {
    this.slot = slot;
  }

  /** Where arrays of one number a class have that of this one. */
  int slot() {
    return slot;
  }

  /** Lower-case word of the wire. */
  public String wire() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** The class of that word. */
  public static Priority of(String wire) {
    return valueOf(wire.toUpperCase(Locale.ROOT));
  }
}
