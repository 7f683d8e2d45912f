package io.fengyu.contract.identity;

import io.fengyu.contract.net.ClientAddress;
import io.fengyu.contract.net.Management;
import io.fengyu.contract.net.ManagementListener;
import io.fengyu.contract.net.RequestEnvelope;
import io.fengyu.contract.problem.Problem;
import io.fengyu.contract.problem.ProblemWriter;
import io.quarkus.vertx.http.runtime.filters.Filters;
import io.smallrye.mutiny.Uni;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.ext.web.RoutingContext;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import java.util.Set;

/** Lets nothing through before it is known who calls, but for the few paths that are open. */
@ApplicationScoped
class AuthenticationFilter {

  private static final int PRIORITY = RequestEnvelope.PRIORITY - 10;
  private static final Set<String> OPEN_PATHS = Set.of("/api/health", "/api/openapi.json");
  private static final String HOOKS = "/api/workflow-hooks/";

  private final AuthenticationConfig config;
  private final Authentication authentication;
  private final ClientAddress address;
  private final Management management;
  private final ProblemWriter problems;

  AuthenticationFilter(
      AuthenticationConfig config,
      Authentication authentication,
      ClientAddress address,
      Management management,
      ProblemWriter problems) {
    this.config = config;
    this.authentication = authentication;
    this.address = address;
    this.management = management;
    this.problems = problems;
  }

  void register(@Observes Filters filters) {
    if (config.enabled()) {
      filters.register(this::handle, PRIORITY);
    }
  }

  // What is not known to be open needs a credential.
  private void handle(RoutingContext context) {
    var request = context.request();
    var path = context.normalizedPath();
    if (management.took(request)) {
      watched(context, path);
    } else if (within(path, "/internal")) {
      admit(context, authentication.service(request));
    } else if (open(request, path)) {
      context.next();
    } else if (within(path, "/q") && !address.local(request)) {
      problems.write(context, Problem.of(404, "NOT_FOUND"));
    } else {
      admit(context, authentication.caller(request, path));
    }
  }

  private void watched(RoutingContext context, String path) {
    if (ManagementListener.serves(path)) {
      context.next();
    } else {
      problems.write(context, Problem.of(404, "NOT_FOUND"));
    }
  }

  private boolean open(HttpServerRequest request, String path) {
    var method = request.method();
    if (method.equals(HttpMethod.POST)) {
      return path.startsWith(HOOKS);
    }
    return OPEN_PATHS.contains(path)
        || within(path, "/q/health")
        || ((within(path, "/q") || within(path, "/actuator")) && address.local(request));
  }

  // Paused, because the body may arrive before the database has answered who calls. What arrived
  // is handed on after this turn of the event loop, when the next handler has taken over.
  private void admit(RoutingContext context, Uni<Identity> identity) {
    context.request().pause();
    identity
        .subscribe()
        .with(
            known -> {
              context.put(RequestCaller.KEY, known);
              context.request().resume();
              enter(context, known);
            },
            refused -> {
              context.request().resume();
              problems.fail(context, refused);
            });
  }

  private void enter(RoutingContext context, Identity identity) {
    LogContext.of(identity);
    if (within(context.normalizedPath(), "/api/admin") && !identity.admin()) {
      problems.write(context, Problem.of(403, "FORBIDDEN"));
    } else {
      context.next();
    }
  }

  private static boolean within(String path, String prefix) {
    return path.startsWith(prefix)
        && (path.length() == prefix.length() || path.charAt(prefix.length()) == '/');
  }
}
