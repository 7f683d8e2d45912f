package io.fengyu.console.proxy;

import io.vertx.core.Handler;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.HttpServerRequest;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** A service that does what a test tells it to, over real sockets. */
final class ScriptedService {

  private final HttpServer server;
  private final AtomicInteger requests = new AtomicInteger();

  ScriptedService(Vertx vertx, Handler<HttpServerRequest> script) throws Exception {
    server =
        vertx
            .createHttpServer(new HttpServerOptions().setHandle100ContinueAutomatically(true))
            .requestHandler(
                request -> {
                  if ("/q/health/live".equals(request.path())) {
                    request.response().end();
                  } else {
                    requests.incrementAndGet();
                    script.handle(request);
                  }
                });
    server
        .listen(0, "127.0.0.1")
        .toCompletionStage()
        .toCompletableFuture()
        .get(5, TimeUnit.SECONDS);
  }

  String address() {
    return "http://127.0.0.1:" + server.actualPort();
  }

  int requests() {
    return requests.get();
  }

  void close() {
    server.close().toCompletionStage().toCompletableFuture().orTimeout(5, TimeUnit.SECONDS).join();
  }
}
