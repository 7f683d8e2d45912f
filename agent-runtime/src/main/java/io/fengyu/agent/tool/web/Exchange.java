package io.fengyu.agent.tool.web;

import io.vertx.core.Future;
import io.vertx.core.MultiMap;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.RequestOptions;
import io.vertx.core.net.SocketAddress;
import io.vertx.core.tracing.TracingPolicy;
import java.net.InetSocketAddress;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** One request on a connection of its own, which is closed however it ends. */
final class Exchange {

  private static final int MOST_HEADER_BYTES = 65_536;
  private static final Duration CONNECT_WITHIN = Duration.ofSeconds(5);

  private final Vertx vertx;

  Exchange(Vertx vertx) {
    this.vertx = vertx;
  }

  /**
   * An answer as it came.
   *
   * @param cut true when the body is longer than what was taken of it
   */
  @SuppressWarnings("ArrayRecordComponent") // nobody compares answers
  record Raw(int status, MultiMap headers, byte[] body, boolean cut) {}

  /**
   * Asks the first of the addresses that can be connected to; an interrupt closes the connection.
   */
  Raw get(URI url, List<InetSocketAddress> addresses, String accept, Duration within)
      throws ExecutionException, TimeoutException, InterruptedException {
    var client =
        vertx.createHttpClient(
            new HttpClientOptions()
                .setConnectTimeout((int) Math.min(within.toMillis(), CONNECT_WITHIN.toMillis()))
                .setMaxPoolSize(1)
                .setMaxWaitQueueSize(1)
                .setMaxHeaderSize(MOST_HEADER_BYTES)
                .setKeepAlive(false)
                .setTracingPolicy(TracingPolicy.IGNORE));
    try {
      return attempt(client, url, addresses, accept)
          .toCompletionStage()
          .toCompletableFuture()
          .get(within.toNanos(), TimeUnit.NANOSECONDS);
    } finally {
      client.close();
    }
  }

  private static Future<Raw> attempt(
      HttpClient client, URI url, List<InetSocketAddress> addresses, String accept) {
    var sent = client.request(options(url, addresses.getFirst(), accept));
    var open =
        addresses.size() == 1
            ? sent
            : sent.recover(notThere -> client.request(options(url, addresses.get(1), accept)));
    return open.compose(request -> request.send()).compose(Exchange::read);
  }

  private static RequestOptions options(URI url, InetSocketAddress address, String accept) {
    var path = url.getRawPath() == null || url.getRawPath().isEmpty() ? "/" : url.getRawPath();
    return new RequestOptions()
        .setMethod(HttpMethod.GET)
        .setServer(SocketAddress.inetSocketAddress(address))
        .setHost(url.getHost())
        .setPort(url.getPort() > 0 ? url.getPort() : secure(url) ? 443 : 80)
        .setSsl(secure(url))
        .setURI(url.getRawQuery() == null ? path : path + "?" + url.getRawQuery())
        .setFollowRedirects(false)
        .putHeader("Accept", accept)
        .putHeader("Accept-Encoding", "gzip, deflate")
        .putHeader("Accept-Language", "zh-CN,zh;q=0.9,en;q=0.8")
        .putHeader("User-Agent", "Mozilla/5.0 (compatible; FengYu/1.0)");
  }

  private static boolean secure(URI url) {
    return "https".equalsIgnoreCase(url.getScheme());
  }

  /** The body up to its end or its bound; the rest is never read. */
  private static Future<Raw> read(HttpClientResponse response) {
    var body = Buffer.buffer();
    Promise<Raw> whole = Promise.promise();
    response.handler(
        piece -> {
          int room = Body.LONGEST - body.length();
          if (piece.length() > room) {
            body.appendBuffer(piece, 0, room);
            response.handler(rest -> {});
            whole.tryComplete(raw(response, body, true));
            response.request().reset();
          } else {
            body.appendBuffer(piece);
          }
        });
    response.exceptionHandler(whole::tryFail);
    response.endHandler(end -> whole.tryComplete(raw(response, body, false)));
    return whole.future();
  }

  private static Raw raw(HttpClientResponse response, Buffer body, boolean cut) {
    return new Raw(response.statusCode(), response.headers(), body.getBytes(), cut);
  }
}
