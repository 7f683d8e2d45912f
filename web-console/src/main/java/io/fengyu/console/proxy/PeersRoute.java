package io.fengyu.console.proxy;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.fengyu.contract.problem.Problem;
import io.vertx.core.buffer.Buffer;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Lets whoever holds the internal secret replace the addresses of services at run time. */
@ApplicationScoped
class PeersRoute {

  private static final int LARGEST_BODY = 64 * 1024;

  private final EdgeConfig config;
  private final Upstreams upstreams;
  private final ObjectMapper json;

  PeersRoute(EdgeConfig config, Upstreams upstreams, ObjectMapper json) {
    this.config = config;
    this.upstreams = upstreams;
    this.json = json;
  }

  void route(@Observes Router router) {
    router.put("/internal/peers").handler(this::put);
  }

  private void put(RoutingContext context) {
    if (!authentic(context)) {
      refuse(context, EdgeProblems.internalUnauthenticated());
      return;
    }
    var body = Buffer.buffer();
    var request = context.request();
    request.handler(
        piece -> {
          body.appendBuffer(piece);
          if (body.length() > LARGEST_BODY) {
            request.handler(ignored -> {});
            refuse(context, EdgeProblems.tooLarge());
          }
        });
    request.endHandler(ended -> replace(context, body));
  }

  private void replace(RoutingContext context, Buffer body) {
    if (context.response().ended()) {
      return;
    }
    try {
      read(json.readTree(body.getBytes())).forEach(upstreams::replace);
      context.response().setStatusCode(204).end();
    } catch (JsonProcessingException malformed) {
      refuse(context, EdgeProblems.invalidPeers("not JSON"));
    } catch (IllegalArgumentException | java.io.IOException invalid) {
      refuse(context, EdgeProblems.invalidPeers(String.valueOf(invalid.getMessage())));
    }
  }

  /** Reads the whole document before anything is changed. */
  private static Map<Owner, List<URI>> read(JsonNode document) {
    var addresses = new EnumMap<Owner, List<URI>>(Owner.class);
    for (var owner : Owner.values()) {
      if (document.path(owner.key()).isArray() && !document.path(owner.key()).isEmpty()) {
        var list = new ArrayList<URI>();
        document.path(owner.key()).forEach(a -> list.add(Upstreams.parse(owner, a.asText())));
        addresses.put(owner, list);
      }
    }
    return addresses;
  }

  private boolean authentic(RoutingContext context) {
    var given = context.request().getHeader("X-Internal-Secret");
    if (given == null) {
      return false;
    }
    var current = matches(config.internalSecret(), given);
    var previous = matches(config.previousInternalSecret(), given);
    return current || previous;
  }

  private static boolean matches(Optional<String> secret, String given) {
    return secret.isPresent() && MessageDigest.isEqual(digest(secret.get()), digest(given));
  }

  private static byte[] digest(String value) {
    try {
      return MessageDigest.getInstance("SHA-256").digest(value.getBytes(StandardCharsets.UTF_8));
    } catch (java.security.NoSuchAlgorithmException absent) {
      throw new IllegalStateException(absent);
    }
  }

  private static void refuse(RoutingContext context, Problem problem) {
    var request = context.request();
    ProblemAnswers.answer(request, Trace.of(request), problem);
    Leftovers.discard(request);
  }
}
