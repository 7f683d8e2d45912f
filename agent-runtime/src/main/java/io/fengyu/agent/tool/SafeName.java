package io.fengyu.agent.tool;

import java.nio.charset.StandardCharsets;
import java.text.Normalizer;
import java.util.regex.Pattern;

/** Makes one path component out of any text: safe on every system, never hidden, never a path. */
public final class SafeName {

  private static final int LONGEST_BYTES = 180;
  private static final Pattern UNSAFE =
      Pattern.compile("[\\\\/:*?\"<>|\\p{Cntrl}\\p{Cf}\\p{Cs}\\p{Co}]");
  private static final Pattern RESERVED =
      Pattern.compile("(?i)(con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³])([. ].*)?");

  private SafeName() {}

  /** The text where it is safe, with an underscore for what is not. */
  public static String of(String text) {
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
