package io.fengyu.agent.tool.workspace;

import com.google.re2j.Pattern;
import com.google.re2j.PatternSyntaxException;
import io.fengyu.agent.tool.ToolException;

/**
 * File name patterns: {@code *} and {@code ?} within a name, {@code **} over directories, {@code
 * {a,b}} and {@code [a-z]}. Matching takes time in proportion to the path, whatever the pattern.
 */
final class GlobPattern {

  private static final int LONGEST = 500;

  private final Pattern pattern;

  private GlobPattern(Pattern pattern) {
    this.pattern = pattern;
  }

  /** A pattern without a slash is for names in any directory. */
  static GlobPattern of(String glob) throws ToolException {
    if (glob.length() > LONGEST) {
      throw new ToolException("the pattern is longer than " + LONGEST + " characters");
    }
    try {
      var anywhere = glob.indexOf('/') < 0 ? "**/" + glob : glob;
      return new GlobPattern(Pattern.compile(regex(anywhere)));
    } catch (PatternSyntaxException e) {
      throw new ToolException("not a pattern: " + glob);
    }
  }

  boolean matches(String path) {
    return pattern.matches(path);
  }

  private static String regex(String glob) {
    var out = new StringBuilder();
    int braces = 0;
    for (int i = 0; i < glob.length(); i++) {
      char c = glob.charAt(i);
      switch (c) {
        case '*' -> {
          if (glob.startsWith("**/", i)) {
            out.append("(?:[^/]+/)*");
            i += 2;
          } else if (glob.startsWith("**", i)) {
            out.append(".*");
            i++;
          } else {
            out.append("[^/]*");
          }
        }
        case '?' -> out.append("[^/]");
        case '{' -> {
          braces++;
          out.append("(?:");
        }
        case '}' -> {
          out.append(braces-- > 0 ? ")" : "\\}");
        }
        case ',' -> out.append(braces > 0 ? "|" : ",");
        case '[' -> {
          int end = glob.indexOf(']', i + 2);
          if (end < 0) {
            out.append("\\[");
          } else {
            var inside = glob.substring(i + 1, end).replace("\\", "\\\\").replace("[", "\\[");
            out.append('[').append(inside.startsWith("!") ? "^" + inside.substring(1) : inside);
            out.append(']');
            i = end;
          }
        }
        default -> out.append(Pattern.quote(String.valueOf(c)));
      }
    }
    return out.toString();
  }
}
