package io.fengyu.console.proxy;

import io.fengyu.contract.problem.Problem;
import java.time.Duration;

/** Every refusal that the edge itself answers. */
final class EdgeProblems {

  private static final Duration SOON = Duration.ofSeconds(1);

  private EdgeProblems() {}

  static Problem notFound() {
    return Problem.of(404, "NOT_FOUND");
  }

  static Problem wrongHost() {
    return Problem.of(403, "HOST_NOT_ALLOWED");
  }

  /** No replica accepted a connection, or none was free. */
  static Problem unavailable(Owner owner) {
    return Problem.of(503, "DEPENDENCY_UNAVAILABLE")
        .with("service", owner.service())
        .retryAfter(SOON);
  }

  /** The request was sent, and the connection broke before an answer came. */
  static Problem broken(Owner owner) {
    return Problem.of(502, "DEPENDENCY_FAILED").with("service", owner.service());
  }

  static Problem silent(Owner owner) {
    return Problem.of(504, "DEPENDENCY_TIMEOUT").with("service", owner.service());
  }

  static Problem internalUnauthenticated() {
    return Problem.of(401, "INTERNAL_UNAUTHENTICATED");
  }

  static Problem invalidPeers(String reason) {
    return Problem.of(400, "INVALID_PEERS").with("reason", reason);
  }

  static Problem urlTooLong() {
    return Problem.of(414, "URL_TOO_LONG");
  }

  static Problem headersTooLarge() {
    return Problem.of(431, "HEADERS_TOO_LARGE");
  }

  static Problem badRequest() {
    return Problem.of(400, "BAD_REQUEST");
  }

  static Problem internal() {
    return Problem.of(500, "INTERNAL_ERROR");
  }

  static Problem tooLarge() {
    return Problem.of(413, "BODY_TOO_LARGE");
  }
}
