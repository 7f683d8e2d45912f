package io.fengyu.console.proxy;

import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpVersion;
import java.util.Locale;

/** What can be told of a request, and of its answer, before anything of their bodies is read. */
final class Traits {

  private Traits() {}

  /** True when a body comes, or may come. */
  static boolean hasBody(HttpServerRequest inbound) {
    var length = inbound.getHeader("Content-Length");
    return inbound.headers().contains("Transfer-Encoding")
        || (length != null && !length.equals("0"))
        || (inbound.version() == HttpVersion.HTTP_2 && !inbound.isEnded());
  }

  /** True when sending it twice does no harm. */
  static boolean onlyReads(HttpServerRequest inbound) {
    return !hasBody(inbound)
        && (inbound.method().equals(HttpMethod.GET) || inbound.method().equals(HttpMethod.HEAD));
  }

  /** True when the answer is likely to be an event stream. */
  static boolean asksForStream(HttpServerRequest inbound, String uri) {
    var accept = inbound.getHeader("Accept");
    return uri.split("\\?", 2)[0].endsWith("/stream")
        || (accept != null && accept.toLowerCase(Locale.ROOT).contains("text/event-stream"));
  }

  /** False where an answer never has one. */
  static boolean mayHaveBody(HttpServerRequest inbound, HttpClientResponse from) {
    return !inbound.method().equals(HttpMethod.HEAD)
        && from.statusCode() != 204
        && from.statusCode() != 304;
  }

  static boolean isStream(HttpClientResponse from) {
    var type = from.getHeader("Content-Type");
    return type != null && type.toLowerCase(Locale.ROOT).startsWith("text/event-stream");
  }
}
