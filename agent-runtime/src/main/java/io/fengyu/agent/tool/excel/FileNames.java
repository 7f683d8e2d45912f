package io.fengyu.agent.tool.excel;

import io.fengyu.agent.tool.SafeName;
import java.util.HashSet;
import java.util.Locale;
import java.util.Set;

/** Makes file names out of what cells say, each one once. */
final class FileNames {

  /** What the file of blank cells is called. */
  static final String BLANK = "_blank";

  private final String prefix;
  private final Set<String> taken = new HashSet<>();

  FileNames(String prefix) {
    this.prefix = prefix;
  }

  /** Name for a value, without an ending; no two are the same but for upper and lower case. */
  String next(String value) {
    var base = SafeName.of(prefix + (value.isEmpty() ? BLANK : value));
    var name = base;
    for (int i = 2; !taken.add(name.toLowerCase(Locale.ROOT)); i++) {
      name = base + " (" + i + ")";
    }
    return name;
  }
}
