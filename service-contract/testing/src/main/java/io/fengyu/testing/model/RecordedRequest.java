package io.fengyu.testing.model;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/** What a client sent. */
public final class RecordedRequest {

  private final String method;
  private final String path;
  private final Map<String, String> headers;
  private final String text;
  private final JsonNode json;
  final CompletableFuture<Boolean> gone = new CompletableFuture<>();

  RecordedRequest(
      String method, String path, Map<String, String> headers, String text, JsonNode json) {
    this.method = method;
    this.path = path;
    this.headers = headers;
    this.text = text;
    this.json = json;
  }

  /** GET, POST. */
  public String method() {
    return method;
  }

  /** With its query. */
  public String path() {
    return path;
  }

  /** By any spelling of its name; null when it was not sent. */
  public @Nullable String header(String name) {
    return headers.get(name.toLowerCase(Locale.ROOT));
  }

  /** All of them, names in lower case. */
  public Map<String, String> headers() {
    return headers;
  }

  /** The body as it came. */
  public String text() {
    return text;
  }

  /** The body as JSON; a missing node when it was empty or no JSON. */
  public JsonNode json() {
    return json;
  }

  /** Waits until the client has closed the connection; fails when it does not. */
  public void awaitClosed() {
    try {
      gone.get(20, TimeUnit.SECONDS);
    } catch (TimeoutException open) {
      throw new AssertionError("The client keeps the connection of " + path + " open", open);
    } catch (ExecutionException failed) {
      throw new AssertionError(failed);
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      throw new AssertionError(interrupted);
    }
  }

  /** True when the client has closed the connection before the answer was complete. */
  public boolean closed() {
    return gone.isDone();
  }

  boolean streamed() {
    return !json.has("stream") ? path.startsWith("/api/") : json.get("stream").asBoolean();
  }

  String model() {
    return json instanceof ObjectNode body ? body.path("model").asText("scripted") : "scripted";
  }
}
