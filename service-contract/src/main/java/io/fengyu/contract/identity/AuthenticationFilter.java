package io.fengyu.contract.identity;

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
import org.jspecify.annotations.Nullable;

/** Lets nothing through to {@code /api} and {@code /internal} before it is known who calls. */
@ApplicationScoped
class AuthenticationFilter {

  static final int PRIORITY = 500;

  private static final Set<String> OPEN_PATHS = Set.of("/api/health", "/api/openapi.json");
  private static final String HOOKS = "/api/workflow-hooks/";

  private final AuthenticationConfig config;
  private final FixedTokens fixed;
  private final InternalSecrets secrets;
  private final ProblemWriter problems;

  AuthenticationFilter(
      AuthenticationConfig config,
      FixedTokens fixed,
      InternalSecrets secrets,
      ProblemWriter problems) {
    this.config = config;
    this.fixed = fixed;
    this.secrets = secrets;
    this.problems = problems;
  }

  void register(@Observes Filters filters) {
    if (config.enabled()) {
      filters.register(this::handle, PRIORITY);
    }
  }

  private void handle(RoutingContext context) {
    var path = context.normalizedPath();
    if (isInternal(path)) {
      admit(context, internalOnly(context.request()));
    } else if (isApi(path) && !open(context.request().method(), path)) {
      admit(context, caller(context.request()));
    } else {
      context.next();
    }
  }

  private void admit(RoutingContext context, Uni<Identity> identity) {
    context.request().pause();
    identity
        .subscribe()
        .with(
            known -> {
              context.put(RequestCaller.KEY, known);
              context.request().resume();
              context.next();
            },
            refused -> {
              context.request().resume();
              problems.fail(context, refused);
            });
  }

  private Uni<Identity> internalOnly(HttpServerRequest request) {
    var identity = fromService(request);
    return identity == null ? refuse("INTERNAL_UNAUTHENTICATED") : Uni.createFrom().item(identity);
  }

  private Uni<Identity> caller(HttpServerRequest request) {
    var service = fromService(request);
    if (service != null) {
      return Uni.createFrom().item(service);
    }
    var token = request.getHeader("X-FengYu-Token");
    if (token == null) {
      return fixed.none()
          ? Uni.createFrom().item(Identity.user(FixedTokens.DEFAULT_OWNER, true))
          : refuse("UNAUTHENTICATED");
    }
    var known = fixed.find(Digest.of(token));
    return known == null ? refuse("UNAUTHENTICATED") : Uni.createFrom().item(known);
  }

  private @Nullable Identity fromService(HttpServerRequest request) {
    var secret = request.getHeader("X-Internal-Secret");
    if (secret == null || !secrets.valid(secret)) {
      return null;
    }
    var owner = request.getHeader("X-User-ID");
    return new Identity(
        owner == null ? FixedTokens.DEFAULT_OWNER : owner,
        false,
        true,
        request.getHeader("X-Session-ID"),
        request.getHeader("X-Run-ID"),
        request.getHeader("X-Operation-ID"));
  }

  private static Uni<Identity> refuse(String code) {
    return Uni.createFrom().failure(Problem.of(401, code).asFailure());
  }

  private static boolean isApi(String path) {
    return path.equals("/api") || path.startsWith("/api/");
  }

  private static boolean isInternal(String path) {
    return path.equals("/internal") || path.startsWith("/internal/");
  }

  private static boolean open(HttpMethod method, String path) {
    if (method.equals(HttpMethod.OPTIONS)) {
      return false;
    }
    return (OPEN_PATHS.contains(path)
            && (method.equals(HttpMethod.GET) || method.equals(HttpMethod.HEAD)))
        || (method.equals(HttpMethod.POST) && path.startsWith(HOOKS));
  }
}
