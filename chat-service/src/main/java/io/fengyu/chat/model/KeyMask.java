package io.fengyu.chat.model;

import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Shows that a key is there, without showing the key. */
public final class KeyMask {

  private static final String MASK = "***";
  private static final int SHOWN = 4;
  private static final int SHORT = 12;

  // What looks like a key even if it is not the one that was sent.
  private static final Pattern KEYS =
      Pattern.compile(
          "(?i)\\b(?:sk|pk|key|api|xai|gsk|AIza)[-_][A-Za-z0-9_\\-*]{8,}"
              + "|Bearer\\s+[A-Za-z0-9._~+/=\\-]{8,}");

  private KeyMask() {}

  /** First and last four characters; nothing of a short key; empty for none. */
  public static String masked(@Nullable String key) {
    if (key == null || key.isEmpty()) {
      return "";
    }
    return key.length() <= SHORT
        ? MASK
        : key.substring(0, SHOWN) + MASK + key.substring(key.length() - SHOWN);
  }

  /** True for what {@link #masked} produces, which must never be taken for a key. */
  public static boolean isMasked(String key) {
    return key.contains(MASK);
  }

  /** A provider's text with every key in it masked. */
  static String clean(String text, @Nullable String key) {
    var known = key == null || key.length() < SHOWN ? text : text.replace(key, MASK);
    return KEYS.matcher(known).replaceAll(MASK);
  }
}
