package io.fengyu.bench.chat;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpClientRequest;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.PoolOptions;
import io.vertx.core.http.RequestOptions;
import io.vertx.core.json.JsonObject;
import java.io.Closeable;
import java.util.Arrays;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/** Clients that read streams and compare what the tokens say with the clock. */
public final class Readers implements Closeable {

  private static final int MOST_SAMPLES = 2_000_000;
  private static final byte[] TEXT =
      "\"text\":\"".getBytes(java.nio.charset.StandardCharsets.US_ASCII);

  private final Vertx vertx = Vertx.vertx(new VertxOptions().setEventLoopPoolSize(2));
  private final HttpClient client =
      vertx.createHttpClient(
          new HttpClientOptions().setIdleTimeout(0).setConnectTimeout(30_000),
          new PoolOptions().setHttp1MaxSize(60_000).setMaxWaitQueueSize(-1));

  /**
   * How streams are read.
   *
   * @param perSecond how many are opened in a second
   */
  public record Load(int streams, int tokens, int everyMs, int perSecond) {

    /** All tokens of all streams. */
    public long frames() {
      return (long) streams * tokens;
    }
  }

  /** What came of it. */
  public static final class Outcome {

    private final long frames;
    private final long failed;
    private final double seconds;
    private final long[] delays;

    private Outcome(long frames, long failed, double seconds, long[] delays) {
      this.frames = frames;
      this.failed = failed;
      this.seconds = seconds;
      this.delays = delays;
    }

    /** Tokens that were read. */
    public long frames() {
      return frames;
    }

    /** Streams that did not come to their end. */
    public long failed() {
      return failed;
    }

    /** From writing a token to reading it, in nanoseconds. */
    public long[] delays() {
      return delays;
    }

    /** Frames in a second. */
    public double perSecond() {
      return frames / seconds;
    }
  }

  /** Opens one stream. */
  public interface Door {

    /** Sends the request. */
    Future<HttpClientResponse> open(HttpClient client, Load load);
  }

  /** The bare relay on that port. */
  public static Door relay(int port) {
    return (client, load) ->
        client
            .request(
                HttpMethod.GET,
                port,
                Wire.HOST,
                "/tok?n=" + load.tokens() + "&ms=" + load.everyMs())
            .compose(HttpClientRequest::send);
  }

  /** A chat turn, and its stream, at chat-service on that port. */
  public static Door chat(int port, String token, String model) {
    return (client, load) ->
        client
            .request(with(port, HttpMethod.POST, "/api/ai/chat", token))
            .compose(request -> request.send(turn(model)))
            .compose(HttpClientResponse::body)
            .map(body -> body.toJsonObject().getString("streamId"))
            .compose(
                id ->
                    client.request(
                        with(port, HttpMethod.GET, "/api/ai/stream?streamId=" + id, token)))
            .compose(HttpClientRequest::send);
  }

  private static Buffer turn(String model) {
    return JsonObject.of(
            "messages",
            io.vertx.core.json.JsonArray.of(JsonObject.of("role", "user", "content", "go")),
            "options",
            JsonObject.of("model", model))
        .toBuffer();
  }

  private static RequestOptions with(int port, HttpMethod method, String uri, String token) {
    return new RequestOptions()
        .setMethod(method)
        .setHost(Wire.HOST)
        .setPort(port)
        .setURI(uri)
        .putHeader("Content-Type", "application/json")
        .putHeader("X-FengYu-Token", token);
  }

  /** Reads all streams to their ends; {@code whenOpen} runs once all of them are open. */
  public Outcome read(Door door, Load load, Runnable whenOpen) throws InterruptedException {
    var run = new Run(load);
    var begun = System.nanoTime();
    for (var i = 0; i < load.streams(); i++) {
      var due = begun + i * 1_000_000_000L / load.perSecond();
      while (System.nanoTime() < due) {
        LockSupport.parkNanos(due - System.nanoTime());
      }
      door.open(client, load).onSuccess(run::follow).onFailure(run::lost);
    }
    whenOpen.run();
    var limit = (long) load.tokens() * Math.max(1, load.everyMs()) / 1000 + 120;
    run.open.await(limit, TimeUnit.SECONDS);
    var seconds = (System.nanoTime() - begun) / 1e9;
    var count = Math.min(run.samples.get(), run.delays.length);
    return new Outcome(
        run.frames.get(),
        run.failed.get() + run.open.getCount(),
        seconds,
        Arrays.copyOf(run.delays, count));
  }

  @Override
  public void close() {
    var unused = vertx.close();
  }

  /** Streams that are read at once. */
  private static final class Run {

    private final CountDownLatch open;
    private final AtomicLong frames = new AtomicLong();
    private final AtomicLong failed = new AtomicLong();
    private final AtomicInteger samples = new AtomicInteger();
    private final long[] delays;

    Run(Load load) {
      open = new CountDownLatch(load.streams());
      delays = new long[(int) Math.min(MOST_SAMPLES, load.frames())];
    }

    void lost(Throwable failure) {
      failed.incrementAndGet();
      open.countDown();
    }

    void follow(HttpClientResponse answer) {
      if (answer.statusCode() != 200) {
        lost(new IllegalStateException("HTTP " + answer.statusCode()));
        return;
      }
      var held = new Buffer[] {Buffer.buffer()};
      answer.handler(bytes -> held[0] = read(held[0], bytes));
      answer.endHandler(end -> open.countDown());
      answer.exceptionHandler(this::lost);
    }

    private Buffer read(Buffer held, Buffer bytes) {
      var now = System.nanoTime();
      var all = held.length() == 0 ? bytes : held.appendBuffer(bytes);
      var from = 0;
      for (var i = 1; i < all.length(); i++) {
        if (all.getByte(i) == '\n' && all.getByte(i - 1) == '\n') {
          frame(all, from, i, now);
          from = i + 1;
        }
      }
      return from == all.length() ? Buffer.buffer() : all.getBuffer(from, all.length()).copy();
    }

    // A token is a number and a blank; what is last says the whole reply and is no token.
    private void frame(Buffer all, int from, int to, long now) {
      var at = find(all, from, to);
      if (at < 0) {
        return;
      }
      var written = 0L;
      var digits = at + TEXT.length;
      while (digits < to && all.getByte(digits) >= '0' && all.getByte(digits) <= '9') {
        written = written * 10 + all.getByte(digits++) - '0';
      }
      if (written == 0 || all.getByte(digits + 1) != '"') {
        return;
      }
      frames.incrementAndGet();
      var sample = samples.getAndIncrement();
      if (sample < delays.length) {
        delays[sample] = now - written;
      }
    }

    private static int find(Buffer all, int from, int to) {
      outer:
      for (var i = from; i + TEXT.length < to; i++) {
        for (var k = 0; k < TEXT.length; k++) {
          if (all.getByte(i + k) != TEXT[k]) {
            continue outer;
          }
        }
        return i;
      }
      return -1;
    }
  }
}
