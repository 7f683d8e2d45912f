package io.fengyu.chat.model;

import static io.restassured.RestAssured.given;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fengyu.contract.testing.PostgresResource;
import io.fengyu.testing.model.ModelServer;
import io.restassured.RestAssured;
import io.restassured.http.ContentType;
import io.restassured.response.ValidatableResponse;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.stream.Collectors;

/** One owner, a scripted provider, and the service between them. */
public final class ModelWorld {

  static final ObjectMapper JSON = new ObjectMapper();
  private static final HttpClient HTTP = HttpClient.newHttpClient();

  private final String owner = "owner-" + UUID.randomUUID();
  private final ModelServer provider;

  ModelWorld(ModelServer provider) {
    this.provider = provider;
  }

  String owner() {
    return owner;
  }

  /** Makes the scripted provider the owner's back end of this mode. */
  ModelWorld using(String mode) {
    var url = provider.address().toString();
    put("""
        {"mode":"%s","%s":{"baseUrl":"%s","model":"scripted","apiKey":"%s"}}"""
            .formatted(mode, mode, url, key(mode)))
        .statusCode(200);
    return this;
  }

  static String key(String mode) {
    return "sk-" + mode + "-secret-0123456789abcdef";
  }

  ValidatableResponse put(String body) {
    return as().body(body).put("/api/ai/config").then();
  }

  ObjectNode config() {
    return (ObjectNode)
        tree(as().get("/api/ai/config").then().statusCode(200).extract().asString());
  }

  io.restassured.specification.RequestSpecification as() {
    return given()
        .contentType(ContentType.JSON)
        .header("X-Internal-Secret", PostgresResource.INTERNAL_SECRET)
        .header("X-User-ID", owner);
  }

  /** Asks and reads everything; beats are left out. */
  List<JsonNode> ask(String question) {
    try (var stream = open(question)) {
      return stream.rest();
    }
  }

  Stream open(String question) {
    return openBody("{\"messages\":[{\"role\":\"user\",\"content\":\"" + question + "\"}]}");
  }

  Stream openBody(String body) {
    var request =
        HttpRequest.newBuilder(
                URI.create("http://localhost:" + RestAssured.port + "/internal/model/stream"))
            .timeout(Duration.ofSeconds(30))
            .header("Content-Type", "application/json")
            .header("X-Internal-Secret", PostgresResource.INTERNAL_SECRET)
            .header("X-User-ID", owner)
            .POST(HttpRequest.BodyPublishers.ofString(body))
            .build();
    try {
      return new Stream(HTTP.send(request, HttpResponse.BodyHandlers.ofInputStream()));
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      throw new AssertionError(interrupted);
    }
  }

  static String joined(List<JsonNode> events, String type, String member) {
    return events.stream()
        .filter(event -> event.path("type").asText().equals(type))
        .map(event -> event.path(member).asText())
        .collect(Collectors.joining());
  }

  static List<String> types(List<JsonNode> events) {
    return events.stream().map(event -> event.path("type").asText()).toList();
  }

  static JsonNode tree(String text) {
    try {
      return JSON.readTree(text);
    } catch (IOException broken) {
      throw new UncheckedIOException(broken);
    }
  }

  /** An open answer of the service. */
  static final class Stream implements AutoCloseable {

    private final HttpResponse<InputStream> response;
    private final BufferedReader lines;

    Stream(HttpResponse<InputStream> response) {
      this.response = response;
      lines = new BufferedReader(new InputStreamReader(response.body(), StandardCharsets.UTF_8));
    }

    int status() {
      return response.statusCode();
    }

    String header(String name) {
      return response.headers().firstValue(name).orElse("");
    }

    JsonNode problem() {
      try {
        return tree(lines.lines().collect(Collectors.joining("\n")));
      } finally {
        close();
      }
    }

    /** The next event that is no beat; a missing node at the end. */
    JsonNode next() {
      var event = nextOrBeat();
      while (event.path("type").asText().equals("heartbeat")) {
        event = nextOrBeat();
      }
      return event;
    }

    JsonNode nextOrBeat() {
      try {
        var line = lines.readLine();
        while (line != null && line.isBlank()) {
          line = lines.readLine();
        }
        return line == null ? JSON.missingNode() : tree(line);
      } catch (IOException cut) {
        throw new UncheckedIOException(cut);
      }
    }

    List<JsonNode> rest() {
      var events = new ArrayList<JsonNode>();
      for (var event = next(); !event.isMissingNode(); event = next()) {
        events.add(event);
      }
      return events;
    }

    @Override
    public void close() {
      try {
        response.body().close();
      } catch (IOException gone) {
        throw new UncheckedIOException(gone);
      }
    }
  }
}
