package io.fengyu.contract.net;

import io.fengyu.contract.problem.Problem;
import io.fengyu.contract.problem.ProblemWriter;
import io.quarkus.runtime.configuration.MemorySize;
import io.quarkus.vertx.http.runtime.VertxHttpRecorder;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Refuses bodies that are too large: at once when they say so, else while they are read. */
@ApplicationScoped
public class BodyLimits {

  /** Limit of the current request's body in bytes, in its routing context. */
  public static final String KEY = "fengyu.body-limit";

  // JSON is counted where it is parsed, which answers with a problem; past this the connection
  // goes.
  private static final long SLACK = 128 * 1024;

  // After Quarkus's own limit, which is set for the largest upload, and before everything else.
  private static final int AFTER_GLOBAL_LIMIT = -1;

  private final NetConfig config;
  private final ProblemWriter problems;

  BodyLimits(NetConfig config, ProblemWriter problems) {
    this.config = config;
    this.problems = problems;
  }

  void register(@Observes Router router) {
    router.route().order(AFTER_GLOBAL_LIMIT).handler(this::limit);
  }

  private void limit(RoutingContext context) {
    var limit = limitOf(context);
    if (declared(context) > limit) {
      context.response().putHeader("Connection", "close");
      problems.write(context, Problem.of(413, "BODY_TOO_LARGE").with("maxBytes", limit));
      return;
    }
    if (encoded(context)) {
      context.response().putHeader("Connection", "close");
      problems.write(context, Problem.of(415, "UNSUPPORTED_MEDIA_TYPE"));
      return;
    }
    context.put(KEY, limit);
    context.put(VertxHttpRecorder.MAX_REQUEST_SIZE_KEY, limit + SLACK);
    context.next();
  }

  // Whether the secret is right is looked at before anything of the body is kept.
  private long limitOf(RoutingContext context) {
    var path = context.normalizedPath();
    if (context.request().headers().contains("X-Internal-Secret")) {
      var internal = byLongestPrefix(config.internalBodyLimits(), path);
      if (internal != null) {
        return internal.asLongValue();
      }
    }
    var limit = byLongestPrefix(config.bodyLimits(), path);
    return (limit == null ? config.bodyLimit() : limit).asLongValue();
  }

  private static @Nullable MemorySize byLongestPrefix(Map<String, MemorySize> limits, String path) {
    var longest = "";
    for (var prefix : limits.keySet()) {
      if (path.startsWith(prefix) && prefix.length() > longest.length()) {
        longest = prefix;
      }
    }
    return limits.get(longest);
  }

  // No body is unpacked here: a packed one has no size that could be limited.
  private static boolean encoded(RoutingContext context) {
    var encoding = context.request().getHeader("Content-Encoding");
    return encoding != null
        && !encoding.isBlank()
        && !encoding.strip().equalsIgnoreCase("identity");
  }

  private static long declared(RoutingContext context) {
    var length = context.request().getHeader("Content-Length");
    if (length == null) {
      return 0;
    }
    return length.length() < 19 && length.chars().allMatch(Character::isDigit)
        ? Long.parseLong(length)
        : Long.MAX_VALUE;
  }
}
