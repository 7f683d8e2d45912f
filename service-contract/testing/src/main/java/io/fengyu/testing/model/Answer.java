package io.fengyu.testing.model;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What the scripted model answers to one request, said without a provider in mind; the path of the
 * request decides in which protocol it is written.
 */
public final class Answer {

  private final List<Part> parts = new ArrayList<>();
  private final Map<String, String> headers = new LinkedHashMap<>();
  private int status = 200;
  private int pieceSize = Integer.MAX_VALUE;
  private boolean terminated = true;
  private boolean lengthDeclared;
  private @Nullable String contentType;
  private byte @Nullable [] body;

  private Answer() {}

  /** A streamed answer; add its parts. */
  public static Answer stream() {
    return new Answer();
  }

  /** The usual: some text, usage, an orderly end. */
  public static Answer saying(String... deltas) {
    return stream().text(deltas).usage(11, deltas.length).finish("stop");
  }

  /** One tool call with its arguments in fragments, and an orderly end. */
  public static Answer calling(String id, String name, String... fragments) {
    return stream().toolCall(0, id, name, fragments).usage(17, 5).finish("tool_calls");
  }

  /** An HTTP failure in the provider's own error shape. */
  public static Answer failing(int status, String type, String message) {
    var answer = new Answer();
    answer.status = status;
    return answer.fail(type, message);
  }

  /** A whole body, written as it is. */
  public static Answer body(int status, String contentType, String body) {
    var answer = new Answer().contentType(contentType);
    answer.status = status;
    answer.body = body.getBytes(StandardCharsets.UTF_8);
    return answer;
  }

  /** Accepts the request and never answers. */
  public static Answer silence() {
    var answer = new Answer();
    answer.status = 0;
    return answer.hang();
  }

  /** Accepts the request and closes the connection without a word. */
  public static Answer hangUp() {
    var answer = new Answer();
    answer.status = 0;
    return answer.cut();
  }

  /** Each argument is one fragment on the wire. */
  public Answer text(String... deltas) {
    for (var delta : deltas) {
      parts.add(new Part.Text(delta));
    }
    return this;
  }

  /** Each argument is one fragment on the wire. */
  public Answer thinking(String... deltas) {
    for (var delta : deltas) {
      parts.add(new Part.Thinking(delta));
    }
    return this;
  }

  /** Signs the thinking before it. */
  public Answer signature(String signature) {
    parts.add(new Part.Signature(signature));
    return this;
  }

  /** Thinking that only the provider can read. */
  public Answer redactedThinking(String data) {
    parts.add(new Part.RedactedThinking(data));
    return this;
  }

  /** A whole call: its start, then its arguments in fragments. */
  public Answer toolCall(int index, String id, String name, String... fragments) {
    toolFragment(index, id, name, "");
    for (var fragment : fragments) {
      toolFragment(index, null, null, fragment);
    }
    return this;
  }

  /** A piece of a call, with whatever members the provider in mind would send. */
  public Answer toolFragment(
      @Nullable Integer index,
      @Nullable String id,
      @Nullable String name,
      @Nullable String arguments) {
    parts.add(new Part.ToolFragment(index, id, name, arguments));
    return this;
  }

  /** Token counts, at this place of the stream. */
  public Answer usage(long input, long output) {
    parts.add(new Part.Usage(input, output));
    return this;
  }

  /** {@code stop}, {@code tool_calls}, {@code length} or {@code content_filter}. */
  public Answer finish(String reason) {
    parts.add(new Part.Finish(reason));
    return this;
  }

  /** An error object at this place. */
  public Answer fail(String type, String message) {
    parts.add(new Part.Failure(type, message));
    return this;
  }

  /** A comment or ping. */
  public Answer keepAlive() {
    parts.add(new Part.KeepAlive());
    return this;
  }

  /** These characters, unchanged. */
  public Answer raw(String text) {
    parts.add(new Part.Raw(text));
    return this;
  }

  /** Fires when everything before it was handed to the network. */
  public Answer reached(Signal signal) {
    parts.add(new Part.Reached(signal));
    return this;
  }

  /** Waits here. */
  public Answer await(Signal signal) {
    parts.add(new Part.Await(signal));
    return this;
  }

  /** Closes the connection here. */
  public Answer cut() {
    parts.add(new Part.Cut());
    return this;
  }

  /** Falls silent here. */
  public Answer hang() {
    parts.add(new Part.Hang());
    return this;
  }

  /** Every HTTP chunk holds so many bytes, wherever that cuts. */
  public Answer inPieces(int bytes) {
    pieceSize = bytes;
    return this;
  }

  /** Leaves out the provider's end mark ({@code [DONE]}, {@code message_stop}). */
  public Answer unterminated() {
    terminated = false;
    return this;
  }

  /** Another media type than the protocol's. */
  public Answer contentType(String type) {
    contentType = type;
    return this;
  }

  /** Another header. */
  public Answer header(String name, String value) {
    headers.put(name, value);
    return this;
  }

  /** Declares the body's length instead of sending it in chunks. */
  public Answer withLength() {
    lengthDeclared = true;
    return this;
  }

  List<Part> parts() {
    return parts;
  }

  Map<String, String> headers() {
    return headers;
  }

  /** 0 when not even a status line is sent. */
  int status() {
    return status;
  }

  int pieceSize() {
    return pieceSize;
  }

  boolean terminated() {
    return terminated;
  }

  boolean lengthDeclared() {
    return lengthDeclared;
  }

  @Nullable String contentType() {
    return contentType;
  }

  byte @Nullable [] body() {
    return body;
  }
}
