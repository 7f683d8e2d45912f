package io.fengyu.testing.model;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Writes the answer to one request, as its script says. */
final class Exchange implements Runnable {

  private static final byte[] CRLF = {'\r', '\n'};

  private final RecordedRequest request;
  private final OutputStream out;
  private final ModelServer server;
  private volatile boolean complete;
  private volatile boolean keepsConnection;

  Exchange(RecordedRequest request, OutputStream out, ModelServer server) {
    this.request = request;
    this.out = out;
    this.server = server;
  }

  /** True when every byte of the answer was written. */
  boolean complete() {
    return complete;
  }

  /** True when another request may follow on the connection. */
  boolean keepsConnection() {
    return keepsConnection;
  }

  @Override
  public void run() {
    try {
      keepsConnection = respond();
      complete = keepsConnection;
      if (!keepsConnection) {
        out.close();
      }
    } catch (IOException gone) {
      // Nobody reads any more; the recorded request tells.
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
    }
  }

  private boolean respond() throws IOException, InterruptedException {
    if (Control.wants(request)) {
      return whole(Control.answer(request, server), null);
    }
    var listing = Listing.answer(request, server.models());
    if (listing != null) {
      return whole(listing, null);
    }
    var dialect = Dialect.of(request);
    if (dialect == null) {
      return whole(Answer.body(404, "text/plain", "404 page not found"), null);
    }
    return scripted(server.answer(request), dialect);
  }

  private boolean scripted(Answer answer, Dialect dialect)
      throws IOException, InterruptedException {
    if (answer.status() == 0) {
      return silent(answer);
    }
    if (answer.body() != null) {
      return whole(answer, answer.body());
    }
    if (answer.status() != 200) {
      var failure = (Part.Failure) answer.parts().getFirst();
      return whole(answer.contentType("application/json"), utf8(dialect.failure(failure)));
    }
    if (!request.streamed()) {
      return whole(answer.contentType("application/json"), utf8(dialect.whole(answer.parts())));
    }
    return stream(answer, dialect);
  }

  private static boolean silent(Answer answer) throws InterruptedException {
    if (answer.parts().getFirst() instanceof Part.Hang) {
      untilInterrupted();
    }
    return false;
  }

  private boolean stream(Answer answer, Dialect dialect) throws IOException, InterruptedException {
    var type = answer.contentType() == null ? dialect.mediaType() : answer.contentType();
    head(answer, type, Map.of("transfer-encoding", "chunked", "cache-control", "no-cache"));
    var pieces = new Pieces(out, answer.pieceSize());
    pieces.add(dialect.opening());
    for (var part : answer.parts()) {
      pieces.add(dialect.frame(part));
      if (part instanceof Part.Cut) {
        pieces.flush();
        return false;
      }
      act(part, pieces);
    }
    if (answer.terminated()) {
      pieces.add(dialect.closing());
    }
    pieces.end();
    return true;
  }

  private static void act(Part part, Pieces pieces) throws IOException, InterruptedException {
    if (part instanceof Part.Reached reached) {
      pieces.flush();
      reached.signal().fire();
    }
    if (part instanceof Part.Await await) {
      pieces.flush();
      if (!await.signal().await()) {
        throw new IOException("Nobody fired the signal");
      }
    }
    if (part instanceof Part.Hang) {
      pieces.flush();
      untilInterrupted();
    }
  }

  private boolean whole(Answer answer, byte @Nullable [] generated) throws IOException {
    var body = generated == null ? answer.body() : generated;
    var bytes = body == null ? new byte[0] : body;
    head(
        answer,
        String.valueOf(answer.contentType()),
        Map.of("content-length", Integer.toString(bytes.length)));
    out.write(bytes);
    out.flush();
    return true;
  }

  private void head(Answer answer, String type, Map<String, String> more) throws IOException {
    var headers = new LinkedHashMap<String, String>();
    headers.put("content-type", type);
    headers.putAll(more);
    headers.putAll(answer.headers());
    var head = new StringBuilder("HTTP/1.1 " + answer.status() + " Scripted\r\n");
    headers.forEach((name, value) -> head.append(name + ": " + value + "\r\n"));
    out.write(head.toString().getBytes(StandardCharsets.ISO_8859_1));
    out.write(CRLF);
    out.flush();
  }

  private static byte[] utf8(Object json) {
    return json.toString().getBytes(StandardCharsets.UTF_8);
  }

  private static void untilInterrupted() throws InterruptedException {
    while (true) {
      Thread.sleep(60_000);
    }
  }
}
