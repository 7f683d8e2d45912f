package io.fengyu.bench.chat;

import io.vertx.core.AbstractVerticle;
import io.vertx.core.Handler;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.HttpServerRequest;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

/** What the programs of this benchmark share. */
final class Wire {

  static final String HOST = "127.0.0.1";
  private static final int LOOPS = 2;

  private Wire() {}

  /** Serves on a port that the system chooses, prints it, and stays until it is ended. */
  static void serve(Function<Vertx, Handler<HttpServerRequest>> handler) throws Exception {
    var vertx = Vertx.vertx(new VertxOptions().setEventLoopPoolSize(LOOPS));
    var port = new int[] {0};
    for (var i = 0; i < LOOPS; i++) {
      vertx
          .deployVerticle(listening(handler, port))
          .toCompletionStage()
          .toCompletableFuture()
          .get(20, TimeUnit.SECONDS);
    }
    System.out.println("PORT=" + port[0]);
    Thread.currentThread().join();
  }

  private static AbstractVerticle listening(
      Function<Vertx, Handler<HttpServerRequest>> handler, int[] port) {
    return new AbstractVerticle() {
      @Override
      public void start(Promise<Void> started) {
        var options = new HttpServerOptions().setHost(HOST).setPort(port[0]).setAcceptBacklog(4096);
        vertx
            .createHttpServer(options)
            .requestHandler(handler.apply(vertx))
            .listen()
            .onSuccess(server -> port[0] = server.actualPort())
            .<Void>mapEmpty()
            .onComplete(started);
      }
    };
  }

  static int number(HttpServerRequest request, String name, int absent) {
    var text = request.getParam(name);
    return text == null ? absent : Integer.parseInt(text);
  }

  /** Resident memory of a process, in bytes. */
  static long resident(long pid) throws Exception {
    for (var line : Files.readAllLines(Path.of("/proc/" + pid + "/status"))) {
      if (line.startsWith("VmRSS:")) {
        return Long.parseLong(line.replaceAll("[^0-9]", "")) * 1024;
      }
    }
    throw new IllegalStateException("No such process: " + pid);
  }
}
