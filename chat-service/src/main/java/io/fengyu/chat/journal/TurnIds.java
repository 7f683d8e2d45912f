package io.fengyu.chat.journal;

import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Ids of turns as clients send them. */
public final class TurnIds {

  private static final int LENGTH = 36;

  private TurnIds() {}

  /** What is no id is no turn's either. */
  public static UUID of(@Nullable String text) {
    var id = read(text);
    if (id == null) {
      throw TurnProblems.unknown(text);
    }
    return id;
  }

  /** Null for what is no id. */
  public static @Nullable UUID read(@Nullable String text) {
    if (text == null || text.length() != LENGTH) {
      return null;
    }
    try {
      return UUID.fromString(text);
    } catch (IllegalArgumentException noId) {
      return null;
    }
  }
}
