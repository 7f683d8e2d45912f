package io.fengyu.agent.hook;

import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;

/** When a hook is run. */
public enum HookEvent {
  /** Before a call; may deny it. */
  PRE_TOOL_USE,
  /** After a call that succeeded. */
  POST_TOOL_USE,
  /** After a call that failed. */
  POST_TOOL_USE_FAILURE,
  /** After a run that completed. */
  RUN_COMPLETE,
  /** After a run that failed or was cancelled. */
  RUN_ERROR;

  /** Word of the wire, with underscores. */
  public String wire() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** The event of that word, however it writes its parts; empty for any other word. */
  static Optional<HookEvent> of(String word) {
    var plain = plain(word);
    return Stream.of(values()).filter(event -> plain(event.name()).equals(plain)).findFirst();
  }

  private static String plain(String word) {
    return word.replace("_", "").replace("-", "").toLowerCase(Locale.ROOT);
  }

  /** True for the ends of runs, which no tool has to do with. */
  boolean ofRun() {
    return this == RUN_COMPLETE || this == RUN_ERROR;
  }
}
