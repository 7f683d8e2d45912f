package io.fengyu.agent.hook;

import io.fengyu.contract.outbound.TargetPolicy;
import io.fengyu.contract.outbound.TargetPolicy.TargetRefusedException;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.RequestOptions;
import io.vertx.core.net.SocketAddress;
import io.vertx.core.tracing.TracingPolicy;
import jakarta.enterprise.context.ApplicationScoped;
import java.net.InetSocketAddress;
import java.net.URI;
import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Posts to hooks that are addresses: to checked addresses only, following no redirect, on a
 * connection of their own.
 */
@ApplicationScoped
class HttpHooks {

  private static final int MOST_BYTES = 4 * CommandHooks.LONGEST;

  private final Vertx vertx;
  private final TargetPolicy targets;
  private final HookConfig config;

  HttpHooks(Vertx vertx, TargetPolicy targets, HookConfig config) {
    this.vertx = vertx;
    this.targets = targets;
    this.config = config;
  }

  /** An answer, as far as it counts. */
  private record Answer(int status, String body) {}

  Outcome run(Hook hook, Hook.Action.Http action, Envelope envelope) throws InterruptedException {
    long deadline = System.nanoTime() + hook.timeout().toNanos();
    InetSocketAddress address;
    try {
      boolean privateToo = config.privateAllowed() && !action.publicOnly();
      address = targets.addresses(action.url(), privateToo).getFirst();
    } catch (TargetRefusedException refused) {
      return new Outcome.Failed("its address is refused");
    }
    var client = client(hook.timeout());
    try {
      var answer = post(client, action.url(), address, envelope.toJson());
      return outcome(
          answer
              .toCompletionStage()
              .toCompletableFuture()
              .get(Math.max(1, deadline - System.nanoTime()), TimeUnit.NANOSECONDS));
    } catch (TimeoutException late) {
      return new Outcome.Failed("it took longer than " + hook.timeout().toSeconds() + " s");
    } catch (ExecutionException notAnswered) {
      return new Outcome.Failed("it can't be reached, or broke off");
    } finally {
      client.close();
    }
  }

  private static Outcome outcome(Answer answer) {
    return answer.status / 100 == 2
        ? Outcome.of(0, answer.body, "")
        : new Outcome.Failed("status " + answer.status);
  }

  private HttpClient client(Duration timeout) {
    return vertx.createHttpClient(
        new HttpClientOptions()
            .setConnectTimeout((int) timeout.toMillis())
            .setMaxPoolSize(1)
            .setMaxWaitQueueSize(1)
            .setKeepAlive(false)
            .setTracingPolicy(TracingPolicy.IGNORE));
  }

  private static Future<Answer> post(
      HttpClient client, URI url, InetSocketAddress address, String envelope) {
    var path = url.getRawPath().isEmpty() ? "/" : url.getRawPath();
    var options =
        new RequestOptions()
            .setMethod(HttpMethod.POST)
            .setServer(SocketAddress.inetSocketAddress(address))
            .setHost(url.getHost())
            .setPort(address.getPort())
            .setSsl("https".equalsIgnoreCase(url.getScheme()))
            .setURI(url.getRawQuery() == null ? path : path + "?" + url.getRawQuery())
            .setFollowRedirects(false)
            .putHeader("Content-Type", "application/json")
            .putHeader("User-Agent", "FengYu");
    return client
        .request(options)
        .compose(request -> request.send(Buffer.buffer(envelope)))
        .compose(HttpHooks::read);
  }

  /** The body up to its end; what is longer counts as nothing said. */
  private static Future<Answer> read(HttpClientResponse response) {
    var body = Buffer.buffer();
    Promise<Answer> whole = Promise.promise();
    response.handler(
        piece -> {
          if (body.length() + piece.length() > MOST_BYTES) {
            whole.tryFail("the answer is too long");
          } else {
            body.appendBuffer(piece);
          }
        });
    response.exceptionHandler(whole::tryFail);
    response.endHandler(
        end -> whole.tryComplete(new Answer(response.statusCode(), body.toString())));
    return whole.future();
  }
}
