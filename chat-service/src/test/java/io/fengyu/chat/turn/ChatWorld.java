package io.fengyu.chat.turn;

import static io.restassured.RestAssured.given;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fengyu.contract.testing.PostgresResource;
import io.fengyu.contract.testing.PostgresServer;
import io.fengyu.testing.model.ModelServer;
import io.restassured.RestAssured;
import io.restassured.http.ContentType;
import io.restassured.response.Response;
import io.restassured.specification.RequestSpecification;
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
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.stream.Collectors;

/** One owner who talks to a scripted model through the service. */
final class ChatWorld {

  private static final HttpClient HTTP = HttpClient.newHttpClient();
  private static boolean conversations;

  private final String owner = "owner-" + UUID.randomUUID();
  private final ModelServer provider;

  ChatWorld(ModelServer provider) {
    this.provider = provider;
  }

  String owner() {
    return owner;
  }

  /** Makes the scripted provider the owner's back end of this mode. */
  ChatWorld using(String mode) {
    return configured(
        """
        {"mode":"%s","%s":{"baseUrl":"%s","model":"scripted","apiKey":"sk-0123456789abcdef"}}"""
            .formatted(mode, mode, provider.address()));
  }

  ChatWorld configured(String body) {
    as().body(body).put("/api/ai/config").then().statusCode(200);
    return this;
  }

  RequestSpecification as() {
    return given()
        .contentType(ContentType.JSON)
        .header("X-Internal-Secret", PostgresResource.INTERNAL_SECRET)
        .header("X-User-ID", owner);
  }

  static ObjectNode message(String text) {
    var body = ToolStandIn.JSON.createObjectNode();
    body.putArray("messages").addObject().put("role", "user").put("content", text);
    return body;
  }

  static ArrayNode messages(ObjectNode body) {
    return (ArrayNode) body.get("messages");
  }

  Response post(ObjectNode body) {
    return as().body(body.toString()).post("/api/ai/chat");
  }

  String start(ObjectNode body) {
    return post(body).then().statusCode(200).extract().path("streamId");
  }

  String start(String text) {
    return start(message(text));
  }

  /** Starts a turn and reads it to its end. */
  List<Frame> ask(String text) {
    return read(start(text));
  }

  List<Frame> read(String streamId) {
    try (var stream = open(streamId, null)) {
      return stream.rest();
    }
  }

  Stream open(String streamId, @org.jspecify.annotations.Nullable String lastEventId) {
    return open("?streamId=" + streamId, lastEventId, true);
  }

  Stream open(
      String query, @org.jspecify.annotations.Nullable String lastEventId, boolean authenticated) {
    var request =
        HttpRequest.newBuilder(
                URI.create("http://localhost:" + RestAssured.port + "/api/ai/stream" + query))
            .timeout(Duration.ofSeconds(60))
            .header("Accept", "text/event-stream");
    if (authenticated) {
      request
          .header("X-Internal-Secret", PostgresResource.INTERNAL_SECRET)
          .header("X-User-ID", owner);
    }
    if (lastEventId != null) {
      request.header("Last-Event-ID", lastEventId);
    }
    try {
      return new Stream(HTTP.send(request.build(), HttpResponse.BodyHandlers.ofInputStream()));
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      throw new AssertionError(interrupted);
    }
  }

  JsonNode record(String streamId) {
    return tree(as().get("/api/ai/runs/" + streamId).then().statusCode(200).extract().asString());
  }

  /** Gives this database what conversations need of agent-runtime. */
  static synchronized void conversations() {
    if (conversations) {
      return;
    }
    try (var connection = PostgresServer.shared().connect();
        var statement = connection.createStatement()) {
      var sql =
          Files.readString(
              Path.of("../agent-runtime/src/main/resources/db/migration/V1__runs.sql"));
      statement.execute("CREATE SCHEMA IF NOT EXISTS agent");
      statement.execute(sql.replace("${chatRole}", "fengyu_chat"));
      conversations = true;
    } catch (SQLException | IOException failed) {
      throw new AssertionError(failed);
    }
  }

  static JsonNode tree(String text) {
    try {
      return ToolStandIn.JSON.readTree(text);
    } catch (IOException broken) {
      throw new UncheckedIOException(broken);
    }
  }

  static String joined(List<Frame> frames, String type) {
    return frames.stream()
        .filter(frame -> frame.type().equals(type))
        .map(frame -> frame.data().path("text").asText())
        .collect(Collectors.joining());
  }

  static List<JsonNode> phase(List<Frame> frames, String phase) {
    return frames.stream()
        .filter(frame -> frame.data().path("phase").asText().equals(phase))
        .map(Frame::data)
        .toList();
  }

  static void gapless(List<Frame> frames) {
    for (var i = 1; i < frames.size(); i++) {
      assertThat(frames.get(i).id()).isEqualTo(frames.get(i - 1).id() + 1);
    }
  }

  /**
   * An event.
   *
   * @param id -1 for a frame without one
   */
  record Frame(long id, String type, JsonNode data) {}

  /** An open stream. */
  static final class Stream implements AutoCloseable {

    private final HttpResponse<InputStream> response;
    private final BufferedReader lines;
    final List<String> comments = new ArrayList<>();

    Stream(HttpResponse<InputStream> response) {
      this.response = response;
      lines = new BufferedReader(new InputStreamReader(response.body(), StandardCharsets.UTF_8));
    }

    int status() {
      return response.statusCode();
    }

    String body() {
      return lines.lines().collect(Collectors.joining("\n"));
    }

    String line() {
      try {
        return String.valueOf(lines.readLine());
      } catch (IOException cut) {
        throw new UncheckedIOException(cut);
      }
    }

    /** The next event; null at the end. */
    @org.jspecify.annotations.Nullable
    Frame next() {
      var id = -1L;
      var type = "";
      try {
        for (var line = lines.readLine(); line != null; line = lines.readLine()) {
          if (line.startsWith(":")) {
            comments.add(line);
          } else if (line.startsWith("id: ")) {
            id = Long.parseLong(line.substring(4));
          } else if (line.startsWith("event: ")) {
            type = line.substring(7);
          } else if (line.startsWith("data: ")) {
            return new Frame(id, type, tree(line.substring(6)));
          }
        }
        return null;
      } catch (IOException cut) {
        throw new UncheckedIOException(cut);
      }
    }

    /** The next event of a phase. */
    Frame until(String phase) {
      for (var frame = next(); frame != null; frame = next()) {
        if (frame.data().path("phase").asText().equals(phase)) {
          return frame;
        }
      }
      throw new AssertionError("no " + phase);
    }

    List<Frame> rest() {
      var frames = new ArrayList<Frame>();
      for (var frame = next(); frame != null; frame = next()) {
        frames.add(frame);
      }
      return frames;
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
