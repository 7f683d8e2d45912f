package io.fengyu.agent.journal;

import io.restassured.RestAssured;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** A client of the event stream. */
final class Watcher implements AutoCloseable {

  private static final HttpClient HTTP = HttpClient.newHttpClient();

  /** One frame; a comment has neither id nor event. */
  record Frame(@Nullable String id, @Nullable String event, String data) {

    long seq() {
      return Long.parseLong(String.valueOf(id));
    }
  }

  private final HttpResponse<InputStream> response;
  private final BufferedReader lines;

  private Watcher(HttpResponse<InputStream> response) {
    this.response = response;
    this.lines = new BufferedReader(new InputStreamReader(response.body(), StandardCharsets.UTF_8));
    // A frame that never comes fails the story that waits for it.
    CompletableFuture.delayedExecutor(60, TimeUnit.SECONDS).execute(this::close);
  }

  static Watcher open(UUID runId, String token, @Nullable Long lastEventId) {
    return open("runId=" + runId, token, lastEventId == null ? null : lastEventId.toString());
  }

  static Watcher open(String query, String token, @Nullable String lastEventId) {
    var request =
        HttpRequest.newBuilder(
                URI.create("http://localhost:" + RestAssured.port + "/api/agent/stream?" + query))
            .header("X-FengYu-Token", token)
            .header("Accept", "text/event-stream")
            .timeout(Duration.ofSeconds(20));
    if (lastEventId != null) {
      request.header("Last-Event-ID", lastEventId);
    }
    try {
      return new Watcher(HTTP.send(request.build(), HttpResponse.BodyHandlers.ofInputStream()));
    } catch (IOException failed) {
      throw new IllegalStateException(failed);
    } catch (InterruptedException interrupted) {
      throw new IllegalStateException(interrupted);
    }
  }

  int status() {
    return response.statusCode();
  }

  String contentType() {
    return response.headers().firstValue("Content-Type").orElse("");
  }

  /** The next frame or comment; null at the end of the stream. */
  @Nullable Frame next() {
    try {
      String id = null;
      String event = null;
      var data = "";
      for (var line = lines.readLine(); line != null; line = lines.readLine()) {
        if (line.isEmpty()) {
          return new Frame(id, event, data);
        } else if (line.startsWith("id: ")) {
          id = line.substring(4);
        } else if (line.startsWith("event: ")) {
          event = line.substring(7);
        } else if (line.startsWith("data: ")) {
          data = line.substring(6);
        } else {
          data = line;
        }
      }
      return null;
    } catch (IOException broken) {
      return null;
    }
  }

  /** The next frames that are events. */
  List<Frame> events(int count) {
    var events = new ArrayList<Frame>();
    while (events.size() < count) {
      var frame = next();
      if (frame == null) {
        return events;
      }
      if (frame.event() != null) {
        events.add(frame);
      }
    }
    return events;
  }

  List<Frame> rest() {
    return events(Integer.MAX_VALUE);
  }

  @Override
  public void close() {
    try {
      response.body().close();
    } catch (IOException closed) {
      throw new IllegalStateException(closed);
    }
  }
}
