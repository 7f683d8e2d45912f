package io.fengyu.console.proxy;

import io.netty.channel.ConnectTimeoutException;
import io.vertx.core.AsyncResult;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpClientRequest;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.http.RequestOptions;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeoutException;

/**
 * Tells a replica that hangs from one that works long: both are silent, but only the latter answers
 * a question about its health meanwhile. Nobody is asked while nobody waits.
 */
@ApplicationScoped
class Pulses {

  private static final String QUESTION = "/q/health/live";

  /** Who waits for a replica; told on any thread. */
  interface Waiting {

    /** It did not answer; {@code sure} from the second time on. */
    void hangs(boolean sure);
  }

  private final Map<Replica, Pulse> pulses = new ConcurrentHashMap<>();
  private final Vertx vertx;
  private final HttpClient client;
  private final long patienceMs;
  private final long limitMs;

  Pulses(Vertx vertx, EdgeConfig config, ServiceTls tls) {
    this.vertx = vertx;
    this.client = vertx.createHttpClient(tls.call(new HttpClientOptions().setKeepAliveTimeout(5)));
    this.patienceMs = config.patience().toMillis();
    this.limitMs = config.healthTimeout().toMillis();
  }

  void watch(Replica replica, Waiting who) {
    pulses.compute(
        replica,
        (key, known) -> {
          var pulse = known == null ? begin(key) : known;
          pulse.waiting.add(who);
          return pulse;
        });
  }

  void unwatch(Replica replica, Waiting who) {
    var pulse = pulses.get(replica);
    if (pulse != null) {
      pulse.waiting.remove(who);
    }
  }

  /** True while the last question was not answered: nothing is sent there. */
  boolean hangs(Replica replica) {
    var pulse = pulses.get(replica);
    return pulse != null && pulse.unanswered > 0;
  }

  private Pulse begin(Replica replica) {
    lookLater(replica);
    return new Pulse();
  }

  private void lookLater(Replica replica) {
    vertx.setTimer(patienceMs, due -> look(replica));
  }

  private void look(Replica replica) {
    var pulse = pulses.computeIfPresent(replica, (key, known) -> known.settled() ? null : known);
    if (pulse != null) {
      ask(replica)
          .onComplete(
              answer -> {
                pulse.heard(timedOut(answer));
                lookLater(replica);
              });
    }
  }

  private Future<Void> ask(Replica replica) {
    var question =
        new RequestOptions()
            .setServer(replica.server())
            .setHost(replica.host())
            .setPort(replica.port())
            .setSsl(replica.tls())
            .setURI(QUESTION)
            .setConnectTimeout(limitMs)
            .setIdleTimeout(limitMs);
    return client
        .request(question)
        .compose(HttpClientRequest::send)
        .compose(HttpClientResponse::end);
  }

  /** Any answer is a sign of life, and a refused connection means that nobody is there to hang. */
  private static boolean timedOut(AsyncResult<Void> answer) {
    return answer.cause() instanceof TimeoutException
        || answer.cause() instanceof ConnectTimeoutException;
  }

  private static final class Pulse {

    private final Set<Waiting> waiting = ConcurrentHashMap.newKeySet();
    private volatile int unanswered;

    boolean settled() {
      return waiting.isEmpty() && unanswered == 0;
    }

    /** One question at a time is under way, so nobody else writes. */
    @SuppressWarnings("NonAtomicVolatileUpdate")
    void heard(boolean nothing) {
      unanswered = nothing ? unanswered + 1 : 0;
      if (nothing) {
        waiting.forEach(who -> who.hangs(unanswered > 1));
      }
    }
  }
}
