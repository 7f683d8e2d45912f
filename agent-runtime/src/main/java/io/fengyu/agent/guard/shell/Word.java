package io.fengyu.agent.guard.shell;

/**
 * A word of a command.
 *
 * @param raw as written
 * @param text with quotes removed; expansions stay as written
 * @param computed true when an expansion, a pattern or a brace list decides what it really is
 */
record Word(String raw, String text, boolean computed) {

  static Word plain(String text) {
    return new Word(text, text, false);
  }

  /** The word so that words joined by spaces can be told apart again. */
  String canonical() {
    return safe() ? text : "'" + text.replace("'", "'\\''") + "'";
  }

  private boolean safe() {
    if (text.isEmpty()) {
      return false;
    }
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c <= ' ' || c == '\'' || c == '"' || c == '\\' || isSpace(c)) {
        return false;
      }
    }
    return true;
  }

  private static boolean isSpace(char c) {
    return c > 127 && (Character.isSpaceChar(c) || Character.isWhitespace(c));
  }
}
