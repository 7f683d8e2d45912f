package io.fengyu.contract.client;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

/**
 * Spares callers the wait for a service that is down: open for ten seconds after ten failures in a
 * row, then one call at a time may try.
 */
final class Circuit {

  static final int FAILURES = 10;
  static final Duration OPEN = Duration.ofSeconds(10);

  private final LongSupplier nanos;
  private final AtomicInteger failures = new AtomicInteger();
  private final AtomicLong openedAt = new AtomicLong();

  Circuit(LongSupplier nanos) {
    this.nanos = nanos;
  }

  /** False while open; the call that is let through after the pause starts the next pause. */
  boolean admits() {
    if (failures.get() < FAILURES) {
      return true;
    }
    var opened = openedAt.get();
    var now = nanos.getAsLong();
    return now - opened >= OPEN.toNanos() && openedAt.compareAndSet(opened, now);
  }

  void succeeded() {
    failures.set(0);
  }

  void failed() {
    if (failures.incrementAndGet() == FAILURES) {
      openedAt.set(nanos.getAsLong());
    }
  }
}
