package io.fengyu.console.proxy;

import io.fengyu.contract.problem.Problem;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.MultiMap;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientRequest;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import java.time.Duration;
import java.util.Iterator;
import java.util.Objects;
import java.util.concurrent.TimeoutException;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * One request on its way to a service and its answer on the way back.
 *
 * <p>Runs on one event loop. Both bodies are passed on piece by piece, each side as fast as the
 * other reads. Another replica is tried only while nothing of the request can have been acted upon.
 * A replica may take its time, but one that hangs is not waited for.
 */
final class Exchange implements Pulses.Waiting {

  private static final Logger LOG = Logger.getLogger(Exchange.class);

  /**
   * Event streams may be silent; their heartbeat is the service's business. Set before the request
   * is sent only: one set behind the answer's head is never cancelled and keeps the request.
   */
  private static final long STREAM_IDLE_MS = Duration.ofHours(2).toMillis();

  private final HttpServerRequest inbound;
  private final Trace trace;
  private final Owner owner;
  private final String uri;
  private final MultiMap headers;
  private final HttpClient client;
  private final long idleMs;
  private final OpenStreams streams;
  private final Pulses pulses;
  private final Context loop = Objects.requireNonNull(Vertx.currentContext());

  private @Nullable HttpClientRequest outbound;
  private @Nullable Attempt attempt;
  private @Nullable Answer answer;
  private boolean clientGone;
  private boolean bodyStarted;
  private boolean retried;

  Exchange(
      HttpServerRequest inbound,
      Trace trace,
      Owner owner,
      String uri,
      MultiMap headers,
      HttpClient client,
      long idleMs,
      OpenStreams streams,
      Pulses pulses) {
    this.inbound = inbound;
    this.trace = trace;
    this.owner = owner;
    this.uri = uri;
    this.headers = headers;
    this.client = client;
    this.idleMs = idleMs;
    this.streams = streams;
    this.pulses = pulses;
  }

  /** Where the request was sent, and what is left to be tried. */
  private record Attempt(
      HttpClientRequest request, Replica replica, Upstream upstream, Iterator<Replica> rest) {}

  void start(Future<Upstream> upstream) {
    inbound.pause();
    inbound.response().closeHandler(closed -> leave());
    inbound.response().exceptionHandler(broken -> leave());
    upstream
        .onSuccess(found -> tryNext(found, found.inTurn().iterator()))
        .onFailure(unexpected -> refuse(EdgeProblems.unavailable(owner), unexpected));
  }

  private void tryNext(Upstream upstream, Iterator<Replica> rest) {
    if (clientGone) {
      return;
    }
    if (!rest.hasNext()) {
      refuse(EdgeProblems.unavailable(owner), null);
      return;
    }
    var replica = rest.next();
    if (pulses.hangs(replica)) {
      tryNext(upstream, rest);
      return;
    }
    client
        .request(replica.request(inbound.method(), uri, headers))
        .onSuccess(connected -> send(new Attempt(connected, replica, upstream, rest)))
        .onFailure(
            refused -> {
              LOG.debugf("%s at %s: %s", owner.service(), replica.server(), refused.getMessage());
              upstream.refused(replica);
              tryNext(upstream, rest);
            });
  }

  private void send(Attempt now) {
    var request = now.request();
    if (clientGone) {
      request.reset();
      return;
    }
    outbound = request;
    attempt = now;
    pulses.watch(now.replica(), this);
    request.exceptionHandler(broken -> LOG.debugf("%s: %s", owner.service(), broken.getMessage()));
    request.idleTimeout(Traits.asksForStream(inbound, uri) ? STREAM_IDLE_MS : idleMs);
    request
        .response()
        .onSuccess(
            response -> {
              now.upstream().answered(now.replica());
              passBack(response, now);
            })
        .onFailure(failure -> unanswered(failure, now));
    sendBody(request);
  }

  private void sendBody(HttpClientRequest request) {
    if (!Traits.hasBody(inbound)) {
      inbound.resume();
      request.end();
      return;
    }
    if (!headers.contains("Content-Length")) {
      request.setChunked(true);
    }
    if ("100-continue".equalsIgnoreCase(inbound.getHeader("Expect"))) {
      request.continueHandler(
          go -> {
            inbound.response().writeContinue();
            pump(request);
          });
      request.sendHead();
    } else {
      pump(request);
    }
  }

