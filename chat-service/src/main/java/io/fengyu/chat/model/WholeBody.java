package io.fengyu.chat.model;

import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClientResponse;
import java.nio.charset.StandardCharsets;
import java.util.function.Consumer;

/** Reads a whole answer, as far as its bound; of a refusal as much as a person would. */
final class WholeBody {

  private static final int ENOUGH = 16 * 1024;

  private final HttpClientResponse response;
  private final int longest;
  private final Consumer<String> then;
  private final Buffer body = Buffer.buffer();
  private boolean done;

  WholeBody(HttpClientResponse response, Consumer<String> then) {
    this(response, ENOUGH, then);
  }

  WholeBody(HttpClientResponse response, int longest, Consumer<String> then) {
    this.response = response;
    this.longest = longest;
    this.then = then;
  }

  void read() {
    response.handler(this::more);
    response.endHandler(unused -> enough());
    response.exceptionHandler(unused -> enough());
    response.resume();
  }

  private void more(Buffer bytes) {
    body.appendBuffer(bytes);
    if (body.length() > longest) {
      enough();
    }
  }

  private void enough() {
    if (!done) {
      done = true;
      then.accept(body.toString(StandardCharsets.UTF_8));
    }
  }
}
