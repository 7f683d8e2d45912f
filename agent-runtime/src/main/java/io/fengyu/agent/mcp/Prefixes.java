package io.fengyu.agent.mcp;

import java.util.Locale;
import java.util.Set;

/** Begins the names of a server's tools. */
final class Prefixes {

  private static final int LONGEST = 32;

  private Prefixes() {}

  /** A prefix for a name that nobody has taken. */
  static String free(String name, Set<String> taken) {
    var plain = cut(name.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9]", "_"), LONGEST);
    var prefix = plain;
    for (int number = 2; taken.contains(prefix); number++) {
      var tail = "_" + number;
      prefix = cut(plain, LONGEST - tail.length()) + tail;
    }
    return prefix;
  }

  private static String cut(String text, int length) {
    return text.length() <= length ? text : text.substring(0, length);
  }
}
