package io.fengyu.agent.guard.shell;

import java.util.Set;

/** A place in a script, and what a shell would see there. */
final class ScriptCursor {

  static final char END = '\0';

  private final String text;
  private final Set<Doubt> doubts;
  private final int lastSolid;
  private int at;

  ScriptCursor(String text, Set<Doubt> doubts) {
    this.text = text;
    this.doubts = doubts;
    this.lastSolid = lastSolid(text);
  }

  private static int lastSolid(String text) {
    int last = text.length() - 1;
    while (last >= 0 && isBlank(text.charAt(last))) {
      last--;
    }
    return last;
  }

  int at() {
    return at;
  }

  void pass(int characters) {
    at = Math.min(at + characters, text.length());
  }

  void go(int to) {
    at = Math.min(to, text.length());
  }

  void goToEnd() {
    at = text.length();
  }

  boolean more() {
    return at < text.length();
  }

  /** The character here; there has to be one. */
  char now() {
    return text.charAt(at);
  }

  /** The character so many places on; {@link #END} past the last one. */
  char peek(int ahead) {
    return at + ahead < text.length() ? text.charAt(at + ahead) : END;
  }

  /** True when at most one character is left. */
  boolean atLast() {
    return at + 1 >= text.length();
  }

  /** Where the next such character stands; the end of the text when there is none. */
  int next(char c, int from) {
    int found = text.indexOf(c, from);
    return found < 0 ? text.length() : found;
  }

  boolean startsWith(String what) {
    return text.startsWith(what, at);
  }

  String text() {
    return text;
  }

  /** What was passed since. */
  String since(int start) {
    return text.substring(start, at);
  }

  /** True when only blanks follow. */
  boolean onlyBlanksLeft() {
    return at > lastSolid;
  }

  void skipBlankLines() {
    while (more() && isBlank(now())) {
      at++;
    }
  }

  void skipBlanks() {
    while (more()) {
      char c = now();
      if (c == ' ' || c == '\t') {
        at++;
      } else if (c == '\\' && peek(1) == '\n') {
        doubts.add(Doubt.NEWLINE);
        at += 2;
      } else if (c == '#' && startsWord()) {
        int end = text.indexOf('\n', at);
        at = end < 0 ? text.length() : end;
      } else {
        return;
      }
    }
  }

  private boolean startsWord() {
    if (at == 0) {
      return true;
    }
    char before = text.charAt(at - 1);
    return isBlank(before) || ";|&()".indexOf(before) >= 0;
  }

  boolean endsCommand() {
    char c = now();
    return c == ';' || c == '|' || c == '\n' || c == ')' || (c == '&' && peek(1) != '>');
  }

  boolean endsWord() {
    char c = now();
    if (isRedirectChar(c)) {
      return !isProcessSubstitution();
    }
    return c == ' ' || c == '\t' || c == '(' || endsCommand() || (c == '&' && peek(1) == '>');
  }

  boolean isRedirect() {
    char c = now();
    return isRedirectChar(c) ? !isProcessSubstitution() : c == '&' && peek(1) == '>';
  }

  private boolean isProcessSubstitution() {
    return peek(1) == '(';
  }

  static boolean isRedirectChar(char c) {
    return c == '<' || c == '>';
  }

  private static boolean isBlank(char c) {
    return c == ' ' || c == '\t' || c == '\n';
  }
}
