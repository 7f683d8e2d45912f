package io.fengyu.bench.chat;

import io.vertx.core.Handler;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;

/**
 * A model in OpenAI's words whose tokens tell when they were written. How many, and how fast, is in
 * the model's name, {@code n-ms}, or in the query. Stands for agent-runtime too, with no tools.
 */
public final class Model implements Handler<HttpServerRequest> {

  private static final String END =
      """
      data: {"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}

      data: [DONE]

      """;

  private final Vertx vertx;

  private Model(Vertx vertx) {
    this.vertx = vertx;
  }

  /** Runs until it is ended. */
  public static void main(String[] none) throws Exception {
    Wire.serve(Model::new);
  }

  @Override
  public void handle(HttpServerRequest request) {
    switch (String.valueOf(request.path())) {
      case "/internal/tools/catalog" -> request.response().end("[]");
      case "/api/settings" -> request.response().end("{}");
      case "/tok" ->
          answer(
              request.response(), Wire.number(request, "n", 100), Wire.number(request, "ms", 10));
      default -> request.body().onSuccess(body -> named(request.response(), body));
    }
  }

  private void named(HttpServerResponse response, Buffer body) {
    var name = body.toJsonObject().getString("model", "100-10").split("-", -1);
    answer(response, Integer.parseInt(name[0]), Integer.parseInt(name[1]));
  }

  private void answer(HttpServerResponse response, int tokens, int everyMs) {
    response.putHeader("Content-Type", "text/event-stream").setChunked(true);
    if (everyMs == 0) {
      new FlatOut(response, tokens).go();
    } else {
      paced(response, tokens, everyMs);
    }
  }

  private void paced(HttpServerResponse response, int tokens, int everyMs) {
    var left = new int[] {tokens};
    vertx.setPeriodic(
        everyMs,
        timer -> {
          if (response.closed() || response.ended()) {
            vertx.cancelTimer(timer);
          } else if (left[0]-- > 0) {
            response.write(token());
          } else {
            vertx.cancelTimer(timer);
            response.end(END);
          }
        });
  }

  private static Buffer token() {
    return Buffer.buffer(
        "data: {\"id\":\"c1\",\"object\":\"chat.completion.chunk\",\"choices\":[{\"index\":0,"
            + "\"delta\":{\"content\":\""
            + System.nanoTime()
            + " \"}}]}\n\n");
  }

  /** As fast as the socket takes it. */
  private static final class FlatOut {

    private final HttpServerResponse response;
    private int left;

    FlatOut(HttpServerResponse response, int tokens) {
      this.response = response;
      this.left = tokens;
      response.drainHandler(drained -> go());
    }

    void go() {
      while (left > 0 && !response.closed()) {
        if (response.writeQueueFull()) {
          return;
        }
        response.write(token());
        left--;
      }
      if (left == 0 && !response.ended()) {
        response.end(END);
      }
    }
  }
}
