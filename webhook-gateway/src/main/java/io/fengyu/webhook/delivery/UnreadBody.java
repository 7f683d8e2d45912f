package io.fengyu.webhook.delivery;

import io.vertx.ext.web.RoutingContext;

/** Ends a connection whose request nobody wants to read to its end. */
final class UnreadBody {

  private static final long PATIENCE_MS = 2_000;

  private UnreadBody() {}

  /**
   * After the answer. The rest is thrown away for a while: closing at once would reset the
   * connection and could take the answer with it.
   */
  static void hangUp(RoutingContext context) {
    context.response().putHeader("Connection", "close");
    context.addEndHandler(answered -> close(context));
  }

  private static void close(RoutingContext context) {
    var request = context.request();
    var connection = request.connection();
    if (request.isEnded()) {
      connection.close();
      return;
    }
    context.vertx().setTimer(PATIENCE_MS, late -> connection.close());
    request.handler(piece -> {});
    request.exceptionHandler(gone -> {});
    request.endHandler(ended -> connection.close());
    request.resume();
  }
}
