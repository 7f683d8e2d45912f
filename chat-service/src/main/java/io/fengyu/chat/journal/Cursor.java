package io.fengyu.chat.journal;

import org.jspecify.annotations.Nullable;

/**
 * Where a client wants to go on.
 *
 * @param text as the client wrote it
 * @param seq the last event the client has; meaningless unless {@code readable}
 * @param readable false for what is no number, or below -1
 * @param inQuery true when it came as a query value, so that a refusal can be a plain error
 */
record Cursor(String text, long seq, boolean readable, boolean inQuery) {

  private static final Cursor START = new Cursor("-1", -1, true, false);

  /** The header wins: a reconnecting browser repeats the query of its first connection. */
  static Cursor of(@Nullable String header, @Nullable String query) {
    if (header != null && !header.isBlank()) {
      return parse(header.strip(), false);
    }
    return query == null || query.isBlank() ? START : parse(query.strip(), true);
  }

  private static Cursor parse(String text, boolean inQuery) {
    try {
      var seq = Long.parseLong(text);
      return new Cursor(text, seq, seq >= -1, inQuery);
    } catch (NumberFormatException noNumber) {
      return new Cursor(text, -1, false, inQuery);
    }
  }
}
