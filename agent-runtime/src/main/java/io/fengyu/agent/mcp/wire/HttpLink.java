package io.fengyu.agent.mcp.wire;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpClientRequest;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.RequestOptions;
import io.vertx.core.net.SocketAddress;
import io.vertx.core.tracing.TracingPolicy;
import java.net.InetSocketAddress;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * An HTTP client that lives as long as one connection to a server: it goes to checked addresses
 * only, follows no redirect, and takes all its sockets along when it is closed.
 */
final class HttpLink {

  private static final Duration CONNECT = Duration.ofSeconds(8);
  private static final Logger LOG = Logger.getLogger(HttpLink.class);
  private static final Duration LAST_BYTES_WITHIN = Duration.ofMillis(300);
  private static final Duration GOODBYE = Duration.ofSeconds(2);
  private static final int MOST_SOCKETS = 4;
  private static final String BROKEN =
      "The connection to the server was lost before its answer was complete";

  private final Vertx vertx;
  private final List<InetSocketAddress> addresses;
  private HttpClient client;

  HttpLink(Vertx vertx, List<InetSocketAddress> addresses) {
    this.vertx = vertx;
    this.addresses = addresses;
    this.client = client(vertx);
  }

  private static HttpClient client(Vertx vertx) {
    return vertx.createHttpClient(
        new HttpClientOptions()
            .setConnectTimeout((int) CONNECT.toMillis())
            .setMaxPoolSize(MOST_SOCKETS)
            .setMaxWaitQueueSize(MOST_SOCKETS)
            .setVerifyHost(true)
            .setTrustAll(false)
            .setMaxInitialLineLength(4096)
            .setMaxHeaderSize(16 * 1024)
            .setTracingPolicy(TracingPolicy.IGNORE));
  }

  /**
   * Done with a response. One that does not end soon takes its sockets along: giving up a single
   * one could hit the next request, which may have it by then.
   */
  void settle(HttpReply reply) {
    if (!reply.ends(LAST_BYTES_WITHIN)) {
      var used = client;
      client = client(vertx);
      used.close().onFailure(failure -> LOG.debugf("A client was closed before: %s", failure));
    }
  }

  /** One request; the body of a GET or DELETE is null. */
  record Call(HttpMethod method, URI url, Map<String, String> headers, @Nullable Buffer body) {}

  /** Sends a request and waits for the head of the response. */
  HttpReply send(Call call, Deadline deadline) throws McpException, InterruptedException {
    McpException refused = McpException.unreachable("The server has no address");
    for (var address : addresses) {
      try {
        return answered(call, connected(call, address, deadline), deadline);
      } catch (McpException e) {
        if (e.kind() != McpException.Kind.UNREACHABLE) {
          throw e;
        }
        refused = e;
      }
    }
    throw refused;
  }

  private HttpClientRequest connected(Call call, InetSocketAddress address, Deadline deadline)
      throws McpException, InterruptedException {
    var connected = new CompletableFuture<HttpClientRequest>();
    client
        .request(options(call, address))
        .onSuccess(
            request -> {
              if (!connected.complete(request)) {
                request.reset();
              }
            })
        .onFailure(failure -> connected.completeExceptionally(unreachable(failure)));
    try {
      return deadline.await(connected);
    } catch (McpException e) {
      throw e.kind() == McpException.Kind.LOST ? unreachable(e) : e;
    } finally {
      connected.cancel(false);
    }
  }

  private static HttpReply answered(Call call, HttpClientRequest request, Deadline deadline)
      throws McpException, InterruptedException {
    var answered = new CompletableFuture<HttpReply>();
    var body = call.body();
    // Listened for before anything is sent: a quick response would be over before.
    request
        .response()
        .onSuccess(response -> take(request, response, answered))
        .onFailure(failure -> answered.completeExceptionally(broken()));
    (body == null ? request.end() : request.end(body))
        .onFailure(failure -> answered.completeExceptionally(broken()));
    boolean whole = false;
    try {
      var reply = deadline.await(answered);
      whole = true;
      return reply;
    } finally {
      if (!whole) {
        request.reset();
      }
    }
  }

  private static void take(
      HttpClientRequest request, HttpClientResponse response, CompletableFuture<HttpReply> reply) {
    try {
      reply.complete(new HttpReply(request, response));
    } catch (IllegalStateException over) {
      reply.completeExceptionally(broken());
    }
  }

  static McpException broken() {
    return McpException.lost(BROKEN);
  }

  static boolean isBroken(McpException failure) {
    return failure.text().equals(BROKEN);
  }

  private static McpException unreachable(Throwable failure) {
    return McpException.unreachable(
        switch (failure) {
          case javax.net.ssl.SSLException tls -> "No secure connection to the server can be made";
          case McpException late -> "The server cannot be connected to in time";
          default -> "The server cannot be connected to";
        });
  }

  private static RequestOptions options(Call call, InetSocketAddress address) {
    var url = call.url();
    var secure = "https".equalsIgnoreCase(url.getScheme());
    var path = url.getRawPath().isEmpty() ? "/" : url.getRawPath();
    var options =
        new RequestOptions()
            .setMethod(call.method())
            .setServer(SocketAddress.inetSocketAddress(address))
            .setHost(url.getHost())
            .setPort(address.getPort())
            .setSsl(secure)
            .setURI(url.getRawQuery() == null ? path : path + "?" + url.getRawQuery())
            .setFollowRedirects(false);
    options.putHeader("User-Agent", "FengYu");
    call.headers().forEach(options::putHeader);
    var body = call.body();
    if (body != null) {
      options.putHeader("Content-Type", "application/json");
      options.putHeader("Content-Length", Integer.toString(body.length()));
    }
    return options;
  }

  /**
   * Closes everything, after a few last requests whose answers nobody reads.
   *
   * @param gone called when no socket is left
   */
  void close(List<Call> lastRequests, Runnable gone) {
    Future<Void> said = Future.succeededFuture();
    for (var call : lastRequests) {
      said = said.eventually(() -> send(call));
    }
    said.eventually(() -> client.close()).onComplete(done -> gone.run());
  }

  private Future<Void> send(Call call) {
    if (addresses.isEmpty()) {
      return Future.succeededFuture();
    }
    var body = call.body();
    return client
        .request(options(call, addresses.getFirst()))
        .compose(request -> body == null ? request.send() : request.send(body))
        .timeout(GOODBYE.toMillis(), TimeUnit.MILLISECONDS)
        .mapEmpty();
  }
}
