package io.fengyu.agent.run;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.restassured.RestAssured;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** A client that watches an inbox until it is closed. */
public final class InboxReader implements AutoCloseable {

  private static final ObjectMapper JSON = new ObjectMapper();
  private static final HttpClient HTTP = HttpClient.newHttpClient();

  /** A frame; its id is empty for frames without. */
  public record Frame(String id, String type, JsonNode data) {

    public String gate() {
      return data.path("gateId").asText();
    }
  }

  private final BlockingQueue<Frame> frames = new LinkedBlockingQueue<>();
  private final HttpResponse<java.io.InputStream> response;

  private InboxReader(HttpResponse<java.io.InputStream> response) {
    this.response = response;
    Thread.ofVirtual().start(this::read);
  }

  public static InboxReader open(String token, @Nullable String cursor) {
    return open(
        RestAssured.baseURI + ":" + RestAssured.port + "/api/agent/approvals/stream",
        token,
        cursor);
  }

  public static InboxReader open(String url, String token, @Nullable String cursor) {
    var request = HttpRequest.newBuilder(URI.create(url));
    if (!token.isEmpty()) {
      request.header("X-FengYu-Token", token);
    }
    if (cursor != null) {
      request.header("Last-Event-ID", cursor);
    }
    try {
      return new InboxReader(HTTP.send(request.build(), HttpResponse.BodyHandlers.ofInputStream()));
    } catch (IOException failed) {
      throw new AssertionError(failed);
    } catch (InterruptedException interrupted) {
      throw new AssertionError(interrupted);
    }
  }

  public int status() {
    return response.statusCode();
  }

  public Frame next() {
    try {
      var frame = frames.poll(10, TimeUnit.SECONDS);
      if (frame == null) {
        throw new AssertionError("nothing comes");
      }
      return frame;
    } catch (InterruptedException interrupted) {
      throw new AssertionError(interrupted);
    }
  }

  /** Passes over others. */
  public Frame next(Predicate<Frame> wanted) {
    while (true) {
      var frame = next();
      if (wanted.test(frame)) {
        return frame;
      }
    }
  }

  public Frame next(String type, String gate) {
    return next(frame -> frame.type().equals(type) && frame.gate().equals(gate));
  }

  private void read() {
    try (var lines =
        new BufferedReader(new InputStreamReader(response.body(), StandardCharsets.UTF_8))) {
      String id = "";
      String type = "";
      for (var line = lines.readLine(); line != null; line = lines.readLine()) {
        if (line.startsWith("id: ")) {
          id = line.substring(4);
        } else if (line.startsWith("event: ")) {
          type = line.substring(7);
        } else if (line.startsWith("data: ")) {
          frames.add(new Frame(id, type, json(line.substring(6))));
          id = "";
        }
      }
    } catch (IOException closed) {
      frames.clear();
    }
  }

  private static JsonNode json(String text) throws JsonProcessingException {
    return JSON.readTree(text);
  }

  @Override
  public void close() {
    try {
      response.body().close();
    } catch (IOException gone) {
      throw new AssertionError(gone);
    }
  }
}
