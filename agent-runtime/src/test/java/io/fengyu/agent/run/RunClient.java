package io.fengyu.agent.run;

import static io.restassured.RestAssured.given;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.fengyu.contract.testing.PostgresResource;
import io.restassured.RestAssured;
import io.restassured.response.ValidatableResponse;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** What a client of the public API does with runs. JSON is written with single quotes. */
final class RunClient {

  private static final ObjectMapper JSON = new ObjectMapper();
  private static final HttpClient HTTP = HttpClient.newHttpClient();

  private final String token;

  private RunClient(String token) {
    this.token = token;
  }

  static RunClient alice() {
    return new RunClient(PostgresResource.ALICE_TOKEN);
  }

  static RunClient bob() {
    return new RunClient(PostgresResource.BOB_TOKEN);
  }

  /** A frame of the stream. */
  record Event(String type, JsonNode data) {}

  ValidatableResponse post(String path, String body) {
    var request = given().header("X-FengYu-Token", token).contentType("application/json");
    return (body.isEmpty() ? request : request.body(body.replace('\'', '"')))
        .post("/api/agent" + path)
        .then();
  }

  ValidatableResponse get(String path) {
    return given().header("X-FengYu-Token", token).get("/api/agent" + path).then();
  }

  /** Starts a run that has to be accepted. */
  String start(String body) {
    return post("/run", body).statusCode(200).extract().path("runId");
  }

  ValidatableResponse approve(String runId, String body) {
    return post("/" + runId + "/approve", body);
  }

  ValidatableResponse cancel(String runId) {
    return post("/" + runId + "/cancel", "");
  }

  ValidatableResponse detail(String runId) {
    return get("/runs/" + runId);
  }

  /** All events of a run, to its end. */
  List<Event> watch(String runId) {
    return read(runId, "");
  }

  List<String> types(String runId) {
    return watch(runId).stream().map(Event::type).toList();
  }

  /** The last event of a run, once it has ended. */
  Event end(String runId) {
    return watch(runId).getLast();
  }

  /** Waits for the newest gate, one with this number of gates before it. */
  JsonNode gate(String runId, int gatesBefore) {
    var gates = new ArrayList<Event>();
    for (var event : read(runId, "gate:" + gatesBefore)) {
      if (event.type().endsWith("approval_requested")) {
        gates.add(event);
      }
    }
    return gates.get(gatesBefore).data();
  }

  JsonNode gate(String runId) {
    return gate(runId, 0);
  }

  /** Waits for the first event of a type. */
  void awaitEvent(String runId, String type) {
    read(runId, type);
  }

  private List<Event> read(String runId, String until) {
    var uri =
        URI.create(
            RestAssured.baseURI + ":" + RestAssured.port + "/api/agent/stream?runId=" + runId);
    var request =
        HttpRequest.newBuilder(uri)
            .header("X-FengYu-Token", token)
            .timeout(Duration.ofSeconds(20))
            .build();
    try {
      var response = HTTP.send(request, HttpResponse.BodyHandlers.ofInputStream());
      try (var lines =
          new BufferedReader(new InputStreamReader(response.body(), StandardCharsets.UTF_8))) {
        return read(lines, until);
      }
    } catch (IOException e) {
      throw new AssertionError("stream of " + runId, e);
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  private static List<Event> read(BufferedReader lines, String until) throws IOException {
    var events = new ArrayList<Event>();
    var type = "";
    int gates = 0;
    for (var line = lines.readLine(); line != null; line = lines.readLine()) {
      if (line.startsWith("event: ")) {
        type = line.substring(7);
      } else if (line.startsWith("data: ")) {
        events.add(new Event(type, json(line.substring(6))));
        if (type.endsWith("approval_requested")
            && until.startsWith("gate:")
            && gates++ == Integer.parseInt(until.substring(5))) {
          return events;
        }
        if (type.equals(until)) {
          return events;
        }
      }
    }
    return events;
  }

  static JsonNode json(String text) throws JsonProcessingException {
    return JSON.readTree(text);
  }
}
