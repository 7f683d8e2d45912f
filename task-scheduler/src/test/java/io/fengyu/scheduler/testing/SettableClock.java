package io.fengyu.scheduler.testing;

import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;

/** The machine's clock, moved as a test wants it. */
public final class SettableClock extends Clock {

  private static final SettableClock ONLY = new SettableClock();

  private volatile Duration ahead = Duration.ZERO;

  private SettableClock() {}

  /** The one that the service under test goes by. */
  public static SettableClock get() {
    return ONLY;
  }

  /** Sets it this far ahead of the machine's; negative for behind. */
  public void ahead(Duration by) {
    ahead = by;
  }

  @Override
  public ZoneId getZone() {
    return ZoneOffset.UTC;
  }

  @Override
  public Clock withZone(ZoneId zone) {
    return this;
  }

  @Override
  public Instant instant() {
    return Instant.now().plus(ahead);
  }

  /** Takes the place of the machine's clock. */
  @Singleton
  public static class Bean {

    @Produces
    @Singleton
    Clock clock() {
      return ONLY;
    }
  }
}
