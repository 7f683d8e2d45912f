package io.fengyu.agent.journal;

import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Reads ids that clients send. */
public final class Ids {

  private static final int LENGTH = 36;

  private Ids() {}

  /** The run's id; what is none is the id of no run. */
  public static UUID run(@Nullable String text) {
    if (text == null || text.isBlank()) {
      throw RunProblems.parameterInvalid("runId");
    }
    try {
      if (text.length() == LENGTH) {
        return UUID.fromString(text);
      }
    } catch (IllegalArgumentException none) {
      throw RunProblems.notFound(text);
    }
    throw RunProblems.notFound(text);
  }
}
