package io.fengyu.workflow.transfer;

/**
 * Sets JSON out in lines. Only space between tokens is touched: spelling of numbers, escapes,
 * repeated names and their order stay as they were written.
 */
final class ReadableJson {

  private final String json;
  private final StringBuilder out;
  private int depth;

  private ReadableJson(String json) {
    this.json = json;
    this.out = new StringBuilder(json.length() * 2);
  }

  /** The same document in lines. */
  static String of(String json) {
    return new ReadableJson(json).text();
  }

  private String text() {
    for (int at = 0; at < json.length(); at++) {
      char c = json.charAt(at);
      switch (c) {
        case ' ', '\t', '\r', '\n' -> {}
        case '"' -> at = string(at);
        case '{', '[' -> at = opened(at, c);
        case '}', ']' -> line(--depth).append(c);
        case ',' -> line(depth, c);
        case ':' -> out.append(": ");
        default -> out.append(c);
      }
    }
    return out.append('\n').toString();
  }

  /** Where the string ends that begins here. */
  private int string(int start) {
    int end = start + 1;
    while (json.charAt(end) != '"') {
      end += json.charAt(end) == '\\' ? 2 : 1;
    }
    out.append(json, start, end + 1);
    return end;
  }

  private int opened(int at, char bracket) {
    int next = at + 1;
    while (Character.isWhitespace(json.charAt(next))) {
      next++;
    }
    out.append(bracket);
    if (json.charAt(next) == '}' || json.charAt(next) == ']') {
      out.append(json.charAt(next));
      return next;
    }
    line(++depth);
    return at;
  }

  private void line(int indent, char after) {
    out.append(after);
    line(indent);
  }

  private StringBuilder line(int indent) {
    return out.append('\n').append("  ".repeat(indent));
  }
}
