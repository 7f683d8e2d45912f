package io.fengyu.console.proxy;

import io.fengyu.contract.net.Cors;
import io.fengyu.contract.net.ManagementListener;
import io.fengyu.contract.net.RequestTarget;
import io.vertx.core.MultiMap;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.PoolOptions;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import org.jboss.logging.Logger;

/** Takes every request: answers what is the edge's own, hands the rest to the owner of its path. */
@ApplicationScoped
class Edge {

  private static final Logger LOG = Logger.getLogger(Edge.class);
  private static final int LAST = 100_000;
  private static final int MAX_URL = 8 * 1024;
  private static final int MAX_HEADERS = 16 * 1024;

  private final EdgeConfig config;
  private final Upstreams upstreams;
  private final RequestHeaders headers;
  private final LocalHosts hosts;
  private final OpenStreams streams;
  private final Pulses pulses;
  private final EdgeManagement management;
  private final Cors cors;
  private final HttpClient client;

  // Readers of streams leave when they like. The connection is closed then, and must not be one
  // that was handed on to another request at that very moment.
  private final HttpClient streamClient;

  Edge(
      Vertx vertx,
      EdgeConfig config,
      Upstreams upstreams,
      RequestHeaders headers,
      LocalHosts hosts,
      OpenStreams streams,
      Pulses pulses,
      EdgeManagement management,
      ServiceTls tls) {
    this.config = config;
    this.upstreams = upstreams;
    this.headers = headers;
    this.hosts = hosts;
    this.streams = streams;
    this.pulses = pulses;
    this.management = management;
    this.cors = Cors.parse(config.corsOrigins().orElse(""));
    this.client = vertx.createHttpClient(tls.call(client(config)), pool(config));
    this.streamClient =
        vertx.createHttpClient(tls.call(client(config).setKeepAlive(false)), pool(config));
  }

  void routes(@Observes Router router) {
    router.route().order(-LAST).handler(this::check).failureHandler(Edge::failed);
    router.get("/api/health").method(HttpMethod.HEAD).handler(Edge::health);
    router.route("/api/*").handler(this::handOn);
    router.route().order(LAST).handler(Edge::unknown);
  }

  private void check(RoutingContext context) {
    var request = context.request();
    if (request.uri().length() > MAX_URL) {
      ProblemAnswers.refuse(request, EdgeProblems.urlTooLong());
    } else if (size(request.headers()) > MAX_HEADERS) {
      ProblemAnswers.refuse(request, EdgeProblems.headersTooLarge());
    } else if (!hosts.allow(request)) {
      ProblemAnswers.refuse(request, EdgeProblems.wrongHost());
    } else if (cors.settles(request)) {
      request.response().setStatusCode(204).end();
    } else if (!RequestTarget.readable(request.uri())) {
      ProblemAnswers.refuse(request, EdgeProblems.badRequest());
    } else if (management.took(request) && !ManagementListener.serves(context.normalizedPath())) {
      ProblemAnswers.refuse(request, EdgeProblems.notFound());
    } else {
      context.next();
    }
  }

  private static int size(MultiMap headers) {
    int size = 0;
    for (var header : headers) {
      size += header.getKey().length() + header.getValue().length() + ": \r\n".length();
    }
    return size;
  }

  private static void failed(RoutingContext context) {
    int status = context.statusCode();
    if (status >= 500) {
      LOG.error("A request failed in a way nobody foresaw", context.failure());
    }
    ProblemAnswers.refuse(
        context.request(), status < 500 ? EdgeProblems.badRequest() : EdgeProblems.internal());
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
    var uri = withQuery(path, request);
    new Exchange(
            request,
            trace,
            owner,
            uri,
            headers.forService(request, trace),
            Traits.asksForStream(request, uri) ? streamClient : client,
            config.idleTimeout().toMillis(),
            streams,
            pulses)
        .start(upstreams.of(owner));
  }

  private static String withQuery(String path, HttpServerRequest request) {
    return request.query() == null ? path : path + "?" + request.query();
  }

  private static void unknown(RoutingContext context) {
    ProblemAnswers.refuse(context.request(), EdgeProblems.notFound());
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
