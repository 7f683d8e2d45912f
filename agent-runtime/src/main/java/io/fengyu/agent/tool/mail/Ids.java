package io.fengyu.agent.tool.mail;

import java.time.Duration;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Reads ids that clients send. */
final class Ids {

  /** Longest wait for the database. */
  static final Duration PATIENCE = Duration.ofSeconds(30);

  private Ids() {}

  /** Null for what cannot be an id of a row. */
  static @Nullable Long number(String text) {
    return text.matches("[0-9]{1,18}") ? Long.valueOf(text) : null;
  }

  /** Null for what cannot be an id of a sending. */
  static @Nullable UUID uuid(String text) {
    try {
      return text.length() == 36 ? UUID.fromString(text) : null;
    } catch (IllegalArgumentException none) {
      return null;
    }
  }
}
