package io.fengyu.contract.net;

import io.fengyu.contract.problem.Problem;
import io.fengyu.contract.problem.ProblemWriter;
import io.opentelemetry.api.trace.Span;
import io.quarkus.vertx.http.runtime.filters.Filters;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.regex.Pattern;
import org.eclipse.microprofile.config.inject.ConfigProperty;
import org.jboss.logging.MDC;
import org.jspecify.annotations.Nullable;

/** What every request must satisfy and every answer carries, whatever answers it. */
@ApplicationScoped
public class RequestEnvelope {

  /** Before all other filters. */
  public static final int PRIORITY = 1_000;

  private static final int FIRST = -100_000;
  private static final String REQUEST_ID = "X-Request-ID";
  private static final Pattern SAFE_ID = Pattern.compile("[A-Za-z0-9._:-]{1,128}");
  private static final Pattern SECRET_IN_QUERY =
      Pattern.compile("(^|&)(token|ticket)=[^&]*", Pattern.CASE_INSENSITIVE);
  private static final Set<String> LOOPBACK_NAMES = Set.of("localhost");

  private final Draining draining;
  private final ProblemWriter problems;
  private final Cors cors;
  private final boolean loopback;
  private final List<String> allowedHosts;

  RequestEnvelope(
      NetConfig config,
      Draining draining,
      ProblemWriter problems,
      @ConfigProperty(name = "quarkus.http.host") String host) {
    this.draining = draining;
    this.problems = problems;
    this.cors = Cors.parse(config.corsOrigins().orElse(""));
    this.loopback = host.equals("localhost") || Cidrs.loopback(host);
    this.allowedHosts = config.allowedHosts().orElse(List.of());
  }

  void register(@Observes Filters filters) {
    filters.register(this::handle, PRIORITY);
  }

  // Failures of routes that are no resources.
  void registerFailures(@Observes Router router) {
    router.route().order(FIRST).failureHandler(this::failed);
  }

  private void handle(RoutingContext context) {
    stamp(context);
    hideSecrets(context.request());
    draining.entered();
    context.addEndHandler(ended -> draining.left());
    if (draining.closed()) {
      problems.write(context, Problem.of(503, "UNAVAILABLE"));
    } else if (loopback && !known(context.request())) {
      problems.write(context, Problem.of(403, "HOST_NOT_ALLOWED"));
    } else if (cors.settles(context.request())) {
      context.response().setStatusCode(204).end();
    } else if (!RequestTarget.readable(context.request().uri())) {
      problems.write(context, Problem.of(400, "BAD_REQUEST"));
    } else if (context.normalizedPath().indexOf(';') >= 0) {
      problems.write(context, Problem.of(404, "NOT_FOUND"));
    } else {
      context.next();
    }
  }

  private void failed(RoutingContext context) {
    var failure = context.failure();
    if (failure == null || context.statusCode() < 500) {
      problems.status(context, context.statusCode());
    } else {
      problems.fail(context, failure);
    }
  }

  private static void stamp(RoutingContext context) {
    var headers = context.response().headers();
    var id = requestId(context.request().getHeader(REQUEST_ID));
    headers.set(REQUEST_ID, id);
    MDC.put("requestId", id);
    headers.set("X-Content-Type-Options", "nosniff");
    var span = Span.current().getSpanContext();
    if (span.isValid()) {
      headers.set("X-Trace-ID", span.getTraceId());
    }
    context.addHeadersEndHandler(
        end -> {
          if (!headers.contains("Cache-Control")) {
            headers.set("Cache-Control", "no-store");
          }
        });
  }

  private static String requestId(@Nullable String given) {
    return given != null && SAFE_ID.matcher(given).matches() ? given : UUID.randomUUID().toString();
  }

  // Tracing has put the query into the span already.
  private static void hideSecrets(HttpServerRequest request) {
    var query = request.query();
    if (query != null && SECRET_IN_QUERY.matcher(query).find()) {
      var hidden = SECRET_IN_QUERY.matcher(query).replaceAll("$1$2=hidden");
      Span.current()
          .setAttribute("url.query", hidden)
          .setAttribute("http.target", request.path() + "?" + hidden);
    }
  }

  // A page of another site may let its own name point here (DNS rebinding).
  private boolean known(HttpServerRequest request) {
    var authority = request.authority();
    if (authority == null) {
      return false;
    }
    var host = authority.host();
    return LOOPBACK_NAMES.contains(host) || Cidrs.loopback(host) || allowedHosts.contains(host);
  }
}
