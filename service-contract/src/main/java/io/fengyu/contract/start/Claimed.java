package io.fengyu.contract.start;

import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** What came of claiming a key. */
public sealed interface Claimed {

  /** The caller starts the work. */
  record Mine(StartClaim claim) implements Claimed {}

  /**
   * It was started before.
   *
   * @param answer what the first caller was told, as JSON
   * @param subject what was started; null when that has no id of its own
   */
  record Before(int status, String answer, @Nullable UUID subject) implements Claimed {}
}
