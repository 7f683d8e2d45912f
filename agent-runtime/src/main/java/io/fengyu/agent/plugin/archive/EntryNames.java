package io.fengyu.agent.plugin.archive;

import io.fengyu.agent.plugin.PluginProblems;
import java.util.HashSet;
import java.util.Locale;
import java.util.Set;

/**
 * The names of a package as they are met: each once, none leaving the package, and none that is a
 * file and a directory at a time. Case makes no difference: on some disks it makes none either.
 */
final class EntryNames {

  private static final int LONGEST = 240;
  private static final int DEEPEST = 16;
  private static final int SHOWN = 120;

  private final Set<String> files = new HashSet<>();
  private final Set<String> directories = new HashSet<>();

  void add(String name, boolean directory) {
    var plain = directory && name.endsWith("/") ? name.substring(0, name.length() - 1) : name;
    check(name, plain);
    var key = plain.toLowerCase(Locale.ROOT);
    if (files.contains(key) || (!directory && directories.contains(key))) {
      throw refused(name, "the name is there twice");
    }
    for (int slash = key.indexOf('/'); slash >= 0; slash = key.indexOf('/', slash + 1)) {
      var parent = key.substring(0, slash);
      if (files.contains(parent)) {
        throw refused(name, "it lies below a file");
      }
      directories.add(parent);
    }
    (directory ? directories : files).add(key);
  }

  private static void check(String name, String plain) {
    if (plain.isEmpty() || plain.length() > LONGEST) {
      throw refused(name, "its name must have 1 to " + LONGEST + " characters");
    }
    if (plain.chars().anyMatch(c -> c < ' ' || c == 127 || c == '\\' || c == ':' || c == 0xFFFD)) {
      throw refused(name, "its name holds a character that is not allowed");
    }
    var parts = plain.split("/", -1);
    if (parts.length > DEEPEST) {
      throw refused(name, "it lies deeper than " + DEEPEST + " directories");
    }
    for (var part : parts) {
      if (part.isEmpty() || part.equals(".") || part.equals("..") || part.endsWith(" ")) {
        throw refused(name, "it leaves the package, or its name is not a plain path");
      }
    }
  }

  private static RuntimeException refused(String name, String reason) {
    return PluginProblems.packageInvalid(shown(name), reason);
  }

  /** A name that may hold anything, for people. */
  static String shown(String name) {
    var plain = name.replaceAll("\\p{Cntrl}", "?");
    return plain.length() <= SHOWN ? plain : plain.substring(0, SHOWN) + "…";
  }
}
