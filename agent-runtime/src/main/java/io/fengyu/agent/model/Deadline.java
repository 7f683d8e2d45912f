package io.fengyu.agent.model;

import java.time.Duration;

/** A moment by which something has to be done. */
final class Deadline {

  private final Duration whole;
  private final long at;

  Deadline(Duration whole) {
    this.whole = whole;
    this.at = System.nanoTime() + whole.toNanos();
  }

  /** Not negative. */
  Duration left() {
    return Duration.ofNanos(Math.max(0, at - System.nanoTime()));
  }

  boolean passed() {
    return left().isZero();
  }

  long seconds() {
    return whole.toSeconds();
  }
}
