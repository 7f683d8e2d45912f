package io.fengyu.contract.identity;

import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What a request brings to prove who calls: a header, or on the paths of streams, where a browser
 * cannot send one, something in the query. A header decides, also when it is wrong.
 */
sealed interface Credentials {

  /** A token. */
  record Token(String value) implements Credentials {}

  /** A one-time ticket for this path. */
  record Ticket(String value, String endpoint) implements Credentials {}

  /** Nothing that counts here. */
  record None() implements Credentials {}

  /** The only path that takes a token in its query. */
  String TOKEN_IN_QUERY = "/api/agent/stream";

  /** Paths that take a ticket in their query. */
  Set<String> STREAMS = Set.of("/api/ai/stream", TOKEN_IN_QUERY, "/api/agent/approvals/stream");

  /** Reads the request. */
  static Credentials of(HttpServerRequest request, String path) {
    var header = request.getHeader("X-FengYu-Token");
    if (header != null) {
      return new Token(header);
    }
    if (!request.method().equals(HttpMethod.GET) || !STREAMS.contains(path)) {
      return new None();
    }
    var ticket = query(request, "ticket");
    if (ticket != null) {
      return new Ticket(ticket, path);
    }
    var token = path.equals(TOKEN_IN_QUERY) ? query(request, "token") : null;
    return token == null ? new None() : new Token(token);
  }

  private static @Nullable String query(HttpServerRequest request, String name) {
    return request.query() == null ? null : request.getParam(name);
  }
}
