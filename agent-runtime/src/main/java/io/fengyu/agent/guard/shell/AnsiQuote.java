package io.fengyu.agent.guard.shell;

import java.util.EnumSet;

/** Text between {@code $'} and {@code '}, where escapes stand for characters. */
final class AnsiQuote {

  private static final String NAMES = "abefnrtv";
  private static final String VALUES = "\u0007\b\u001b\f\n\r\t\u000b";

  private AnsiQuote() {}

  /** Index after the closing quote. */
  static int end(String text, int from, EnumSet<Doubt> doubts) {
    int at = from;
    while (at < text.length()) {
      char c = text.charAt(at);
      if (c == '\'') {
        return at + 1;
      }
      at += c == '\\' ? 2 : 1;
    }
    doubts.add(Doubt.UNBALANCED);
    return text.length();
  }

  /** Appends what the quoted text means. */
  static void decode(String text, int from, StringBuilder into) {
    int at = from;
    while (at < text.length() && text.charAt(at) != '\'') {
      if (text.charAt(at) == '\\' && at + 1 < text.length()) {
        at = escape(text, at + 1, into);
      } else {
        into.append(text.charAt(at));
        at++;
      }
    }
  }

  private static int escape(String text, int at, StringBuilder into) {
    char c = text.charAt(at);
    int name = NAMES.indexOf(c);
    if (name >= 0) {
      into.append(VALUES.charAt(name));
      return at + 1;
    }
    return switch (c) {
      case 'x' -> number(text, at + 1, 16, 2, into);
      case 'u' -> number(text, at + 1, 16, 4, into);
      case 'U' -> number(text, at + 1, 16, 8, into);
      case '0', '1', '2', '3', '4', '5', '6', '7' -> number(text, at, 8, 3, into);
      default -> {
        into.append(c);
        yield at + 1;
      }
    };
  }

  private static int number(String text, int from, int radix, int most, StringBuilder into) {
    int at = from;
    long value = 0;
    while (at < text.length() && at - from < most && digit(text.charAt(at), radix) >= 0) {
      value = value * radix + digit(text.charAt(at), radix);
      at++;
    }
    if (value > 0 && value <= Character.MAX_CODE_POINT) {
      into.appendCodePoint((int) value);
    }
    return at;
  }

  private static int digit(char c, int radix) {
    return c < 128 ? Character.digit(c, radix) : -1;
  }
}
