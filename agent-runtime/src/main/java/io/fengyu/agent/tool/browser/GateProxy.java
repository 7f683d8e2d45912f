package io.fengyu.agent.tool.browser;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpClientRequest;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.RequestOptions;
import io.vertx.core.net.NetClient;
import io.vertx.core.net.NetClientOptions;
import io.vertx.core.net.NetSocket;
import io.vertx.core.net.SocketAddress;
import io.vertx.core.tracing.TracingPolicy;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * What the pages of one context reach the network through: it looks names up, asks the gate, and
 * connects to the address that was checked. Pages, what they embed, and their sockets all come
 * here.
 */
final class GateProxy {

  private static final int CONNECT_WITHIN_MS = 8_000;
  private static final int MOST_HEADER_BYTES = 65_536;
  // Between a browser and its proxy only.
  private static final Set<String> NOT_PASSED_ON =
      Set.of("proxy-connection", "proxy-authorization", "connection", "keep-alive", "upgrade");

  private final Gate gate;
  private final HttpServer server;
  private final HttpClient http;
  private final NetClient tcp;

  private GateProxy(Vertx vertx, Gate gate) {
    this.gate = gate;
    this.http =
        vertx.createHttpClient(
            new HttpClientOptions()
                .setConnectTimeout(CONNECT_WITHIN_MS)
                .setMaxPoolSize(16)
                .setMaxWaitQueueSize(200)
                .setMaxHeaderSize(MOST_HEADER_BYTES)
                .setKeepAlive(false)
                .setTracingPolicy(TracingPolicy.IGNORE));
    this.tcp = vertx.createNetClient(new NetClientOptions().setConnectTimeout(CONNECT_WITHIN_MS));
    this.server =
        vertx
            .createHttpServer(
                new HttpServerOptions()
                    .setHost("127.0.0.1")
                    .setPort(0)
                    .setMaxHeaderSize(MOST_HEADER_BYTES)
                    .setTracingPolicy(TracingPolicy.IGNORE))
            .requestHandler(this::handle);
  }

  /** Listens on a port that is free. Blocks. */
  static GateProxy start(Vertx vertx, Gate gate) throws InterruptedException, BrowserGoneException {
    var proxy = new GateProxy(vertx, gate);
    try {
      proxy.server.listen().toCompletionStage().toCompletableFuture().get(10, TimeUnit.SECONDS);
      return proxy;
    } catch (ExecutionException | TimeoutException noPort) {
      proxy.close();
      throw new BrowserGoneException("no port is free for the browser's proxy");
    }
  }

  String address() {
    return "http://127.0.0.1:" + server.actualPort();
  }

  void close() {
    server.close();
    http.close();
    tcp.close();
  }

  private void handle(HttpServerRequest request) {
    request.pause();
    boolean tunnel = HttpMethod.CONNECT.equals(request.method());
    var url = tunnel ? tunnelled(String.valueOf(request.uri())) : request.uri();
    opened(url)
        .compose(addresses -> tunnel ? tunnel(request, addresses) : forward(request, addresses))
        .onFailure(refused -> refuse(request));
  }

  private static String tunnelled(String authority) {
    return "https://" + authority;
  }

  // The gate waits for look-ups and rules.
  private Future<List<InetSocketAddress>> opened(String url) {
    Promise<List<InetSocketAddress>> opened = Promise.promise();
    Thread.ofVirtual()
        .name("browser-gate")
        .start(
            () -> {
              try {
                var addresses = gate.open(url);
                if (addresses.isEmpty()) {
                  opened.fail("refused");
                } else {
                  opened.complete(addresses);
                }
              } catch (InterruptedException | RuntimeException e) {
                opened.fail(e);
              }
            });
    return opened.future();
  }

  // A page must not take our words for those of the address: it gets no answer.
  private static void refuse(HttpServerRequest request) {
    if (HttpMethod.CONNECT.equals(request.method()) && !request.response().headWritten()) {
      request.response().setStatusCode(403).putHeader("Connection", "close").end();
    } else {
      request.connection().close();
    }
  }

  private Future<Void> tunnel(HttpServerRequest request, List<InetSocketAddress> addresses) {
    return tcp.connect(SocketAddress.inetSocketAddress(addresses.getFirst()))
        .compose(
            far -> {
              far.pause();
              return request.toNetSocket().onSuccess(near -> join(near, far));
            })
        .mapEmpty();
  }

  private static void join(NetSocket near, NetSocket far) {
    near.pipeTo(far).onComplete(end -> far.close());
    far.pipeTo(near).onComplete(end -> near.close());
  }

  private Future<Void> forward(HttpServerRequest request, List<InetSocketAddress> addresses) {
    var url = URI.create(request.uri());
    var path = url.getRawPath() == null || url.getRawPath().isEmpty() ? "/" : url.getRawPath();
    var options =
        new RequestOptions()
            .setMethod(request.method())
            .setServer(SocketAddress.inetSocketAddress(addresses.getFirst()))
            .setHost(url.getHost())
            .setPort(url.getPort() > 0 ? url.getPort() : 80)
            .setURI(url.getRawQuery() == null ? path : path + "?" + url.getRawQuery())
            .setFollowRedirects(false);
    request.headers().entries().stream()
        .filter(header -> passedOn(header.getKey()))
        .forEach(header -> options.addHeader(header.getKey(), header.getValue()));
    return http.request(options)
        .compose(sent -> hasBody(request) ? sent.send(request) : bare(request, sent))
        .compose(answer -> answer(request, answer));
  }

  private static boolean hasBody(HttpServerRequest request) {
    return request.headers().contains("Content-Length")
        || request.headers().contains("Transfer-Encoding");
  }

  private static Future<HttpClientResponse> bare(
      HttpServerRequest request, HttpClientRequest sent) {
    request.resume();
    return sent.send();
  }

  private static Future<Void> answer(HttpServerRequest request, HttpClientResponse answer) {
    var response = request.response().setStatusCode(answer.statusCode());
    answer.headers().entries().stream()
        .filter(header -> passedOn(header.getKey()))
        .forEach(header -> response.headers().add(header.getKey(), header.getValue()));
    if (answer.getHeader("Content-Length") == null) {
      response.setChunked(true);
    }
    return answer.pipeTo(response);
  }

  private static boolean passedOn(String header) {
    return !NOT_PASSED_ON.contains(header.toLowerCase(Locale.ROOT))
        && !header.equalsIgnoreCase("Transfer-Encoding");
  }
}
