package io.fengyu.chat.model;

import java.net.URI;
import java.net.URISyntaxException;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;

/** What people enter as a provider's address, and the address that is called. */
public final class BaseUrl {

  private static final int LONGEST = 2048;
  private static final Pattern VERSION = Pattern.compile(".*/v\\d+");
  private static final List<String> ENDPOINTS =
      List.of("/chat/completions", "/messages", "/api/chat", "/api/generate", "/api/tags");

  private BaseUrl() {}

  /**
   * Empty for what is no base address: not http or https, without a host, or with credentials, a
   * query or a fragment. One trailing slash is dropped, and so is the path of a whole endpoint.
   */
  public static Optional<URI> parse(String entered) {
    if (entered.length() > LONGEST) {
      return Optional.empty();
    }
    try {
      var url = new URI(corrected(entered));
      return usable(url) ? Optional.of(url) : Optional.empty();
    } catch (URISyntaxException malformed) {
      return Optional.empty();
    }
  }

  /** True when more than blanks and one slash had to be taken away. */
  public static boolean wasCorrected(String entered, URI url) {
    return !withoutSlash(entered.strip()).equals(url.toString());
  }

  /** What is called below an OpenAI-style address. */
  static URI openAi(URI base, String path) {
    var url = base.toString();
    return URI.create((VERSION.matcher(url).matches() ? url : url + "/v1") + path);
  }

  /** What is called below Anthropic's address. */
  static URI anthropic(URI base, String path) {
    var url = base.toString();
    return URI.create((VERSION.matcher(url).matches() ? parent(url) : url) + "/v1" + path);
  }

  /** What is called below Ollama's address. */
  static URI ollama(URI base, String path) {
    return URI.create(base + path);
  }

  /** Scheme, host and port: what a key belongs to. */
  public static String origin(URI url) {
    return (url.getScheme() + "://" + url.getHost() + ":" + port(url)).toLowerCase(Locale.ROOT);
  }

  /** The port that is connected to. */
  public static int port(URI url) {
    if (url.getPort() > 0) {
      return url.getPort();
    }
    return secure(url) ? 443 : 80;
  }

  static boolean secure(URI url) {
    return "https".equalsIgnoreCase(url.getScheme());
  }

  private static boolean usable(URI url) {
    var scheme = url.getScheme();
    return ("http".equalsIgnoreCase(scheme) || "https".equalsIgnoreCase(scheme))
        && url.getHost() != null
        && url.getUserInfo() == null
        && url.getRawQuery() == null
        && url.getRawFragment() == null
        && url.getPort() <= 65_535;
  }

  private static String corrected(String entered) {
    var url = withoutSlash(entered.strip());
    for (var endpoint : ENDPOINTS) {
      if (url.endsWith(endpoint)) {
        return withoutSlash(url.substring(0, url.length() - endpoint.length()));
      }
    }
    return url;
  }

  private static String parent(String url) {
    return url.substring(0, url.lastIndexOf('/'));
  }

  private static String withoutSlash(String url) {
    return url.endsWith("/") ? url.substring(0, url.length() - 1) : url;
  }
}
