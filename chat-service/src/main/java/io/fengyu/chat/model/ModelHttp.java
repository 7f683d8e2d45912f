package io.fengyu.chat.model;

import io.quarkus.runtime.ShutdownEvent;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.RequestOptions;
import io.vertx.core.net.SocketAddress;
import io.vertx.core.tracing.TracingPolicy;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import java.net.URI;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The one HTTP client for providers: verifies certificates, follows no redirect, decodes raw. */
@ApplicationScoped
public class ModelHttp {

  private static final int KEEP_ALIVE_SECONDS = 30;

  private final Vertx vertx;
  private final HttpClient client;
  private final ModelLimits limits;

  ModelHttp(Vertx vertx, ModelLimits limits) {
    this.vertx = vertx;
    this.limits = limits;
    // A provider is not told our trace; its connections are as many as our own bound of streams.
    client =
        vertx.createHttpClient(
            new HttpClientOptions()
                .setConnectTimeout(Math.toIntExact(limits.connectTimeout().toMillis()))
                .setMaxPoolSize(limits.streams() + limits.turns())
                .setMaxWaitQueueSize(limits.streams() + limits.turns())
                .setKeepAliveTimeout(KEEP_ALIVE_SECONDS)
                .setVerifyHost(true)
                .setTrustAll(false)
                .setMaxInitialLineLength(4096)
                .setMaxHeaderSize(16 * 1024)
                .setTracingPolicy(TracingPolicy.IGNORE));
  }

  void stop(@Observes ShutdownEvent stopped) {
    client.close();
  }

  Vertx vertx() {
    return vertx;
  }

  HttpClient client() {
    return client;
  }

  ModelLimits limits() {
    return limits;
  }

  /** A request that goes to the checked address, whatever the name means by then. */
  static RequestOptions request(
      HttpMethod method, URI url, SocketAddress address, Map<String, String> headers) {
    var options =
        new RequestOptions()
            .setMethod(method)
            .setServer(address)
            .setHost(url.getHost())
            .setPort(BaseUrl.port(url))
            .setSsl(BaseUrl.secure(url))
            .setURI(url.getRawPath().isEmpty() ? "/" : url.getRawPath())
            .setFollowRedirects(false);
    options.putHeader("User-Agent", "FengYu");
    headers.forEach(options::putHeader);
    return options;
  }

  static RequestOptions post(
      URI url, SocketAddress address, Map<String, String> headers, Buffer body) {
    return request(HttpMethod.POST, url, address, headers)
        .putHeader("Content-Type", "application/json")
        .putHeader("Content-Length", Integer.toString(body.length()));
  }

  /** What a failed connection means, without names of classes. */
  static ModelFailure failure(URI url, @Nullable Throwable cause) {
    if (cause instanceof ModelFailure known) {
      return known;
    }
    var what =
        switch (cause) {
          case null -> "was closed";
          case javax.net.ssl.SSLException tls -> null;
          case java.net.ConnectException refused -> "was refused or timed out";
          case java.util.concurrent.TimeoutException slow -> "timed out";
          default -> "broke";
        };
    if (what == null) {
      return ModelFailure.lasting(
          ErrorCode.NETWORK, "No secure connection to " + url.getHost() + " could be made");
    }
    return ModelFailure.passing(
        ErrorCode.NETWORK, "The connection to " + url.getHost() + " " + what, null);
  }
}
