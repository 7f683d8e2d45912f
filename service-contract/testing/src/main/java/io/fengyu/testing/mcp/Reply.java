package io.fengyu.testing.mcp;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Map;

/** Writes the answer to one request, byte by byte if need be. */
public final class Reply {

  private static final JsonNodeFactory JSON = JsonNodeFactory.instance;

  private final Request request;
  private final OutputStream out;

  Reply(Request request, OutputStream out) {
    this.request = request;
    this.out = out;
  }

  /** A tool's result that is a text. */
  public void text(String text) throws IOException {
    result(content(text));
  }

  /** The same with a mark that the tool failed. */
  public void error(String text) throws IOException {
    result(content(text).put("isError", true));
  }

  private static ObjectNode content(String text) {
    var result = JSON.objectNode();
    result.putArray("content").addObject().put("type", "text").put("text", text);
    return result;
  }

  /** Answers with JSON. */
  public void result(ObjectNode result) throws IOException {
    respond(200, Map.of("content-type", "application/json"), message(result).toString());
  }

  /** Answers with one event in a stream. */
  public void event(ObjectNode result) throws IOException {
    respond(
        200,
        Map.of("content-type", "text/event-stream"),
        "event: message\ndata: " + message(result) + "\n\n");
  }

  /** The message that answers the request. */
  public ObjectNode message(ObjectNode result) {
    var message = JSON.objectNode().put("jsonrpc", "2.0");
    JsonNode id = request.body().path("id");
    message.set("id", id);
    message.set("result", result);
    return message;
  }

  /** Answers with anything. */
  public void respond(int status, Map<String, String> headers, String body) throws IOException {
    var bytes = body.getBytes(StandardCharsets.UTF_8);
    head(status, headers, bytes.length);
    raw(bytes);
  }

  /** Begins an answer whose body is written by hand. */
  public void head(int status, Map<String, String> headers, long length) throws IOException {
    var head = new StringBuilder("HTTP/1.1 " + status + " Scripted\r\n");
    headers.forEach((name, value) -> head.append(name + ": " + value + "\r\n"));
    raw((head + "content-length: " + length + "\r\n\r\n").getBytes(StandardCharsets.ISO_8859_1));
  }

  /** Writes bytes as they are. */
  public void raw(byte[] bytes) throws IOException {
    out.write(bytes);
    out.flush();
  }

  /** Writes a text of that many bytes as a tool's result, never holding it. */
  public void flood(long bytes) throws IOException {
    var before =
        "{\"jsonrpc\":\"2.0\",\"id\":"
            + request.body().path("id")
            + ",\"result\":{\"content\":[{\"type\":\"text\",\"text\":\"";
    var after = "\"}]}}";
    head(200, Map.of("content-type", "application/json"), bytes + before.length() + after.length());
    raw(before.getBytes(StandardCharsets.UTF_8));
    var piece = new byte[64 * 1024];
    Arrays.fill(piece, (byte) 'x');
    for (long left = bytes; left > 0; left -= piece.length) {
      out.write(piece, 0, (int) Math.min(left, piece.length));
    }
    raw(after.getBytes(StandardCharsets.UTF_8));
  }
}
