package io.fengyu.agent.run;

import com.fasterxml.jackson.databind.JsonNode;
import io.fengyu.contract.plan.UnresolvedReferenceException;
import java.util.concurrent.atomic.AtomicLong;

/**
 * How much text a run holds in memory. A plan is small, but its steps can pass a value on many
 * times over: without a bound, one run could take the memory of all others.
 */
final class RunSize {

  /** Characters that one step's references may bring together. */
  static final long STEP = 8 * 1024 * 1024;

  /** Characters of all results and all values passed on. */
  static final long RUN = 16 * 1024 * 1024;

  private final AtomicLong held = new AtomicLong();

  /** False when this result is too much for the run. */
  boolean keeps(String result) {
    return held.addAndGet(result.length()) <= RUN;
  }

  /** Counts what the references of one step bring. */
  Step step() {
    return new Step();
  }

  /** One step's share. */
  final class Step {

    private long brought;

    /**
     * Lets a value through.
     *
     * @throws UnresolvedReferenceException when it is too much
     */
    JsonNode pass(JsonNode value) {
      long size = size(value);
      brought += size;
      if (brought > STEP) {
        throw new UnresolvedReferenceException(
            "the references of the step bring more than " + STEP + " characters");
      }
      if (held.addAndGet(size) > RUN) {
        throw new UnresolvedReferenceException(
            "the run passes on more than " + RUN + " characters in all");
      }
      return value;
    }
  }

  private static long size(JsonNode value) {
    if (value.isTextual()) {
      return value.textValue().length();
    }
    long size = 8;
    for (var element : value) {
      size += size(element) + 8;
    }
    return size;
  }
}
