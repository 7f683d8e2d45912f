package io.fengyu.agent.tool.web;

import io.fengyu.contract.outbound.TargetPolicy;
import java.net.IDN;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;

/** Reads addresses as people and pages write them, which is not always as the standard has it. */
public final class WebAddress {

  private static final int LONGEST = 8_192;
  // Scheme, authority, and the rest without its fragment.
  private static final Pattern PARTS = Pattern.compile("(?s)([A-Za-z]+)://([^/?#\\\\]*)([^#]*).*");

  private static final Pattern NUMBER = Pattern.compile("[0-9]+|0x[0-9a-f]*");
  private static final String OCTET = "(?:0|[1-9][0-9]?|1[0-9]{2}|2[0-4][0-9]|25[0-5])";
  private static final Pattern QUAD = Pattern.compile(OCTET + "(?:\\." + OCTET + "){3}");

  private WebAddress() {}

  /**
   * An address that may be looked at more closely.
   *
   * @return empty for what is no http address, has no host, carries credentials, names this
   *     machine, or has a number for a host that not all programs read alike
   */
  public static Optional<URI> read(String written) {
    var parts = PARTS.matcher(written.strip());
    if (written.length() > LONGEST || !parts.matches()) {
      return Optional.empty();
    }
    return uri(parts.group(1) + "://" + ascii(parts.group(2)) + encoded(parts.group(3)))
        .filter(TargetPolicy::isHttp)
        .filter(url -> clear(url.getHost().toLowerCase(Locale.ROOT)));
  }

  private static boolean clear(String host) {
    if (host.startsWith("[")) {
      return host.indexOf('%') < 0;
    }
    var name = host.endsWith(".") ? host.substring(0, host.length() - 1) : host;
    var last = name.substring(name.lastIndexOf('.') + 1);
    boolean number = NUMBER.matcher(last).matches();
    return number
        ? QUAD.matcher(name).matches()
        : !name.equals("localhost") && !name.endsWith(".localhost");
  }

  /** Where a page points, seen from its own address. */
  static Optional<URI> resolve(URI page, String reference) {
    var named = reference.strip();
    if (named.matches("[A-Za-z][A-Za-z0-9+.-]*:.*")) {
      return read(named);
    }
    if (named.startsWith("//")) {
      return read(page.getScheme() + ":" + named);
    }
    return uri(encoded(named)).map(page::resolve).map(URI::toString).flatMap(WebAddress::read);
  }

  private static Optional<URI> uri(String text) {
    try {
      return Optional.of(new URI(text));
    } catch (URISyntaxException noAddress) {
      return Optional.empty();
    }
  }

  private static String ascii(String authority) {
    if (authority.chars().allMatch(c -> c < 128)) {
      return authority;
    }
    int port = authority.lastIndexOf(':');
    var host = port < 0 ? authority : authority.substring(0, port);
    try {
      return IDN.toASCII(host) + (port < 0 ? "" : authority.substring(port));
    } catch (IllegalArgumentException noName) {
      return authority;
    }
  }

  // What must not stand in an address gets its percent form; what has one keeps it.
  private static String encoded(String rest) {
    var out = new StringBuilder(rest.length());
    for (byte octet : rest.getBytes(StandardCharsets.UTF_8)) {
      int c = octet & 0xff;
      boolean bad = c <= ' ' || c >= 127 || "\"<>\\^`{|}".indexOf(c) >= 0;
      out.append(bad ? "%%%02X".formatted(c) : String.valueOf((char) c));
    }
    return out.toString();
  }
}
