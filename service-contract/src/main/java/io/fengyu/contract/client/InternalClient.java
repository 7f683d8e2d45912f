package io.fengyu.contract.client;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.MissingNode;
import io.fengyu.contract.net.InternalTls;
import io.fengyu.contract.problem.Problem;
import io.fengyu.contract.problem.ProblemBody;
import io.netty.channel.ConnectTimeoutException;
import io.quarkus.runtime.ShutdownEvent;
import io.smallrye.mutiny.TimeoutException;
import io.smallrye.mutiny.Uni;
import io.vertx.core.http.HttpMethod;
import io.vertx.ext.web.client.WebClientOptions;
import io.vertx.mutiny.core.Vertx;
import io.vertx.mutiny.core.buffer.Buffer;
import io.vertx.mutiny.ext.web.client.HttpRequest;
import io.vertx.mutiny.ext.web.client.HttpResponse;
import io.vertx.mutiny.ext.web.client.WebClient;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import java.io.IOException;
import java.net.ConnectException;
import java.net.URI;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.eclipse.microprofile.config.inject.ConfigProperty;

/**
 * Calls other services: with the internal secret, within a time limit, again only where that does
 * no harm, and not at all for a while when the other side is down.
 */
@ApplicationScoped
public class InternalClient {

  private static final Duration CONNECT = Duration.ofSeconds(1);
  private static final Duration FIRST_PAUSE = Duration.ofMillis(200);
  private static final Duration LAST_PAUSE = Duration.ofMillis(400);
  // An attempt gives up a little earlier than the whole call, so that the circuit hears of it.
  private static final Duration MARGIN = Duration.ofMillis(200);
  private static final double JITTER = 0.25;
  private static final int REPEATS = 2;

  private final Peers peers;
  private final InternalTls tls;
  private final WebClient http;
  private final ObjectMapper json;
  private final String secret;

  InternalClient(
      Peers peers,
      Vertx vertx,
      ObjectMapper json,
      InternalTls tls,
      @ConfigProperty(name = "fengyu.authentication.internal-secret") Optional<String> secret) {
    this.peers = peers;
    this.json = json;
    this.tls = tls;
    this.secret = secret.orElse("");
    this.http =
        WebClient.create(
            vertx,
            tls.call(
                new WebClientOptions()
                    .setConnectTimeout((int) CONNECT.toMillis())
                    .setFollowRedirects(false)
                    .setUserAgentEnabled(false)
                    .setKeepAliveTimeout(20)
                    .setMaxPoolSize(64)));
  }

  /** Starts a read. */
  public InternalCall get(Service service, String path) {
    return new InternalCall(this, service, HttpMethod.GET, path);
  }

  /** Starts a write. */
  public InternalCall post(Service service, String path) {
    return new InternalCall(this, service, HttpMethod.POST, path);
  }

  /** Starts a call with any method. */
  public InternalCall call(HttpMethod method, Service service, String path) {
    return new InternalCall(this, service, method, path);
  }

  void stop(@Observes ShutdownEvent stopped) {
    http.close();
  }

  Uni<Answer> send(InternalCall call) {
    var answer = Uni.createFrom().deferred(() -> admitted(call));
    var again =
        call.repeatable()
            ? answer
                .onFailure(CallFailure.class)
                .retry()
                .withBackOff(FIRST_PAUSE, LAST_PAUSE)
                .withJitter(JITTER)
                .atMost(REPEATS)
            : answer;
    return again
        .ifNoItem()
        .after(call.limit)
        .fail()
        .onFailure(TimeoutException.class)
        .transform(late -> CallFailure.lost())
        .onFailure(CallFailure.class)
        .transform(failure -> failure.problem(call.service).asFailure());
  }

  private Uni<Answer> admitted(InternalCall call) {
    var circuit = peers.circuit(call.service);
    if (!circuit.admits()) {
      return Uni.createFrom().failure(CallFailure.unavailable(call.service, true).asFailure());
    }
    return peers
        .inTurn(call.service)
        .chain(addresses -> overAddresses(call, addresses))
        .onItem()
        .invoke(circuit::succeeded)
        .onFailure(CallFailure.class)
        .invoke(circuit::failed)
        .onFailure(failure -> !(failure instanceof CallFailure))
        .invoke(circuit::succeeded);
  }

  private Uni<Answer> overAddresses(InternalCall call, List<URI> addresses) {
    if (addresses.isEmpty()) {
      return Uni.createFrom().failure(CallFailure.notSent());
    }
    return once(call, addresses.getFirst())
        .onFailure(failure -> failure instanceof CallFailure f && f.nothingSent())
        .recoverWithUni(
            () -> {
              peers.refused(call.service, addresses.getFirst());
              return overAddresses(call, addresses.subList(1, addresses.size()));
            });
  }

  private Uni<Answer> once(InternalCall call, URI address) {
    var request = http.requestAbs(call.method, tls.address(address.resolve(call.path)).toString());
    request.timeout(call.limit.minus(MARGIN).toMillis());
    call.query.forEach(request::addQueryParam);
    call.headers.forEach(request::putHeader);
    request.putHeader("X-Internal-Secret", secret);
    return sent(request, call).onFailure().transform(InternalClient::classified).map(this::answer);
  }

  private static Uni<HttpResponse<Buffer>> sent(HttpRequest<Buffer> request, InternalCall call) {
    var body = call.body;
    if (body == null) {
      return request.send();
    }
    request.putHeader("Content-Type", "application/json");
    return request.sendBuffer(Buffer.buffer(body.toString()));
  }

  private static Throwable classified(Throwable failure) {
    var neverConnected =
        failure instanceof ConnectException
            || failure instanceof ConnectTimeoutException
            || failure instanceof UnknownHostException;
    return neverConnected ? CallFailure.notSent() : CallFailure.lost();
  }

  private Answer answer(HttpResponse<Buffer> response) {
    var status = response.statusCode();
    if (status < 400) {
      return new Answer(status, read(response));
    }
    var problem = problem(response);
    throw status == 502 || status == 503 || status == 504
        ? CallFailure.refused(problem)
        : problem.asFailure();
  }

  private Problem problem(HttpResponse<Buffer> response) {
    return ProblemBody.parse(
        response.statusCode(), read(response), response.getHeader("Retry-After"));
  }

  private JsonNode read(HttpResponse<Buffer> response) {
    var buffer = response.body();
    if (buffer == null || buffer.length() == 0) {
      return MissingNode.getInstance();
    }
    try {
      return json.readTree(buffer.getBytes());
    } catch (IOException noJson) {
      return MissingNode.getInstance();
    }
  }
}
