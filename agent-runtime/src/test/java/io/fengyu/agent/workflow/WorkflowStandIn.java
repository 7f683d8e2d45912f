package io.fengyu.agent.workflow;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;

/** Answers where workflow-service would: by path, always the same. */
final class WorkflowStandIn implements AutoCloseable {

  private static final ObjectMapper JSON = new ObjectMapper();

  private final HttpServer server;
  private final Map<String, String> answers = new ConcurrentHashMap<>();
  private final Map<String, JsonNode> asked = new ConcurrentHashMap<>();

  WorkflowStandIn() {
    try {
      server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
    server.createContext("/", this::handle);
    server.start();
  }

  URI address() {
    return URI.create("http://127.0.0.1:" + server.getAddress().getPort());
  }

  /** What a path answers from now on; JSON in single quotes. */
  void answers(String path, String json) {
    answers.put(path, json.replace('\'', '"'));
  }

  /** The last body that came to a path. */
  JsonNode asked(String path) {
    var body = asked.get(path);
    if (body == null) {
      throw new AssertionError("nobody asked " + path);
    }
    return body;
  }

  private void handle(HttpExchange exchange) throws IOException {
    try (exchange) {
      var path = exchange.getRequestURI().toString();
      var body = exchange.getRequestBody().readAllBytes();
      if (body.length > 0) {
        asked.put(path, JSON.readTree(body));
      }
      var answer = answers.get(path);
      var text = (answer == null ? "{\"code\":\"WORKFLOW_NOT_FOUND\",\"status\":404}" : answer);
      int status = answer == null ? 404 : answer.contains("\"status\":400") ? 400 : 200;
      var bytes = text.getBytes(StandardCharsets.UTF_8);
      exchange.getResponseHeaders().add("Content-Type", "application/json");
      exchange.sendResponseHeaders(status, bytes.length);
      exchange.getResponseBody().write(bytes);
    }
  }

  @Override
  public void close() {
    server.stop(0);
  }
}
