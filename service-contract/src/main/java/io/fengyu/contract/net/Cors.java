package io.fengyu.contract.net;

import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import java.net.URI;
import java.util.Arrays;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Pages of which other origins may call. Nobody's cookies are used here, so credentials in the
 * sense of browsers are never allowed; a page brings its token itself.
 */
public final class Cors {

  private static final String ANY = "*";
  private static final String METHODS = "GET, HEAD, POST, PUT, PATCH, DELETE";
  private static final String HEADERS =
      "X-FengYu-Token, Content-Type, Accept, Accept-Language, Last-Event-ID, Idempotency-Key,"
          + " If-Match, If-None-Match, X-Request-ID, traceparent";
  private static final String EXPOSED =
      "X-Request-ID, X-Trace-ID, ETag, Location, Retry-After, Content-Disposition, Link,"
          + " X-Next-Cursor, Idempotent-Replayed";

  private final Set<String> origins;

  private Cors(Set<String> origins) {
    this.origins = origins;
  }

  /** Reads {@code CORS_ORIGINS}: origins separated by commas, or {@code *}; empty is off. */
  public static Cors parse(String list) {
    return new Cors(
        Arrays.stream(list.split(",", -1))
            .map(String::strip)
            .filter(origin -> !origin.isEmpty())
            .map(Cors::checked)
            .collect(Collectors.toUnmodifiableSet()));
  }

  /** True when pages of some other origin may call. */
  public boolean on() {
    return !origins.isEmpty();
  }

  /**
   * Tells the browser what it needs to know.
   *
   * @return true when the request was only a question of the browser: there is nothing else to say
   */
  public boolean settles(HttpServerRequest request) {
    var origin = request.getHeader("Origin");
    if (origin == null || !on()) {
      return false;
    }
    var answer = request.response().headers();
    answer.add("Vary", "Origin");
    if (!origins.contains(ANY) && !origins.contains(origin)) {
      return false;
    }
    answer.set("Access-Control-Allow-Origin", origins.contains(ANY) ? ANY : origin);
    if (!request.method().equals(HttpMethod.OPTIONS)
        || !request.headers().contains("Access-Control-Request-Method")) {
      answer.set("Access-Control-Expose-Headers", EXPOSED);
      return false;
    }
    answer.set("Access-Control-Allow-Methods", METHODS);
    answer.set("Access-Control-Allow-Headers", HEADERS);
    answer.set("Access-Control-Max-Age", "600");
    return true;
  }

  private static String checked(String origin) {
    if (origin.equals(ANY)) {
      return origin;
    }
    try {
      var uri = URI.create(origin);
      if (String.valueOf(uri.getScheme()).matches("https?")
          && uri.getHost() != null
          && origin.equals(uri.getScheme() + "://" + uri.getAuthority())) {
        return origin;
      }
    } catch (IllegalArgumentException malformed) {
      throw refused(origin, malformed);
    }
    throw refused(origin, null);
  }

  private static IllegalArgumentException refused(
      String origin, @org.jspecify.annotations.Nullable Throwable cause) {
    return new IllegalArgumentException(
        "CORS_ORIGINS: not an origin such as https://example.org: '" + origin + "'", cause);
  }
}
