package io.fengyu.contract.start;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.NullNode;
import io.fengyu.contract.identity.Caller;
import io.fengyu.contract.json.CanonicalJson;
import io.fengyu.contract.problem.ProblemException;
import io.quarkus.vertx.http.runtime.CurrentVertxRequest;
import io.smallrye.mutiny.Uni;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jboss.logging.Logger;
import org.jboss.resteasy.reactive.RestResponse;
import org.jspecify.annotations.Nullable;

/**
 * Answers repeated calls that start work with the first answer.
 *
 * <p>A call is the same when owner, path, key and canonical body are. Another service's calls are
 * the same when their operation is, whatever they say.
 */
@ApplicationScoped
public class Starts {

  /** Header of the answers that were given before. */
  public static final String REPLAYED = "Idempotent-Replayed";

  private static final Logger LOG = Logger.getLogger(Starts.class);
  private static final int LONGEST_KEY = 200;
  private static final int OK = 200;

  private final StartClaims claims;
  private final Caller caller;
  private final CurrentVertxRequest request;
  private final ObjectMapper json;

  Starts(StartClaims claims, Caller caller, CurrentVertxRequest request, ObjectMapper json) {
    this.claims = claims;
    this.caller = caller;
    this.request = request;
    this.json = json;
  }

  /**
   * Starts the work of the current request, or answers what the first request with this key was
   * answered. A refusal (4xx) is not remembered: nothing was started, and the same key may be used
   * again. After any other failure the next call with this key and body goes on where this one
   * stopped.
   *
   * @param key the caller's {@code Idempotency-Key}; null for none
   * @param body what the caller sent; null for nothing
   * @param start gets the claims that must be held when the work begins: none without a key
   */
  public <T> Uni<RestResponse<T>> once(
      @Nullable String key,
      @Nullable JsonNode body,
      Class<T> answer,
      Function<List<StartClaim>, Uni<T>> start) {
    var startKey = key(key, body);
    return startKey == null
        ? start.apply(List.of()).map(RestResponse::ok)
        : claims.claim(startKey).chain(claimed -> go(claimed, answer, start));
  }

  private @Nullable StartKey key(@Nullable String key, @Nullable JsonNode body) {
    var operation = caller.operationId();
    if (caller.internal() && operation != null) {
      return StartKey.operation(caller.owner(), path(), operation);
    }
    if (key == null) {
      return null;
    }
    if (key.isBlank() || key.length() > LONGEST_KEY) {
      throw StartProblems.keyInvalid(LONGEST_KEY);
    }
    var content = body == null ? NullNode.getInstance() : body;
    var digest = CanonicalJson.sha256(content);
    return new StartKey(caller.owner(), path(), "idempotencyKey", key, digest);
  }

  private String path() {
    return request.getCurrent().normalizedPath();
  }

  /**
   * The same for a key that stands in the body, within the claims of the call.
   *
   * @param start gets the claims that must be held, the one of this key last
   * @param again makes the answer of a repetition
   */
  public <T> Uni<T> within(
      List<StartClaim> outer,
      StartKey key,
      Function<List<StartClaim>, Uni<T>> start,
      Function<Claimed.Before, Uni<T>> again) {
    return claims
        .claim(key)
        .chain(
            claimed ->
                switch (claimed) {
                  case Claimed.Before before -> again.apply(before);
                  case Claimed.Mine(var claim) -> begin(claim, with(outer, claim), start);
                });
  }

  private static List<StartClaim> with(List<StartClaim> outer, StartClaim claim) {
    return Stream.concat(outer.stream(), Stream.of(claim)).toList();
  }

  private <T> Uni<RestResponse<T>> go(
      Claimed claimed, Class<T> answer, Function<List<StartClaim>, Uni<T>> start) {
    return switch (claimed) {
      case Claimed.Before before -> Uni.createFrom().item(() -> replayed(before, answer));
      case Claimed.Mine(var claim) -> begin(claim, List.of(claim), start).map(RestResponse::ok);
    };
  }

  private <T> Uni<T> begin(
      StartClaim claim, List<StartClaim> all, Function<List<StartClaim>, Uni<T>> start) {
    return Uni.createFrom()
        .deferred(() -> start.apply(all))
        .onFailure()
        .call(failure -> letGo(claim, failure))
        .call(first -> settle(claim, first));
  }

  private <T> RestResponse<T> replayed(Claimed.Before before, Class<T> answer) {
    return RestResponse.ResponseBuilder.<T>create(before.status())
        .entity(read(before.answer(), answer))
        .header(REPLAYED, true)
        .build();
  }

  // Without it a repetition finds out from the work itself, which has the same operation.
  private Uni<Void> settle(StartClaim claim, Object first) {
    return claims
        .settle(claim, OK, text(first))
        .onFailure()
        .invoke(failure -> LOG.warnf("The answer of a start is not remembered: %s", failure))
        .onFailure()
        .recoverWithNull();
  }

  private Uni<Void> letGo(StartClaim claim, Throwable failure) {
    var refused = failure instanceof ProblemException known && known.problem().status() < 500;
    var done = refused ? claims.free(claim) : claims.giveBack(claim);
    return done.onFailure()
        .invoke(away -> LOG.warnf("The key of a start is held for a while: %s", away))
        .onFailure()
        .recoverWithNull();
  }

  /** An answer as it is stored and sent. */
  public String text(Object answer) {
    try {
      return json.writeValueAsString(answer);
    } catch (JsonProcessingException impossible) {
      throw new IllegalStateException(impossible);
    }
  }

  /** An answer as it was stored. */
  public <T> T read(String text, Class<T> answer) {
    try {
      return json.readValue(text, answer);
    } catch (JsonProcessingException impossible) {
      throw new IllegalStateException("a stored answer cannot be read", impossible);
    }
  }
}
