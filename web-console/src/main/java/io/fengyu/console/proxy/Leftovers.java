package io.fengyu.console.proxy;

import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServerRequest;
import java.util.Objects;

/**
 * Reads on what a client still sends after its answer, for a short while: closing at once would
 * reset the connection and could take the answer with it.
 */
final class Leftovers {

  private static final long PATIENCE_MS = 2_000;

  private Leftovers() {}

  static void discard(HttpServerRequest request) {
    if (request.isEnded()) {
      return;
    }
    var vertx = Objects.requireNonNull(Vertx.currentContext()).owner();
    var connection = request.connection();
    var timer = vertx.setTimer(PATIENCE_MS, late -> connection.close());
    request.handler(piece -> {});
    request.exceptionHandler(gone -> vertx.cancelTimer(timer));
    request.endHandler(ended -> vertx.cancelTimer(timer));
    request.resume();
  }
}
