package io.fengyu.contract.client;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.MissingNode;
import io.fengyu.contract.net.InternalTls;
import io.fengyu.contract.problem.ProblemBody;
import io.fengyu.contract.problem.ProblemException;
import io.quarkus.runtime.ShutdownEvent;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpClientRequest;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.PoolOptions;
import io.vertx.core.http.RequestOptions;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.eclipse.microprofile.config.inject.ConfigProperty;

/**
 * Calls other services whose answer comes line by line and takes as long as it takes. For callers
 * on virtual threads: everything here blocks, and an interrupt ends the call.
 */
@ApplicationScoped
public class InternalStreams {

  private static final Duration CONNECT = Duration.ofSeconds(1);
  private static final Duration HEAD = Duration.ofSeconds(10);
  private static final int CONNECTIONS = 256;

  private final Peers peers;
  private final ObjectMapper json;
  private final String secret;
  private final InternalTls tls;

  // A stream that is given up closes its connection, which must not be one that was handed on to
  // another request at that very moment.
  private final HttpClient http;

  InternalStreams(
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
        vertx.createHttpClient(
            tls.call(
                new HttpClientOptions()
                    .setConnectTimeout((int) CONNECT.toMillis())
                    .setKeepAlive(false)),
            new PoolOptions().setHttp1MaxSize(CONNECTIONS));
  }

  void stop(@Observes ShutdownEvent stopped) {
    http.close();
  }

  /**
   * Sends a body and returns once the answer begins.
   *
   * @param headers on whose behalf, and the like
   * @throws ProblemException with the callee's own problem, or 503 {@code DEPENDENCY_UNAVAILABLE}
   */
  public LineStream post(Service service, String path, Map<String, String> headers, JsonNode body)
      throws InterruptedException {
    CallFailure last = CallFailure.notSent();
    for (var address : addresses(service)) {
      try {
        return once(tls.address(address.resolve(path)), headers, body);
      } catch (CallFailure failure) {
        last = failure;
        if (!failure.nothingSent()) {
          break;
        }
        peers.refused(service, address);
      }
    }
    throw last.problem(service).asFailure();
  }

  private List<URI> addresses(Service service) throws InterruptedException {
    try {
      return peers
          .inTurn(service)
          .subscribeAsCompletionStage()
          .get(HEAD.toMillis(), TimeUnit.MILLISECONDS);
    } catch (ExecutionException | TimeoutException notFound) {
      return List.of();
    }
  }

  private LineStream once(URI address, Map<String, String> headers, JsonNode body)
      throws InterruptedException {
    var call = new Call();
    var options =
        new RequestOptions().setMethod(HttpMethod.POST).setAbsoluteURI(address.toString());
    headers.forEach(options::putHeader);
    options.putHeader("Content-Type", "application/json").putHeader("X-Internal-Secret", secret);
    http.request(options)
        .onFailure(failure -> call.answer.completeExceptionally(CallFailure.notSent()))
        .onSuccess(request -> call.send(request, Buffer.buffer(body.toString())));
    return call.await();
  }

  /** One attempt, from its request to the head of its answer. */
  private final class Call {

    private final CompletableFuture<LineStream> answer = new CompletableFuture<>();
    private final CompletableFuture<HttpClientRequest> sent = new CompletableFuture<>();

    void send(HttpClientRequest request, Buffer body) {
      sent.complete(request);
      request
          .send(body)
          .compose(response -> read(request, response))
          .onComplete(
              result -> {
                if (result.succeeded()) {
                  answer.complete(result.result());
                } else {
                  answer.completeExceptionally(known(result.cause()));
                }
              });
    }

    private Future<LineStream> read(HttpClientRequest request, HttpClientResponse response) {
      if (response.statusCode() < 400) {
        return Future.succeededFuture(new LineStream(request, response));
      }
      return response.body().compose(body -> Future.failedFuture(refusal(response, body)));
    }

    private RuntimeException refusal(HttpClientResponse response, Buffer body) {
      var status = response.statusCode();
      var problem = ProblemBody.parse(status, tree(body), response.getHeader("Retry-After"));
      return status == 502 || status == 503 || status == 504
          ? CallFailure.refused(problem)
          : problem.asFailure();
    }

    private JsonNode tree(Buffer body) {
      try {
        return json.readTree(body.toString());
      } catch (JsonProcessingException noJson) {
        return MissingNode.getInstance();
      }
    }

    private static RuntimeException known(Throwable cause) {
      return cause instanceof CallFailure || cause instanceof ProblemException
          ? (RuntimeException) cause
          : CallFailure.lost();
    }

    LineStream await() throws InterruptedException {
      try {
        return answer.get(HEAD.toMillis(), TimeUnit.MILLISECONDS);
      } catch (InterruptedException stopped) {
        giveUp();
        throw stopped;
      } catch (TimeoutException late) {
        giveUp();
        throw CallFailure.lost();
      } catch (ExecutionException failed) {
        throw failed.getCause() instanceof RuntimeException cause
            ? cause
            : new IllegalStateException(failed.getCause());
      }
    }

    // Also when the request, or its answer, comes only later.
    private void giveUp() {
      var unused = sent.thenAccept(HttpClientRequest::reset);
    }
  }
}
