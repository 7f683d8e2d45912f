package io.fengyu.testing.model;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PushbackInputStream;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** One client's connection: reads requests by hand, so that answers may break every rule. */
final class Connection {

  private static final int LONGEST_BODY = 64 * 1024 * 1024;

  private final Socket socket;
  private final PushbackInputStream in;
  private final ModelServer server;

  Connection(Socket socket, ModelServer server) throws IOException {
    this.socket = socket;
    this.server = server;
    this.in = new PushbackInputStream(new BufferedInputStream(socket.getInputStream()), 1);
  }

  /** Serves requests until the client or an answer ends the connection. */
  void serve() throws IOException {
    var request = read();
    while (request != null) {
      server.record(request);
      if (!answer(request)) {
        return;
      }
      request = read();
    }
  }

  // The answer is written by a thread of its own; this one notices when the client goes.
  private boolean answer(RecordedRequest request) throws IOException {
    var exchange = new Exchange(request, socket.getOutputStream(), server);
    var writer = Thread.ofVirtual().name("scripted-answer").start(exchange);
    var next = firstByte();
    if (next < 0) {
      if (!exchange.complete()) {
        request.gone.complete(true);
      }
      writer.interrupt();
      return false;
    }
    in.unread(next);
    return join(writer) && exchange.keepsConnection();
  }

  private int firstByte() {
    try {
      return in.read();
    } catch (IOException reset) {
      return -1;
    }
  }

  private static boolean join(Thread writer) {
    try {
      writer.join();
      return true;
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  private @Nullable RecordedRequest read() throws IOException {
    var first = line();
    if (first == null || first.isEmpty()) {
      return null;
    }
    var words = first.split(" ", 3);
    var headers = headers();
    var body = body(headers);
    var text = new String(body, StandardCharsets.UTF_8);
    return new RecordedRequest(words[0], words[1], Map.copyOf(headers), text, json(text));
  }

  private Map<String, String> headers() throws IOException {
    var headers = new LinkedHashMap<String, String>();
    for (var line = line(); line != null && !line.isEmpty(); line = line()) {
      var colon = line.indexOf(':');
      headers.put(
          line.substring(0, colon).toLowerCase(Locale.ROOT), line.substring(colon + 1).strip());
    }
    return headers;
  }

  private byte[] body(Map<String, String> headers) throws IOException {
    if ("chunked".equalsIgnoreCase(headers.get("transfer-encoding"))) {
      return chunks();
    }
    var length = Integer.parseInt(headers.getOrDefault("content-length", "0"));
    if (length > LONGEST_BODY) {
      throw new IOException("Body of " + length + " bytes");
    }
    return in.readNBytes(length);
  }

  private byte[] chunks() throws IOException {
    var body = new ByteArrayOutputStream();
    for (var size = chunkSize(); size > 0; size = chunkSize()) {
      body.write(in.readNBytes(size));
      line();
    }
    line();
    return body.toByteArray();
  }

  private int chunkSize() throws IOException {
    var line = line();
    return line == null ? 0 : Integer.parseInt(line.split(";", 2)[0].strip(), 16);
  }

  private @Nullable String line() throws IOException {
    var bytes = new ByteArrayOutputStream();
    var next = in.read();
    if (next < 0) {
      return null;
    }
    while (next >= 0 && next != '\n') {
      if (next != '\r') {
        bytes.write(next);
      }
      next = in.read();
    }
    return bytes.toString(StandardCharsets.ISO_8859_1);
  }

  private static JsonNode json(String text) {
    try {
      return text.isBlank() ? MissingNode.getInstance() : Dialect.JSON.readTree(text);
    } catch (JsonProcessingException none) {
      return MissingNode.getInstance();
    }
  }
}
