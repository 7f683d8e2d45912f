package io.fengyu.launcher;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.fengyu.testing.model.Answer;
import io.fengyu.testing.model.ModelServer;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Chat turns on the packaged system: two replicas, the edge before them, real tools. */
class ChatStoryIT {

  private static final Duration SOON = Duration.ofSeconds(60);
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final HttpClient HTTP = HttpClient.newHttpClient();
  private static final ModelServer MODEL = ModelServer.start();

  @TempDir static Path folder;

  private static RunningSystem system = RunningSystem.NONE;
  private static Person person;

  @BeforeAll
  static void start() throws Exception {
    system =
        RunningSystem.start(
            folder.resolve("data"),
            Map.of(
                "LEASE_TTL", "4s",
                "HEARTBEAT_INTERVAL", "1s",
                "FENGYU_MODEL_IDLE_TIMEOUT", "60s"));
    person = Person.at(system.port(), system);
    system.command("scale", "chat-service", "2");
    person.put(
        "/api/ai/config",
        "{'mode':'openai','openai':{'model':'scripted','baseUrl':'%s','apiKey':'sk-0123456789abcdef'}}"
            .formatted(MODEL.address()));
  }

  @AfterAll
  static void stop() throws Exception {
    system.kill();
    MODEL.close();
    await().atMost(SOON).until(() -> system.leftovers().isEmpty());
  }

  @BeforeEach
  void forget() {
    MODEL.reset();
  }

  private record Frame(long id, String type, JsonNode data) {

    boolean is(String phase) {
      return data.path("phase").asText().equals(phase);
    }
  }

  @Test
  void aTurnOfThreeCallsIsAnsweredOnTheOtherReplica() throws Exception {
    MODEL.next(
        Answer.stream()
            .text("Let me see. ")
            .toolCall(0, "c1", "echo", "{\"n\":1}")
            .toolCall(1, "c2", "write_file", "{\"path\":\"a.txt\",\"content\":\"x\"}")
            .toolCall(2, "c3", "echo", "{\"n\":3}")
            .finish("tool_calls"),
        Answer.saying("Done."));
    var first = system.port("chat-service");
    var second = system.port("chat-service-2");
    var id =
        post(first, "/api/ai/chat", "{'messages':[{'content':'go'}],'conversationId':'c-1'}")
            .path("streamId")
            .asText();

    var frames = new ArrayList<Frame>();
    try (var stream = open(second, id, -1)) {
      read(stream, frames, "approval_required");
      var question = frames.getLast().data().path("approvalId").asText();
      var inbox = person.get("/api/agent/approvals").body();
      assertThat(inbox).hasSize(1);
      assertThat(inbox.get(0).path("streamId").asText()).isEqualTo(id);
      post(second, "/api/ai/tool-approvals/" + question, "{'approved':true}");
      read(stream, frames, "");
    }

    assertThat(frames.stream().filter(frame -> frame.is("result")))
        .hasSize(3)
        .allSatisfy(frame -> assertThat(frame.data().path("success").asBoolean()).isTrue());
    assertThat(frames.getLast().data().path("text").asText()).isEqualTo("Let me see. Done.");
    for (var i = 0; i < frames.size(); i++) {
      assertThat(frames.get(i).id()).isEqualTo(i);
    }
    assertThat(person.get("/api/agent/approvals").body()).isEmpty();
  }

  @Test
  void aTurnWhoseProcessDiesIsInterruptedAndItsCursorStillWorks() throws Exception {
    MODEL.next(Answer.stream().text("one ", "two ").hang());
    var first = system.port("chat-service");
    var second = system.port("chat-service-2");
    var id =
        post(first, "/api/ai/chat", "{'messages':[{'content':'go'}],'conversationId':'c-2'}")
            .path("streamId")
            .asText();
    await()
        .atMost(SOON)
        .until(() -> get(second, "/api/ai/runs/" + id).path("text").asText().equals("one two "));

    var unused = ProcessHandle.of(system.pid("chat-service")).map(ProcessHandle::destroyForcibly);

    var frames = new ArrayList<Frame>();
    try (var stream = open(second, id, 0)) {
      read(stream, frames, "");
    }
    assertThat(frames.getFirst().id()).isEqualTo(1);
    assertThat(frames.getLast().data().path("code").asText()).isEqualTo("INTERRUPTED");
    var record = get(second, "/api/ai/runs/" + id);
    assertThat(record.path("text").asText()).isEqualTo("one two ");
    assertThat(record.path("run_status").asText()).isEqualTo("error");
    // The conversation is free again.
    MODEL.next(Answer.saying("again"));
    var next =
        post(second, "/api/ai/chat", "{'messages':[{'content':'go'}],'conversationId':'c-2'}");
    assertThat(next.path("streamId").asText()).isNotEmpty();
  }

  // Reads up to a frame of that phase; to the end when it is empty.
  private static void read(BufferedReader stream, List<Frame> frames, String phase)
      throws IOException {
    var id = -1L;
    var type = "";
    for (var line = stream.readLine(); line != null; line = stream.readLine()) {
      if (line.startsWith("id: ")) {
        id = Long.parseLong(line.substring(4));
      } else if (line.startsWith("event: ")) {
        type = line.substring(7);
      } else if (line.startsWith("data: ")) {
        frames.add(new Frame(id, type, JSON.readTree(line.substring(6))));
        if (!phase.isEmpty() && frames.getLast().is(phase)) {
          return;
        }
      }
    }
  }

  private static BufferedReader open(int port, String id, long after) throws Exception {
    var request =
        request(port, "/api/ai/stream?streamId=" + id)
            .header("Last-Event-ID", Long.toString(after))
            .build();
    var answer = HTTP.send(request, BodyHandlers.ofInputStream());
    assertThat(answer.statusCode()).isEqualTo(200);
    return new BufferedReader(new InputStreamReader(answer.body(), UTF_8));
  }

  private static JsonNode get(int port, String path) throws Exception {
    return JSON.readTree(HTTP.send(request(port, path).build(), BodyHandlers.ofString()).body());
  }

  private static JsonNode post(int port, String path, String body) throws Exception {
    var request =
        request(port, path)
            .POST(HttpRequest.BodyPublishers.ofString(body.replace('\'', '"')))
            .build();
    var answer = HTTP.send(request, BodyHandlers.ofString());
    assertThat(answer.statusCode()).as("%s", answer.body()).isEqualTo(200);
    return JSON.readTree(answer.body());
  }

  private static HttpRequest.Builder request(int port, String path) throws IOException {
    return HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
        .timeout(SOON)
        .header("Content-Type", "application/json")
        .header("X-FengYu-Token", system.token());
  }
}
