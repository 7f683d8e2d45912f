package io.fengyu.agent.guard.shell;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Puts known values in the place of variables. */
final class Variables {

  private Variables() {}

  /** The text with every variable of known value replaced; null when it would be too long. */
  static @Nullable String fill(String text, Map<String, String> values, int longest) {
    var filled = new StringBuilder();
    int at = 0;
    while (at < text.length()) {
      int dollar = text.indexOf('$', at);
      if (dollar < 0) {
        break;
      }
      filled.append(text, at, dollar);
      at = variable(text, dollar, values, filled);
      if (filled.length() > longest) {
        return null;
      }
    }
    return filled.append(text, Math.min(at, text.length()), text.length()).toString();
  }

  /** Appends what the variable at the dollar stands for; index after it. */
  private static int variable(
      String text, int dollar, Map<String, String> values, StringBuilder filled) {
    boolean braced = dollar + 1 < text.length() && text.charAt(dollar + 1) == '{';
    int start = braced ? dollar + 2 : dollar + 1;
    int end = start;
    while (end < text.length() && isName(text.charAt(end))) {
      end++;
    }
    boolean closed = !braced || (end < text.length() && text.charAt(end) == '}');
    var value = closed ? values.get(text.substring(start, end)) : null;
    if (value == null) {
      filled.append('$');
      return dollar + 1;
    }
    filled.append(value);
    return braced ? end + 1 : end;
  }

  private static boolean isName(char c) {
    return c == '_' || (c < 128 && Character.isLetterOrDigit(c));
  }
}
