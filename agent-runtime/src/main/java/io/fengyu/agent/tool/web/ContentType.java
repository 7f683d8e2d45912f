package io.fengyu.agent.tool.web;

import java.nio.charset.Charset;
import java.nio.charset.IllegalCharsetNameException;
import java.nio.charset.UnsupportedCharsetException;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * What a body says it is.
 *
 * @param type in lower case without parameters; empty when nothing was said
 */
record ContentType(String type, Optional<Charset> charset) {

  private static final Pattern CHARSET =
      Pattern.compile("(?i);\\s*charset\\s*=\\s*[\"']?([^\\s;\"']+)");

  static ContentType of(@Nullable String header) {
    if (header == null) {
      return new ContentType("", Optional.empty());
    }
    int end = header.indexOf(';');
    var type = (end < 0 ? header : header.substring(0, end)).strip().toLowerCase(Locale.ROOT);
    var named = CHARSET.matcher(header);
    return new ContentType(type, named.find() ? charset(named.group(1)) : Optional.empty());
  }

  private static Optional<Charset> charset(String name) {
    try {
      return Optional.of(Charset.forName(name));
    } catch (IllegalCharsetNameException | UnsupportedCharsetException unknown) {
      return Optional.empty();
    }
  }

  boolean html() {
    return type.equals("text/html") || type.equals("application/xhtml+xml");
  }

  /** True for what people, or models, can read as it is. */
  boolean text() {
    return type.startsWith("text/")
        || type.endsWith("+json")
        || type.endsWith("+xml")
        || type.endsWith("/json")
        || type.endsWith("/xml")
        || type.endsWith("javascript")
        || type.endsWith("yaml")
        || type.equals("application/x-ndjson")
        || type.equals("application/sql");
  }
}
