package io.fengyu.agent.tool.excel;

import java.nio.charset.StandardCharsets;
import java.text.Normalizer;
import java.util.HashSet;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;

/** Makes file names out of what cells say: safe on every system, and each one once. */
final class FileNames {

  /** What the file of blank cells is called. */
  static final String BLANK = "_blank";

  private static final int LONGEST_BYTES = 180;
  private static final Pattern UNSAFE =
      Pattern.compile("[\\\\/:*?\"<>|\\p{Cntrl}\\p{Cf}\\p{Cs}\\p{Co}]");
  private static final Pattern RESERVED =
      Pattern.compile("(?i)(con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³])([. ].*)?");

  private final String prefix;
  private final Set<String> taken = new HashSet<>();

  FileNames(String prefix) {
    this.prefix = UNSAFE.matcher(prefix).replaceAll("_");
  }

  /** Name for a value, without an ending; no two are the same but for upper and lower case. */
  String next(String value) {
    var base = clean(prefix + (value.isEmpty() ? BLANK : value));
    var name = base;
    for (int i = 2; !taken.add(name.toLowerCase(Locale.ROOT)); i++) {
      name = base + " (" + i + ")";
    }
    return name;
  }

  static String clean(String text) {
    var safe = UNSAFE.matcher(Normalizer.normalize(text, Normalizer.Form.NFC)).replaceAll("_");
    safe = shorten(safe).strip();
    while (safe.endsWith(".") || safe.endsWith(" ")) {
      safe = safe.substring(0, safe.length() - 1);
    }
    if (safe.startsWith(".")) {
      safe = "_" + safe.substring(1);
    }
    if (RESERVED.matcher(safe).matches()) {
      safe = "_" + safe;
    }
    return safe.isEmpty() ? "_" : safe;
  }

  private static String shorten(String text) {
    int bytes = 0;
    for (int i = 0; i < text.length(); ) {
      int point = text.codePointAt(i);
      bytes += Character.toString(point).getBytes(StandardCharsets.UTF_8).length;
      if (bytes > LONGEST_BYTES) {
        return text.substring(0, i);
      }
      i += Character.charCount(point);
    }
    return text;
  }
}
