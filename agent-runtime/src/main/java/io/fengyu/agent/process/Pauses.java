package io.fengyu.agent.process;

import java.util.concurrent.locks.LockSupport;

/** Waits of threads that must finish what they began. */
final class Pauses {

  private Pauses() {}

  /** Lets some time pass; an interrupt waits until the end of it. */
  static void pause(long millis) {
    boolean interrupted = Thread.interrupted();
    long until = System.nanoTime() + millis * 1_000_000;
    for (long left = until - System.nanoTime(); left > 0; left = until - System.nanoTime()) {
      LockSupport.parkNanos(left);
      interrupted |= Thread.interrupted();
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
