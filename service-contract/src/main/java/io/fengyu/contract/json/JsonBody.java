package io.fengyu.contract.json;

import io.fengyu.contract.net.BodyLimits;
import io.fengyu.contract.problem.Problem;
import io.fengyu.contract.problem.ProblemException;
import io.quarkus.vertx.http.runtime.CurrentVertxRequest;
import io.vertx.ext.web.RoutingContext;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.ext.Provider;
import jakarta.ws.rs.ext.ReaderInterceptor;
import jakarta.ws.rs.ext.ReaderInterceptorContext;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;

/**
 * Refuses bodies that are too long and JSON nested deeper than 64, while they are read. Only in
 * requests: what is stored wraps JSON into a few levels more.
 */
@Provider
class JsonBody implements ReaderInterceptor {

  static final int DEEPEST = 64;
  private static final long PATIENCE_MS = 2_000;

  private final CurrentVertxRequest request;

  JsonBody(CurrentVertxRequest request) {
    this.request = request;
  }

  @Override
  public Object aroundReadFrom(ReaderInterceptorContext context) throws IOException {
    var deepest = isJson(context.getMediaType()) ? DEEPEST : Integer.MAX_VALUE;
    context.setInputStream(new Counting(context.getInputStream(), limit(), deepest, this::hangUp));
    return context.proceed();
  }

  private void hangUp() {
    var current = request.getCurrent();
    if (current != null && !current.request().isEnded()) {
      current.response().putHeader("Connection", "close");
      current.addEndHandler(answered -> close(current));
    }
  }

  // The rest of the body would be taken for the next request. It is thrown away for a while:
  // closing at once would reset the connection and could take the answer with it.
  private static void close(RoutingContext answered) {
    var body = answered.request();
    var connection = body.connection();
    if (body.isEnded()) {
      connection.close();
      return;
    }
    answered.vertx().setTimer(PATIENCE_MS, late -> connection.close());
    body.handler(piece -> {});
    body.exceptionHandler(gone -> {});
    body.endHandler(ended -> connection.close());
    body.resume();
  }

  private long limit() {
    var current = request.getCurrent();
    var limit = current == null ? null : current.<Long>get(BodyLimits.KEY);
    return limit == null ? Long.MAX_VALUE : limit;
  }

  private static boolean isJson(MediaType type) {
    return type != null
        && (type.getSubtype().equals("json") || type.getSubtype().endsWith("+json"));
  }

  /** Counts brackets outside strings; every other byte of UTF-8 is of no interest. */
  static final class Counting extends FilterInputStream {

    private final long limit;
    private final int deepest;
    private final Runnable hangUp;
    private boolean refused;
    private long length;
    private int depth;
    private boolean inText;
    private boolean escaped;

    Counting(InputStream in, long limit, int deepest, Runnable hangUp) {
      super(in);
      this.limit = limit;
      this.deepest = deepest;
      this.hangUp = hangUp;
    }

    @Override
    public int read() throws IOException {
      var next = super.read();
      if (next >= 0) {
        count(1);
        look(next);
      }
      return next;
    }

    @Override
    public int read(byte[] into, int offset, int length) throws IOException {
      var count = super.read(into, offset, length);
      count(count);
      for (var i = offset; i < offset + count; i++) {
        look(into[i]);
      }
      return count;
    }

    private void count(int more) {
      length += Math.max(0, more);
      if (length > limit) {
        throw refusal(Problem.of(413, "BODY_TOO_LARGE").with("maxBytes", limit));
      }
    }

    private ProblemException refusal(Problem problem) {
      refused = true;
      hangUp.run();
      return problem.asFailure();
    }

    /** Would wait for the rest of the body, which nobody wants any more. */
    @Override
    public void close() throws IOException {
      if (!refused) {
        super.close();
      }
    }

    private void look(int next) {
      if (escaped) {
        escaped = false;
      } else if (inText) {
        escaped = next == '\\';
        inText = next != '"';
      } else if (next == '"') {
        inText = true;
      } else if (next == '{' || next == '[') {
        deeper();
      } else if (next == '}' || next == ']') {
        depth--;
      }
    }

    private void deeper() {
      depth++;
      if (depth > deepest) {
        throw refusal(Problem.of(413, "JSON_TOO_DEEP").with("max", DEEPEST));
      }
    }
  }
}
