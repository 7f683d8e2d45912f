package io.fengyu.agent.run;

import java.security.SecureRandom;
import java.time.Clock;
import java.util.UUID;

/** Makes ids whose order is the order of their making (UUID version 7). */
final class RunIds {

  private static final SecureRandom RANDOM = new SecureRandom();

  private RunIds() {}

  static UUID next(Clock clock) {
    long version = 0x7000L | RANDOM.nextInt(0x1000);
    long high = clock.millis() << 16 | version;
    long low = 0x8000000000000000L | RANDOM.nextLong() >>> 2;
    return new UUID(high, low);
  }
}
