package io.fengyu.agent.tool.browser;

import io.vertx.core.Vertx;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.RequestOptions;
import io.vertx.core.http.WebSocket;
import io.vertx.core.http.WebSocketClient;
import io.vertx.core.http.WebSocketClientOptions;
import io.vertx.core.http.WebSocketConnectOptions;
import io.vertx.core.json.JsonObject;
import java.net.URI;
import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;

/** A browser that listens somewhere. */
final class SocketWire implements Wire {

  private static final Duration WITHIN = Duration.ofSeconds(10);
  private static final int LARGEST = 64 << 20;

  private final WebSocketClient client;
  private final WebSocket socket;

  private SocketWire(WebSocketClient client, WebSocket socket) {
    this.client = client;
    this.socket = socket;
  }

  /** Connects to the debugger of that address. Blocks. */
  static SocketWire connect(Vertx vertx, URI address)
      throws BrowserGoneException, InterruptedException {
    var client =
        vertx.createWebSocketClient(
            new WebSocketClientOptions()
                .setConnectTimeout((int) WITHIN.toMillis())
                .setMaxFrameSize(LARGEST)
                .setMaxMessageSize(LARGEST));
    try {
      var socket =
          client
              .connect(
                  options(address.getScheme().startsWith("ws") ? address : found(vertx, address)))
              .toCompletionStage()
              .toCompletableFuture()
              .get(WITHIN.toMillis(), TimeUnit.MILLISECONDS);
      return new SocketWire(client, socket);
    } catch (ExecutionException | TimeoutException notThere) {
      client.close();
      throw new BrowserGoneException("the browser can't be reached: " + notThere.getMessage());
    }
  }

  // Browsers only listen to those who call them by a name that no page could have.
  private static WebSocketConnectOptions options(URI address) {
    var path =
        address.getRawPath() == null || address.getRawPath().isEmpty() ? "/" : address.getRawPath();
    return new WebSocketConnectOptions()
        .setHost(address.getHost())
        .setPort(port(address))
        .setSsl(secure(address))
        .setAllowOriginHeader(false)
        .setURI(address.getRawQuery() == null ? path : path + "?" + address.getRawQuery());
  }

  private static boolean secure(URI address) {
    return address.getScheme().equals("wss") || address.getScheme().equals("https");
  }

  private static int port(URI address) {
    return address.getPort() > 0 ? address.getPort() : secure(address) ? 443 : 80;
  }

  /** The debugger's own word on where it is, with the host it was called by. */
  private static URI found(Vertx vertx, URI address)
      throws BrowserGoneException, ExecutionException, TimeoutException, InterruptedException {
    var client =
        vertx.createHttpClient(new HttpClientOptions().setConnectTimeout((int) WITHIN.toMillis()));
    try {
      var options =
          new RequestOptions()
              .setMethod(HttpMethod.GET)
              .setHost(address.getHost())
              .setPort(port(address))
              .setSsl(secure(address))
              .setURI("/json/version");
      var body =
          client
              .request(options)
              .compose(request -> request.send())
              .compose(response -> response.body())
              .toCompletionStage()
              .toCompletableFuture()
              .get(WITHIN.toMillis(), TimeUnit.MILLISECONDS);
      var named = URI.create(new JsonObject(body).getString("webSocketDebuggerUrl"));
      return URI.create(
          (secure(address) ? "wss://" : "ws://") + address.getRawAuthority() + named.getRawPath());
    } catch (RuntimeException noBrowser) {
      throw new BrowserGoneException("no browser answers there");
    } finally {
      client.close();
    }
  }

  @Override
  public void listen(Consumer<String> message, Runnable gone) {
    socket.textMessageHandler(message::accept);
    socket.closeHandler(closed -> gone.run());
    socket.exceptionHandler(broken -> gone.run());
  }

  @Override
  public void send(String message) {
    var unused = socket.writeTextMessage(message);
  }

  @Override
  public void close() {
    client.close();
  }
}
