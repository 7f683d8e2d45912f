package io.fengyu.bench.chat;

import io.vertx.core.Handler;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpClientRequest;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.core.http.PoolOptions;

/** The least that can be done with a model's stream: each frame is cut out and written anew. */
public final class Relay implements Handler<HttpServerRequest> {

  private static final int CONNECTIONS = 60_000;
  private static final String CONTENT = "\"content\":\"";

  private final HttpClient client;
  private final int model;

  private Relay(Vertx vertx, int model) {
    this.model = model;
    client =
        vertx.createHttpClient(
            new HttpClientOptions().setIdleTimeout(0),
            new PoolOptions().setHttp1MaxSize(CONNECTIONS).setMaxWaitQueueSize(-1));
  }

  /** Takes the port of the model, and runs until it is ended. */
  public static void main(String[] port) throws Exception {
    var model = Integer.parseInt(port[0]);
    Wire.serve(vertx -> new Relay(vertx, model));
  }

  @Override
  public void handle(HttpServerRequest request) {
    if ("/gc".equals(request.path())) {
      System.gc();
      request.response().end();
      return;
    }
    var response = request.response();
    response.putHeader("Content-Type", "text/event-stream").setChunked(true);
    client
        .request(HttpMethod.GET, model, Wire.HOST, request.uri())
        .compose(HttpClientRequest::send)
        .onFailure(failure -> response.end("event: error\ndata: {}\n\n"))
        .onSuccess(answer -> new Frames(answer, response).relay());
  }

  /** One stream. */
  private static final class Frames {

    private final HttpClientResponse in;
    private final HttpServerResponse out;
    private Buffer held = Buffer.buffer();

    Frames(HttpClientResponse in, HttpServerResponse out) {
      this.in = in;
      this.out = out;
    }

    void relay() {
      in.handler(this::read);
      in.endHandler(end -> out.end());
      in.exceptionHandler(cut -> out.reset());
      out.drainHandler(drained -> in.resume());
    }

    private void read(Buffer bytes) {
      var all = held.length() == 0 ? bytes : held.appendBuffer(bytes);
      var frames = Buffer.buffer(bytes.length());
      var from = 0;
      for (var i = 1; i < all.length(); i++) {
        if (all.getByte(i) == '\n' && all.getByte(i - 1) == '\n') {
          frame(frames, all.getString(from, i - 1));
          from = i + 1;
        }
      }
      held = from == all.length() ? Buffer.buffer() : all.getBuffer(from, all.length()).copy();
      if (frames.length() > 0) {
        out.write(frames);
        if (out.writeQueueFull()) {
          in.pause();
        }
      }
    }

    private static void frame(Buffer frames, String frame) {
      var at = frame.indexOf(CONTENT);
      if (at < 0) {
        return;
      }
      var from = at + CONTENT.length();
      frames
          .appendString("event: token\ndata: {\"text\":\"")
          .appendString(frame.substring(from, frame.indexOf('"', from)))
          .appendString("\"}\n\n");
    }
  }
}
