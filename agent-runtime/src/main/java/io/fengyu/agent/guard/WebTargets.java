package io.fengyu.agent.guard;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.net.IDN;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.LinkedHashSet;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The hosts that a call names.
 *
 * @param all as any reader of addresses might see them; more than one when they would differ
 * @param certain the one that all readers agree on; null when they don't, or there is none
 */
record WebTargets(Set<String> all, @Nullable String certain) {

  static final WebTargets NONE = new WebTargets(Set.of(), null);

  private static final Set<String> BY_URL =
      Set.of("web_fetch", "browser_navigate", "browser_new_tab");
  private static final Pattern SITE = Pattern.compile("(?i)(?:^|\\s|\\()-?site:([^\\s)]+)");
  private static final Pattern ADDRESS = Pattern.compile("(?i)[a-z][a-z0-9+.-]*:[/\\\\]*[^\\s]+");

  /** True for the tools that rules about the web are for. */
  static boolean concern(String tool) {
    return BY_URL.contains(tool) || tool.equals("web_search");
  }

  static WebTargets of(String tool, ObjectNode args) {
    if (BY_URL.contains(tool)) {
      return ofAddress(args.path("url").asText("").strip());
    }
    return tool.equals("web_search") ? ofQuery(args.path("query").asText("").strip()) : NONE;
  }

  /** True when some host is the domain or below it; always true for no domain. */
  boolean below(@Nullable String domain) {
    return domain == null || all.stream().anyMatch(host -> within(host, domain));
  }

  /** True when a host is a domain or below it. */
  static boolean within(String host, String domain) {
    return host.equals(domain) || host.endsWith("." + domain);
  }

  private static WebTargets ofQuery(String query) {
    var sites = SITE.matcher(query);
    var hosts = new LinkedHashSet<String>();
    while (sites.find()) {
      hosts.addAll(ofAddress(sites.group(1)).all());
    }
    if (ADDRESS.matcher(query).matches()) {
      return ofAddress(query);
    }
    return new WebTargets(hosts, hosts.size() == 1 ? hosts.getFirst() : null);
  }

  static WebTargets ofAddress(String address) {
    var hosts = new LinkedHashSet<String>();
    var strict = strict(address);
    if (strict != null) {
      hosts.add(strict);
    }
    var rest = afterScheme(address);
    hosts.add(host(end(rest, "/?#\\")));
    hosts.add(host(end(rest, "/?#")));
    hosts.remove("");
    boolean agreed = strict != null && hosts.size() == 1;
    return new WebTargets(hosts, agreed ? strict : null);
  }

  private static @Nullable String strict(String address) {
    try {
      var url = new URI(address);
      var scheme = String.valueOf(url.getScheme()).toLowerCase(Locale.ROOT);
      boolean http = scheme.equals("http") || scheme.equals("https");
      return http && url.getHost() != null ? name(url.getHost()) : null;
    } catch (URISyntaxException noAddress) {
      return null;
    }
  }

  private static String afterScheme(String address) {
    int colon = address.indexOf(':');
    boolean scheme = colon > 0 && address.substring(0, colon).matches("[A-Za-z][A-Za-z0-9+.-]*");
    var rest =
        scheme && !address.substring(colon + 1).matches("\\d+(/.*)?")
            ? address.substring(colon + 1)
            : address;
    int start = 0;
    while (start < rest.length() && (rest.charAt(start) == '/' || rest.charAt(start) == '\\')) {
      start++;
    }
    return rest.substring(start);
  }

  private static String end(String rest, String stops) {
    for (int i = 0; i < rest.length(); i++) {
      if (stops.indexOf(rest.charAt(i)) >= 0) {
        return rest.substring(0, i);
      }
    }
    return rest;
  }

  /** The host of an authority: without who comes, and without the port. */
  private static String host(String authority) {
    var host = authority.substring(authority.lastIndexOf('@') + 1);
    if (host.startsWith("[")) {
      return end(host, "]") + "]";
    }
    int colon = host.indexOf(':');
    return name(colon < 0 ? host : host.substring(0, colon));
  }

  private static String name(String host) {
    var lower = host.toLowerCase(Locale.ROOT);
    var bare = lower.endsWith(".") ? lower.substring(0, lower.length() - 1) : lower;
    try {
      return IDN.toASCII(bare).toLowerCase(Locale.ROOT);
    } catch (IllegalArgumentException noName) {
      return bare;
    }
  }
}
