package io.fengyu.console.proxy;

import io.vertx.core.Vertx;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.PoolOptions;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;

/** Takes every request: answers what is the edge's own, hands the rest to the owner of its path. */
@ApplicationScoped
class Edge {

  private static final int LAST = 100_000;

  private final EdgeConfig config;
  private final Upstreams upstreams;
  private final RequestHeaders headers;
  private final LocalHosts hosts;
  private final OpenStreams streams;
  private final HttpClient client;

  Edge(
      Vertx vertx,
      EdgeConfig config,
      Upstreams upstreams,
      RequestHeaders headers,
      LocalHosts hosts,
      OpenStreams streams) {
    this.config = config;
    this.upstreams = upstreams;
    this.headers = headers;
    this.hosts = hosts;
    this.streams = streams;
    this.client = vertx.createHttpClient(client(config), pool(config));
  }

  void routes(@Observes Router router) {
    router.route().order(-LAST).handler(this::checkHost);
    router.get("/api/health").handler(Edge::health);
    router.route("/api/*").handler(this::handOn);
    router.route().order(LAST).handler(Edge::unknown);
  }

  private void checkHost(RoutingContext context) {
    if (hosts.allow(context.request())) {
      context.next();
    } else {
      ProblemAnswers.answer(
          context.request(), Trace.of(context.request()), EdgeProblems.wrongHost());
    }
  }

  private static void health(RoutingContext context) {
    context
        .response()
        .putHeader("Content-Type", "application/json")
        .putHeader("Cache-Control", "no-store")
        .putHeader("X-Content-Type-Options", "nosniff")
        .putHeader("X-Request-ID", Trace.of(context.request()).requestId())
        .end("{\"status\":\"ok\"}");
  }

  /** Routes by, and sends, the normalized path, so that no spelling reaches what isn't routed. */
  private void handOn(RoutingContext context) {
    var path = context.normalizedPath();
    Routes.ownerOf(path).ifPresentOrElse(owner -> exchange(context, owner, path), context::next);
  }

  private void exchange(RoutingContext context, Owner owner, String path) {
    var request = context.request();
    var trace = Trace.of(request);
    new Exchange(
            request,
            trace,
            owner,
            withQuery(path, request),
            headers.forService(request, trace),
            client,
            config.idleTimeout().toMillis(),
            streams)
        .start(upstreams.of(owner));
  }

  private static String withQuery(String path, HttpServerRequest request) {
    return request.query() == null ? path : path + "?" + request.query();
  }

  private static void unknown(RoutingContext context) {
    var request = context.request();
    ProblemAnswers.answer(request, Trace.of(request), EdgeProblems.notFound());
    Leftovers.discard(request);
  }

  private static HttpClientOptions client(EdgeConfig config) {
    return new HttpClientOptions()
        .setConnectTimeout((int) config.connectTimeout().toMillis())
        .setMaxWaitQueueSize(config.waitingPerReplica())
        .setMaxHeaderSize(16 * 1024)
        .setKeepAliveTimeout(30)
        .setTcpNoDelay(true);
  }

  private static PoolOptions pool(EdgeConfig config) {
    return new PoolOptions().setHttp1MaxSize(config.connectionsPerReplica());
  }
}