  /** A failure here is no verdict: the answer may be on its way, and without one it fails too. */
  private void pump(HttpClientRequest request) {
    bodyStarted = true;
    inbound
        .pipe()
        .endOnFailure(false)
        .to(request)
        .onFailure(broken -> LOG.debugf("Body to %s: %s", owner.service(), broken.getMessage()));
  }

  private void unanswered(Throwable failure, Attempt now) {
    if (clientGone || !now.equals(attempt)) {
      return;
    }
    settled();
    if (failure instanceof TimeoutException) {
      refuse(EdgeProblems.silent(owner), failure);
    } else if (Traits.onlyReads(inbound)) {
      now.upstream().refused(now.replica());
      retryRead(now.upstream(), now.rest(), failure);
    } else {
      refuse(EdgeProblems.broken(owner), failure);
    }
  }

  /** Nobody is waited for any more. */
  private void settled() {
    if (attempt != null) {
      pulses.unwatch(attempt.replica(), this);
      attempt = null;
    }
  }

  @Override
  public void hangs(boolean sure) {
    loop.runOnContext(now -> giveUp(sure));
  }

  /** What only reads goes elsewhere at once; all else ends when there is no doubt left. */
  private void giveUp(boolean sure) {
    var given = attempt;
    if (given == null || clientGone || (!sure && (answer != null || !Traits.onlyReads(inbound)))) {
      return;
    }
    settled();
    if (answer != null) {
      answer.abandon();
      return;
    }
    LOG.warnf("%s at %s hangs", owner.service(), given.replica().server());
    given.request().reset();
    if (Traits.onlyReads(inbound)) {
      tryNext(given.upstream(), given.rest());
    } else {
      refuse(EdgeProblems.silent(owner), null);
    }
  }

  private void retryRead(Upstream upstream, Iterator<Replica> rest, Throwable failure) {
    if (rest.hasNext()) {
      tryNext(upstream, rest);
    } else if (!retried) {
      retried = true; // a kept connection may have been closed just now: once more, on new ones
      tryNext(upstream, upstream.inTurn().iterator());
    } else {
      refuse(EdgeProblems.broken(owner), failure);
    }
  }

  private void passBack(HttpClientResponse from, Attempt now) {
    var to = inbound.response();
    if (clientGone || to.headWritten() || !now.equals(attempt)) {
      return;
    }
    head(from, to);
    if ((bodyStarted && !inbound.isEnded()) || (!bodyStarted && Traits.hasBody(inbound))) {
      to.putHeader("Connection", "close");
    }
    var stream = Traits.isStream(from);
    var begun = new Answer(from, inbound, stream);
    answer = begun;
    if (stream) {
      streams.opened(begun);
    }
    to.endHandler(
        ended -> {
          streams.closed(begun);
          settled();
        });
    begun.start();
  }

  private void head(HttpClientResponse from, HttpServerResponse to) {
    to.setStatusCode(from.statusCode()).setStatusMessage(from.statusMessage());
    to.headers().addAll(RequestHeaders.endToEnd(from.headers()));
    if (!to.headers().contains("X-Request-ID")) {
      to.putHeader("X-Request-ID", trace.requestId());
    }
    if (Traits.mayHaveBody(inbound, from) && !from.headers().contains("Content-Length")) {
      to.setChunked(true);
    }
  }

  /** The client went away: so does the request that was made for it. */
  private void leave() {
    clientGone = true;
    settled();
    if (answer != null) {
      answer.drop();
    } else if (outbound != null) {
      outbound.reset();
    }
  }

  private void refuse(Problem problem, @Nullable Throwable cause) {
    if (clientGone) {
      return;
    }
    if (cause != null) {
      LOG.warnf("%s %s: %s", owner.service(), problem.code(), cause.getMessage());
    }
    if (Traits.hasBody(inbound) && !inbound.isEnded()) {
      inbound.response().putHeader("Connection", "close");
    }
    ProblemAnswers.answer(inbound, trace, problem);
    Leftovers.discard(inbound);
  }
}
