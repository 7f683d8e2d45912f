package io.fengyu.contract.plan;

import io.fengyu.contract.plan.Reference.Side;
import io.fengyu.contract.plan.Reference.Source;
import io.fengyu.contract.plan.ValuePath.Part;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Reads one placeholder at a place in a text.
 *
 * <pre>
 * placeholder := "{{" space* root path space* "}}"
 * root        := "steps" "." digits side | "last.result" | "node" name side | "inputs" name
 * side        := ".result" | ".input"
 * name        := "." key | "[" quoted "]"
 * path        := ( "." key | "[" digits "]" | "[" quoted "]" )*
 * key         := letters, marks and digits of any script, "_", "-"
 * </pre>
 *
 * Braces around anything that doesn't begin with one of the four roots and a dot or bracket are
 * ordinary text.
 */
final class ReferenceScanner {

  private final String text;
  private int at;

  private ReferenceScanner(String text, int at) {
    this.text = text;
    this.at = at;
  }

  /**
   * What was found.
   *
   * @param reference null when the placeholder is malformed
   * @param end the first character behind it
   */
  record Found(@Nullable Reference reference, int end) {}

  /** Reads what stands at {@code start}, two opening braces; null when it is ordinary text. */
  static @Nullable Found read(String text, int start) {
    return new ReferenceScanner(text, start + 2).found(start);
  }

  static boolean keyChar(int c) {
    if (c < 128) {
      return (c >= 'a' && c <= 'z')
          || (c >= 'A' && c <= 'Z')
          || (c >= '0' && c <= '9')
          || c == '_'
          || c == '-';
    }
    return switch (Character.getType(c)) {
      case Character.NON_SPACING_MARK, Character.COMBINING_SPACING_MARK -> true;
      default -> Character.isLetterOrDigit(c);
    };
  }

  private @Nullable Found found(int start) {
    spaces();
    var word = key();
    if (word == null || !root(word) || !(next('.') || next('['))) {
      return null;
    }
    var reference = reference(word);
    spaces();
    if (reference != null && text.startsWith("}}", at)) {
      return new Found(reference, at + 2);
    }
    return new Found(null, malformedEnd(start));
  }

  private static boolean root(String word) {
    return switch (word) {
      case "steps", "last", "node", "inputs" -> true;
      default -> false;
    };
  }

  private int malformedEnd(int start) {
    int close = text.indexOf("}}", start);
    return close < 0 ? text.length() : close + 2;
  }

  private @Nullable Reference reference(String word) {
    var source = source(word);
    var path = source == null ? null : path();
    return source == null || path == null ? null : new Reference(source, path);
  }

  private @Nullable Source source(String word) {
    return switch (word) {
      case "steps" -> step();
      case "last" -> side() == Side.RESULT ? new Source.Last() : null;
      case "node" -> node();
      default -> input();
    };
  }

  private @Nullable Source step() {
    if (!skip('.')) {
      return null;
    }
    int index = digits();
    var side = index < 0 ? null : side();
    return side == null ? null : new Source.Step(index, side);
  }

  private @Nullable Source node() {
    var id = name();
    var side = id == null ? null : side();
    return id == null || side == null ? null : new Source.Node(id, side);
  }

  private @Nullable Source input() {
    var name = name();
    return name == null ? null : new Source.Input(name);
  }

  private @Nullable Side side() {
    var word = skip('.') ? key() : null;
    if (word == null) {
      return null;
    }
    return switch (word) {
      case "result" -> Side.RESULT;
      case "input" -> Side.INPUT;
      default -> null;
    };
  }

  /** A name: a plain key behind a dot, or a quoted one in brackets. */
  private @Nullable String name() {
    if (skip('.')) {
      return key();
    }
    return skip('[') && at < text.length() ? quotedThenBracket() : null;
  }

  private @Nullable ValuePath path() {
    if (!next('.') && !next('[')) {
      return ValuePath.ROOT;
    }
    var parts = new ArrayList<Part>(4);
    while (next('.') || next('[')) {
      var part = part();
      if (part == null) {
        return null;
      }
      parts.add(part);
    }
    return new ValuePath(List.copyOf(parts));
  }

  private @Nullable Part part() {
    if (skip('.')) {
      var key = key();
      return key == null ? null : new Part.Key(key);
    }
    at++;
    if (next('"') || next('\'')) {
      var key = quotedThenBracket();
      return key == null ? null : new Part.Key(key);
    }
    int index = digits();
    return index >= 0 && skip(']') ? new Part.Index(index) : null;
  }

  private @Nullable String quotedThenBracket() {
    char quote = text.charAt(at);
    if (quote != '"' && quote != '\'') {
      return null;
    }
    at++;
    var key = new StringBuilder();
    while (at < text.length() && text.charAt(at) != quote) {
      if (text.charAt(at) == '\\' && ++at == text.length()) {
        return null;
      }
      key.append(text.charAt(at++));
    }
    return skip(quote) && skip(']') ? key.toString() : null;
  }

  private @Nullable String key() {
    int start = at;
    while (at < text.length()) {
      int c = text.codePointAt(at);
      if (!keyChar(c)) {
        break;
      }
      at += Character.charCount(c);
    }
    return at == start ? null : text.substring(start, at);
  }

  /** A whole number of at most nine digits; -1 for anything else. */
  private int digits() {
    int start = at;
    int value = 0;
    while (at < text.length() && text.charAt(at) >= '0' && text.charAt(at) <= '9') {
      if (at - start == 9) {
        return -1;
      }
      value = value * 10 + text.charAt(at++) - '0';
    }
    return at == start ? -1 : value;
  }

  private void spaces() {
    while (at < text.length() && Character.isWhitespace(text.charAt(at))) {
      at++;
    }
  }

  private boolean next(char c) {
    return at < text.length() && text.charAt(at) == c;
  }

  private boolean skip(char c) {
    boolean there = next(c);
    if (there) {
      at++;
    }
    return there;
  }
}
