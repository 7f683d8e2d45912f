package io.fengyu.console.proxy;

import io.vertx.core.MultiMap;
import io.vertx.core.http.HttpServerRequest;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/** Which headers go on, in both directions, and which the edge sets itself. */
@ApplicationScoped
class RequestHeaders {

  /** Believed by services together with the internal secret only; a client can't set them. */
  private static final List<String> IDENTITY =
      List.of(
          "X-Internal-Secret",
          "X-User-ID",
          "X-Session-ID",
          "X-Run-ID",
          "X-Agent-ID",
          "X-Execution-Generation",
          "X-Operation-ID");

  private static final List<String> FORWARDED =
      List.of("Forwarded", "X-Forwarded-For", "X-Forwarded-Proto", "X-Forwarded-Host");

  private static final Set<String> HOP_BY_HOP =
      Set.of(
          "connection",
          "keep-alive",
          "proxy-connection",
          "proxy-authenticate",
          "proxy-authorization",
          "te",
          "trailer",
          "transfer-encoding",
          "upgrade",
          "http2-settings");

  private final ClientAddress clients;

  RequestHeaders(ClientAddress clients) {
    this.clients = clients;
  }

  /** What the service gets to see of the client's headers. */
  MultiMap forService(HttpServerRequest request, Trace trace) {
    var headers = endToEnd(request.headers());
    IDENTITY.forEach(headers::remove);
    FORWARDED.forEach(headers::remove);
    headers.remove("Host");
    headers.remove("Origin"); // what pages may do is said here
    headers.set("X-Forwarded-For", clients.of(request));
    headers.set("X-Forwarded-Proto", clients.scheme(request));
    var authority = request.authority();
    if (authority != null) {
      headers.set("X-Forwarded-Host", authority.toString());
    }
    headers.set("X-Request-ID", trace.requestId());
    headers.set("traceparent", trace.traceparent());
    return headers;
  }

  /** All headers but those that concern one connection only. */
  static MultiMap endToEnd(MultiMap all) {
    var dropped = new HashSet<>(HOP_BY_HOP);
    for (var line : all.getAll("Connection")) {
      Arrays.stream(line.split(","))
          .map(n -> n.strip().toLowerCase(Locale.ROOT))
          .forEach(dropped::add);
    }
    var kept = MultiMap.caseInsensitiveMultiMap();
    all.forEach(
        (name, value) -> {
          if (!dropped.contains(name.toLowerCase(Locale.ROOT))) {
            kept.add(name, value);
          }
        });
    return kept;
  }
}
