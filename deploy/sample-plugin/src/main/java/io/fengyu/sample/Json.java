package io.fengyu.sample;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** JSON as maps, lists, texts, numbers and booleans; enough for a plugin without dependencies. */
final class Json {

  private final String text;
  private int at;

  private Json(String text) {
    this.text = text;
  }

  /**
   * Reads one value.
   *
   * @throws IllegalArgumentException for what is none
   */
  static @Nullable Object read(String text) {
    var json = new Json(text);
    var value = json.value();
    json.space();
    if (json.at < text.length()) {
      throw json.unexpected();
    }
    return value;
  }

  private @Nullable Object value() {
    space();
    return switch (peek()) {
      case '{' -> object();
      case '[' -> array();
      case '"' -> string();
      case 't' -> word("true", true);
      case 'f' -> word("false", false);
      case 'n' -> word("null", null);
      default -> number();
    };
  }

  private Map<String, @Nullable Object> object() {
    var object = new LinkedHashMap<String, @Nullable Object>();
    at++;
    for (space(); peek() != '}'; space()) {
      var name = string();
      space();
      expect(':');
      object.put(name, value());
      space();
      if (peek() != '}') {
        expect(',');
      }
    }
    at++;
    return object;
  }

  private List<@Nullable Object> array() {
    var array = new ArrayList<@Nullable Object>();
    at++;
    for (space(); peek() != ']'; space()) {
      array.add(value());
      space();
      if (peek() != ']') {
        expect(',');
      }
    }
    at++;
    return array;
  }

  private String string() {
    expect('"');
    var read = new StringBuilder();
    while (peek() != '"') {
      char next = text.charAt(at++);
      read.append(next == '\\' ? escaped() : next);
    }
    at++;
    return read.toString();
  }

  private char escaped() {
    char kind = peek();
    at++;
    return switch (kind) {
      case 'n' -> '\n';
      case 't' -> '\t';
      case 'r' -> '\r';
      case 'b' -> '\b';
      case 'f' -> '\f';
      case 'u' -> unicode();
      default -> kind;
    };
  }

  private char unicode() {
    if (at + 4 > text.length()) {
      throw unexpected();
    }
    at += 4;
    return (char) Integer.parseInt(text.substring(at - 4, at), 16);
  }

  private Double number() {
    int from = at;
    while (at < text.length() && "+-.0123456789eE".indexOf(text.charAt(at)) >= 0) {
      at++;
    }
    return Double.valueOf(text.substring(from, at));
  }

  private @Nullable Object word(String word, @Nullable Object means) {
    if (!text.startsWith(word, at)) {
      throw unexpected();
    }
    at += word.length();
    return means;
  }

  private char peek() {
    if (at >= text.length()) {
      throw unexpected();
    }
    return text.charAt(at);
  }

  private void expect(char character) {
    if (peek() != character) {
      throw unexpected();
    }
    at++;
  }

  private void space() {
    while (at < text.length() && Character.isWhitespace(text.charAt(at))) {
      at++;
    }
  }

  private IllegalArgumentException unexpected() {
    return new IllegalArgumentException("no JSON at character " + at);
  }

  /** Writes a value on one line. */
  static String write(@Nullable Object value) {
    return switch (value) {
      case null -> "null";
      case String text -> quoted(text);
      case Map<?, ?> object -> {
        var members = new ArrayList<String>();
        object.forEach((name, of) -> members.add(quoted(String.valueOf(name)) + ":" + write(of)));
        yield "{" + String.join(",", members) + "}";
      }
      case List<?> array -> "[" + String.join(",", array.stream().map(Json::write).toList()) + "]";
      case Double number when number == Math.rint(number) && Math.abs(number) < 1e15 ->
          Long.toString(number.longValue());
      default -> value.toString();
    };
  }

  private static String quoted(String text) {
    var quoted = new StringBuilder("\"");
    for (int i = 0; i < text.length(); i++) {
      char character = text.charAt(i);
      if (character == '"' || character == '\\') {
        quoted.append('\\').append(character);
      } else if (character < ' ') {
        quoted.append(String.format("\\u%04x", (int) character));
      } else {
        quoted.append(character);
      }
    }
    return quoted.append('"').toString();
  }
}
