package io.fengyu.agent.run;

import io.fengyu.agent.journal.RunProblems;
import java.security.SecureRandom;
import java.time.Clock;
import java.util.UUID;

/** Makes ids whose order is the order of their making (UUID version 7), and reads them. */
final class RunIds {

  private static final SecureRandom RANDOM = new SecureRandom();

  private RunIds() {}

  /** The id that a client names; what is none is the id of no run. */
  static UUID parse(String text) {
    try {
      var id = UUID.fromString(text);
      if (id.toString().equalsIgnoreCase(text)) {
        return id;
      }
    } catch (IllegalArgumentException none) {
      throw RunProblems.notFound(text);
    }
    throw RunProblems.notFound(text);
  }

  static UUID next(Clock clock) {
    long version = 0x7000L | RANDOM.nextInt(0x1000);
    long high = clock.millis() << 16 | version;
    long low = 0x8000000000000000L | RANDOM.nextLong() >>> 2;
    return new UUID(high, low);
  }
}
