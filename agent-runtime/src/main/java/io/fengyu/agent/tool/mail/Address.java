package io.fengyu.agent.tool.mail;

import java.net.IDN;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Somebody a mail goes to or comes from. Only what can stand in an envelope and in a header without
 * meaning anything else becomes one.
 *
 * @param name for people; empty for none
 * @param email in ASCII, the domain in its encoded form
 */
record Address(String name, String email) {

  static final int LONGEST = 254;
  private static final int LONGEST_NAME = 200;
  private static final Pattern LOCAL =
      Pattern.compile("[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+(\\.[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+)*");
  private static final Pattern LABEL =
      Pattern.compile("[A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?");
  private static final Pattern NAMED = Pattern.compile("([^<>]*)<([^<>]*)>");

  /** The address alone; empty when it is none. */
  static Optional<String> email(String text) {
    var stripped = text.strip();
    int at = stripped.lastIndexOf('@');
    if (at < 1 || at > 64 || !LOCAL.matcher(stripped.substring(0, at)).matches()) {
      return Optional.empty();
    }
    return domain(stripped.substring(at + 1))
        .map(domain -> stripped.substring(0, at) + "@" + domain)
        .filter(email -> email.length() <= LONGEST);
  }

  /** As people write it: {@code a@b.example} or {@code Name <a@b.example>}. */
  static Optional<Address> read(String text) {
    var named = NAMED.matcher(text.strip());
    if (!named.matches()) {
      return email(text).map(email -> new Address("", email));
    }
    var name = unquoted(named.group(1).strip());
    return isName(name) ? email(named.group(2)).map(e -> new Address(name, e)) : Optional.empty();
  }

  /** True for one short line without anything that cannot be seen. */
  static boolean isName(String text) {
    return text.length() <= LONGEST_NAME && isLine(text);
  }

  /** True for a text without line breaks and control characters. */
  static boolean isLine(String text) {
    return text.codePoints()
        .noneMatch(
            point ->
                Character.isISOControl(point)
                    || Character.getType(point) == Character.LINE_SEPARATOR
                    || Character.getType(point) == Character.PARAGRAPH_SEPARATOR
                    || Character.getType(point) == Character.SURROGATE);
  }

  /** The same for addresses that reach the same mailbox. */
  String key() {
    return email.toLowerCase(Locale.ROOT);
  }

  String shown() {
    return name.isEmpty() ? email : name + " <" + email + ">";
  }

  private static String unquoted(String name) {
    return name.length() > 1 && name.startsWith("\"") && name.endsWith("\"")
        ? name.substring(1, name.length() - 1)
        : name;
  }

  private static Optional<String> domain(String text) {
    try {
      var ascii = IDN.toASCII(text);
      for (var label : ascii.split("\\.", -1)) {
        if (!LABEL.matcher(label).matches()) {
          return Optional.empty();
        }
      }
      return Optional.of(ascii);
    } catch (IllegalArgumentException none) {
      return Optional.empty();
    }
  }
}
