package io.fengyu.chat.model;

import io.fengyu.contract.model.ModelEvent;
import io.smallrye.mutiny.subscription.MultiEmitter;
import io.vertx.core.Context;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClientRequest;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.http.RequestOptions;
import java.net.URI;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * One request to a provider, from connecting to the last event. It reads from the socket only as
 * fast as its events are taken, and closes the connection as soon as nobody wants them any more.
 * Everything here happens on one Vert.x context.
 */
final class ModelCall {

  private static final long LINGER_MS = 1000;

  /** What is sent, and how the answer is understood. */
  record Exchange(URI url, RequestOptions options, Buffer body, Protocol protocol) {}

  private final ModelHttp http;
  private final Exchange exchange;
  private final MultiEmitter<? super ModelEvent> out;
  private final Context context;
  private final Answering answering;
  private final Protocol.Decoder decoder;
  private final long startedAt = System.nanoTime();

  private @Nullable HttpClientRequest request;
  private @Nullable HttpClientResponse response;
  private long timer = -1;
  private long waitingSince = startedAt;
  private boolean reading;
  private boolean spoke;
  private boolean ended;

  ModelCall(ModelHttp http, Exchange exchange, MultiEmitter<? super ModelEvent> out) {
    this.http = http;
    this.exchange = exchange;
    this.out = out;
    context = http.vertx().getOrCreateContext();
    answering = new Answering(this::emit, http.limits().answerChars());
    decoder = exchange.protocol().decoder(answering);
  }

  void start() {
    out.onTermination(() -> context.runOnContext(unused -> abandon()));
    out.onRequest(unused -> context.runOnContext(alsoUnused -> pull()));
    context.runOnContext(unused -> connect());
  }

  private void connect() {
    if (ended) {
      return;
    }
    watch();
    http.client()
        .request(exchange.options())
        .onFailure(cause -> fail(ModelHttp.failure(exchange.url(), cause)))
        .onSuccess(this::send);
  }

  private void send(HttpClientRequest opened) {
    request = opened;
    if (ended) {
      opened.reset();
      return;
    }
    opened.exceptionHandler(cause -> fail(ModelHttp.failure(exchange.url(), cause)));
    opened
        .response()
        .onFailure(cause -> fail(ModelHttp.failure(exchange.url(), cause)))
        .onSuccess(this::answered);
    opened.end(exchange.body());
  }

  private void answered(HttpClientResponse answer) {
    answer.pause();
    response = answer;
    if (ended) {
      return;
    }
    answer.exceptionHandler(cause -> fail(broken(cause)));
    if (answer.statusCode() != 200) {
      refused(answer);
    } else if (!exchange.protocol().streams(mediaType(answer))) {
      unexpected(answer);
    } else {
      answer.handler(this::read);
      answer.endHandler(unused -> finished());
      pull();
    }
  }

  private void refused(HttpClientResponse answer) {
    new WholeBody(
            answer,
            body ->
                fail(
                    ProviderErrors.ofStatus(
                        answer.statusCode(), body, RetryAfter.of(answer.headers()))))
        .read();
  }

  // A provider that ignores "stream", an error in disguise, or a page of something in between.
  private void unexpected(HttpClientResponse answer) {
    new WholeBody(
            answer,
            body -> {
              var error = Json.tryRead(body).filter(json -> json.hasNonNull("error"));
              fail(
                  error
                      .map(ProviderErrors::inStream)
                      .orElseGet(
                          () ->
                              ModelFailure.lasting(
                                  ErrorCode.UNKNOWN,
                                  "The provider answered with "
                                      + mediaType(answer)
                                      + " instead of a stream")));
            })
        .read();
  }

  private void pull() {
    var answer = response;
    if (!ended && !reading && answer != null && out.requested() > 0) {
      reading = true;
      waitingSince = System.nanoTime();
      answer.fetch(1);
    }
  }

  private void read(Buffer bytes) {
    reading = false;
    if (ended) {
      return;
    }
    try {
      decoder.feed(bytes);
    } catch (ModelFailure said) {
      fail(said);
      return;
    }
    if (answering.isDone()) {
      complete();
    } else {
      pull();
    }
  }

  private void finished() {
    if (ended) {
      return;
    }
    try {
      decoder.end();
      ended = true;
      cancelTimer();
      out.complete();
    } catch (ModelFailure early) {
      fail(early);
    }
  }

  private void emit(ModelEvent event) {
    spoke = true;
    out.emit(event);
  }

  // Once the end mark is read the rest of the body is of no interest, but an orderly end keeps the
  // connection for the next request.
  private void complete() {
    ended = true;
    cancelTimer();
    var answer = response;
    if (answer != null) {
      var lingering = http.vertx().setTimer(LINGER_MS, unused -> closeIfOpen());
      answer.handler(unused -> {});
      answer.endHandler(unused -> http.vertx().cancelTimer(lingering));
      answer.exceptionHandler(unused -> {});
      answer.resume();
    }
    out.complete();
  }

  private void closeIfOpen() {
    var sent = request;
    if (sent != null) {
      sent.reset();
    }
  }

  private void fail(ModelFailure failure) {
    if (ended) {
      return;
    }
    ended = true;
    cancelTimer();
    closeIfOpen();
    out.fail(failure);
  }

  private void abandon() {
    if (!ended) {
      ended = true;
      cancelTimer();
      closeIfOpen();
    }
  }

  private ModelFailure broken(@Nullable Throwable cause) {
    return ModelHttp.failure(exchange.url(), cause);
  }

  // --- silence

  private void watch() {
    var left = Math.max(1, Math.min(untilTotal(), untilSilence()));
    timer = http.vertx().setTimer(left, unused -> context.runOnContext(alsoUnused -> check()));
  }

  private void check() {
    if (ended) {
      return;
    }
    if (untilTotal() <= 0) {
      fail(slow("took too long"));
    } else if (untilSilence() <= 0) {
      fail(slow(spoke ? "fell silent" : "did not begin to answer in time"));
    } else {
      watch();
    }
  }

  private long untilTotal() {
    return left(startedAt, http.limits().totalTimeout());
  }

  // While a reader is slow nothing is expected from the provider.
  private long untilSilence() {
    if (!spoke) {
      return left(startedAt, http.limits().firstTokenTimeout());
    }
    var idle = http.limits().idleTimeout();
    return reading ? left(waitingSince, idle) : idle.toMillis();
  }

  private static long left(long since, Duration limit) {
    return limit.toMillis() - (System.nanoTime() - since) / 1_000_000;
  }

  // Asking a silent provider again would only make it busier and the caller wait longer.
  private static ModelFailure slow(String what) {
    return ModelFailure.lasting(ErrorCode.NETWORK, "The provider " + what);
  }

  private void cancelTimer() {
    http.vertx().cancelTimer(timer);
  }

  private static String mediaType(HttpClientResponse answer) {
    var type = answer.getHeader("Content-Type");
    return type == null ? "" : type.split(";", 2)[0].strip().toLowerCase(java.util.Locale.ROOT);
  }
}
