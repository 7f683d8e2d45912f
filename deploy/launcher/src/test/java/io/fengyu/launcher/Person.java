package io.fengyu.launcher;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** Somebody who works with the system over HTTP, as a client outside would. */
final class Person {

  private static final ObjectMapper JSON = new ObjectMapper();
  private static final HttpClient HTTP = HttpClient.newHttpClient();
  private static final Duration SOON = Duration.ofSeconds(60);

  /** An answer: its status and its document; a missing node when it has none. */
  record Reply(int status, JsonNode body) {

    String text(String member) {
      return body.path(member).asText();
    }
  }

  /** A frame of the event stream. */
  record Event(String type, JsonNode data) {}

  private final String address;
  private final String token;

  private Person(int port, String token) {
    this.address = "http://127.0.0.1:" + port;
    this.token = token;
  }

  static Person at(int port, RunningSystem system) throws IOException {
    return new Person(port, system.token());
  }

  /** Single quotes stand for double ones. */
  Reply post(String path, String body) {
    return send(request(path).POST(BodyPublishers.ofString(body.replace('\'', '"'))));
  }

  Reply put(String path, String body) {
    return send(request(path).PUT(BodyPublishers.ofString(body.replace('\'', '"'))));
  }

  Reply delete(String path) {
    return send(request(path).DELETE());
  }

  Reply get(String path) {
    return send(request(path));
  }

  /** Starts a run and gives its id. */
  String start(String body) {
    var reply = post("/api/agent/run", body);
    assertThat(reply.status()).as("%s", reply).isEqualTo(200);
    return reply.text("runId");
  }

  JsonNode detail(String run) {
    return get("/api/agent/runs/" + run).body();
  }

  /** Waits until the run has one of these states, however often the service is away meanwhile. */
  JsonNode awaits(String run, String... states) {
    var wanted = Set.of(states);
    return await("run " + run + " is " + wanted)
        .atMost(SOON)
        .ignoreExceptions()
        .until(() -> detail(run), detail -> wanted.contains(detail.path("status").asText()));
  }

  /** The event that is last when it comes, and all before it. */
  List<Event> watchUntil(String run, String type) {
    var events = new ArrayList<Event>();
    var request = request("/api/agent/stream?runId=" + run).timeout(SOON).build();
    try (var lines = HTTP.send(request, BodyHandlers.ofInputStream()).body()) {
      var reader = new java.io.BufferedReader(new java.io.InputStreamReader(lines, UTF_8));
      var name = "";
      for (var line = reader.readLine(); line != null; line = reader.readLine()) {
        if (line.startsWith("event: ")) {
          name = line.substring(7);
        } else if (line.startsWith("data: ")) {
          events.add(new Event(name, JSON.readTree(line.substring(6))));
          if (name.equals(type)) {
            return events;
          }
        }
      }
      return events;
    } catch (IOException broken) {
      throw new UncheckedIOException(broken);
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      throw new AssertionError(interrupted);
    }
  }

  /** All stored events of a run. */
  List<String> stored(String run) {
    var types = new ArrayList<String>();
    get("/api/agent/runs/" + run + "/events?after_seq=-1&limit=500")
        .body()
        .path("events")
        .forEach(event -> types.add(event.path("type").asText()));
    return types;
  }

  private HttpRequest.Builder request(String path) {
    return HttpRequest.newBuilder(URI.create(address + path))
        .timeout(Duration.ofSeconds(30))
        .header("Content-Type", "application/json")
        .header("X-FengYu-Token", token);
  }

  private static Reply send(HttpRequest.Builder request) {
    try {
      var answer = HTTP.send(request.build(), BodyHandlers.ofString());
      return new Reply(answer.statusCode(), JSON.readTree(answer.body()));
    } catch (IOException broken) {
      throw new UncheckedIOException(broken);
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      throw new AssertionError(interrupted);
    }
  }
}
