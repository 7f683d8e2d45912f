package io.fengyu.scheduler.queue;

import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * What a body came to.
 *
 * @param output the result, or what went wrong in words
 * @param errorCode null unless it failed
 */
public record TaskEnd(UUID id, Status status, @Nullable String output, @Nullable String errorCode) {

  private static final int LONGEST_OUTPUT = 100_000;

  /** Final states. */
  public enum Status {
    COMPLETED,
    FAILED,
    CANCELLED
  }

  /** The output as it is stored: cut, and without what a database refuses. */
  @Nullable String storedOutput() {
    if (output == null) {
      return null;
    }
    var clean = output.replace('\0', '\uFFFD');
    if (clean.length() <= LONGEST_OUTPUT) {
      return clean;
    }
    var cut = Character.isHighSurrogate(clean.charAt(LONGEST_OUTPUT - 1)) ? 1 : 0;
    return clean.substring(0, LONGEST_OUTPUT - cut) + "…";
  }
}
