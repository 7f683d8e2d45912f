package io.fengyu.agent.guard.shell;

import java.text.Normalizer;
import java.util.Map;

/** Characters that a person takes for other ones, or doesn't see at all. */
final class Lookalikes {

  private static final String FROM = "аеорсхуіѕјһԁԛԝтмгкнвп" + "οανρτικυχεη" + "ɡıℓ∕⁄‐‑‒–—−";
  private static final String TO = "aeopcxyisjhdqwtmrkhbn" + "oavptikuxen" + "gil//------";
  private static final Map<Character, Character> FOLDED = folded();

  private Lookalikes() {}

  private static Map<Character, Character> folded() {
    var map = new java.util.HashMap<Character, Character>();
    for (int i = 0; i < FROM.length(); i++) {
      map.put(FROM.charAt(i), TO.charAt(i));
    }
    return Map.copyOf(map);
  }

  /** The text as it looks, in plain letters; the same object when it is plain already. */
  static String plain(String text) {
    if (isAscii(text)) {
      return text;
    }
    var seen = new StringBuilder(text.length());
    Normalizer.normalize(text, Normalizer.Form.NFKC)
        .codePoints()
        .filter(c -> !invisible(c))
        .forEach(c -> append(c, seen));
    return seen.toString();
  }

  private static void append(int c, StringBuilder seen) {
    if (Character.isSpaceChar(c)) {
      seen.append(' ');
    } else if (Character.isBmpCodePoint(c)) {
      char lower = (char) Character.toLowerCase(c);
      seen.append((char) FOLDED.getOrDefault(lower, (char) c));
    } else {
      seen.appendCodePoint(c);
    }
  }

  /** True when the text holds what nobody sees: control and format characters. */
  static boolean hides(String text) {
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c < ' ' ? c != '\t' && c != '\n' : c > '~' && hidden(text.codePointAt(i))) {
        return true;
      }
    }
    return false;
  }

  private static boolean hidden(int c) {
    return c == 0x7f || invisible(c) || Character.isSpaceChar(c) || Character.isISOControl(c);
  }

  private static boolean invisible(int c) {
    return Character.getType(c) == Character.FORMAT
        || Character.isISOControl(c)
        || c == 0x034f
        || c == 0x115f
        || c == 0x1160
        || c == 0x3164
        || c == 0xffa0
        || (c >= 0xfe00 && c <= 0xfe0f)
        || (c >= 0xe0100 && c <= 0xe01ef);
  }

  static boolean isAscii(String text) {
    for (int i = 0; i < text.length(); i++) {
      if (text.charAt(i) > 127) {
        return false;
      }
    }
    return true;
  }
}
