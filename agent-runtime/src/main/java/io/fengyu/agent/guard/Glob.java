package io.fengyu.agent.guard;

/**
 * A text with {@code *} for any characters and {@code ?} for one; letters of any case are equal.
 */
final class Glob {

  private final String pattern;

  Glob(String pattern) {
    this.pattern = pattern;
  }

  static boolean isPattern(String text) {
    return text.indexOf('*') >= 0 || text.indexOf('?') >= 0;
  }

  /** True for a pattern that everything matches. */
  boolean matchesAll() {
    return !pattern.isEmpty() && pattern.chars().allMatch(c -> c == '*');
  }

  /** True when the whole text matches. */
  boolean matches(String text) {
    int at = 0;
    int next = 0;
    int star = -1;
    int retry = 0;
    while (at < text.length()) {
      if (next < pattern.length() && pattern.charAt(next) == '*') {
        star = next++;
        retry = at;
      } else if (next < pattern.length() && same(pattern.charAt(next), text.charAt(at))) {
        next++;
        at++;
      } else if (star >= 0) {
        next = star + 1;
        at = ++retry;
      } else {
        return false;
      }
    }
    while (next < pattern.length() && pattern.charAt(next) == '*') {
      next++;
    }
    return next == pattern.length();
  }

  private static boolean same(char wanted, char found) {
    return wanted == '?'
        || wanted == found
        || Character.toLowerCase(wanted) == Character.toLowerCase(found);
  }

  @Override
  public String toString() {
    return pattern;
  }
}
