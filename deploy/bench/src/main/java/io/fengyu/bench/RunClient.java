package io.fengyu.bench;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.net.ConnectException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandler;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.concurrent.atomic.AtomicReference;

/** Starts a run and follows its events to the end, as a program would. */
final class RunClient {

  private static final ObjectMapper JSON = new ObjectMapper();

  private final Stack stack;
  private final HttpClient http =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

  RunClient(Stack stack) {
    this.stack = stack;
  }

  void run(ObjectNode plan) throws IOException, InterruptedException {
    var body = JSON.createObjectNode();
    body.putObject("config").put("permissionMode", "full-access");
    body.set("workflow", plan);
    var started =
        connected(
            stack
                .request("/api/agent/run")
                .header("Content-Type", "application/json")
                .POST(BodyPublishers.ofString(body.toString()))
                .build(),
            BodyHandlers.ofString());
    JsonNode answer = JSON.readTree(started.body());
    if (started.statusCode() != 200) {
      throw new IllegalStateException(started.body());
    }
    awaitComplete(answer.path("runId").asText());
  }

  private void awaitComplete(String runId) throws IOException, InterruptedException {
    var events =
        connected(
            stack.request("/api/agent/stream?runId=" + runId).GET().build(),
            BodyHandlers.ofLines());
    var last = new AtomicReference<>("no event");
    try (var lines = events.body()) {
      // read to its end: closing it early may cost another client the connection it was given
      var completed = lines.peek(last::set).filter(line -> line.equals("event: complete")).count();
      if (completed != 1) {
        throw new IllegalStateException("Run " + runId + " did not complete: " + last);
      }
    }
  }

  /** The client sometimes closes a socket of its own before it connects: nothing was sent then. */
  private <T> HttpResponse<T> connected(HttpRequest request, BodyHandler<T> handler)
      throws IOException, InterruptedException {
    try {
      return http.send(request, handler);
    } catch (ConnectException closed) {
      return http.send(request, handler);
    }
  }
}
