package io.fengyu.contract.net;

import io.vertx.core.Handler;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerRequest;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** One more port, for those who watch: health and metrics without a token, and nothing else. */
public final class ManagementListener {

  private static final int START_WITHIN_SECONDS = 10;

  private final HttpServer server;

  private ManagementListener(HttpServer server) {
    this.server = server;
  }

  /**
   * Opens the port; whoever answers tells by {@link #took} which requests came in there.
   *
   * @param port 0 lets the system choose
   */
  public static ManagementListener open(
      Vertx vertx, String host, int port, Handler<HttpServerRequest> everything) {
    var server = vertx.createHttpServer().requestHandler(everything);
    try {
      server
          .listen(port, host)
          .toCompletionStage()
          .toCompletableFuture()
          .get(START_WITHIN_SECONDS, TimeUnit.SECONDS);
      return new ManagementListener(server);
    } catch (ExecutionException | TimeoutException taken) {
      throw new IllegalStateException(
          "MANAGEMENT_PORT " + port + " cannot be used: " + taken.getMessage(), taken);
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while starting", stopped);
    }
  }

  /** Where it listens. */
  public int port() {
    return server.actualPort();
  }

  /** True for a request that came in at this port. */
  public boolean took(HttpServerRequest request) {
    var local = request.connection().localAddress();
    return local != null && local.port() == port();
  }

  /** What may be asked here. */
  public static boolean serves(String path) {
    return within(path, "/q") || within(path, "/actuator");
  }

  /** Takes no further requests. */
  public void close() {
    server.close();
  }

  private static boolean within(String path, String prefix) {
    return path.equals(prefix) || path.startsWith(prefix + "/");
  }
}
