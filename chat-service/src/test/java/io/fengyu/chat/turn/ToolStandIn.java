package io.fengyu.chat.turn;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.quarkus.test.common.QuarkusTestResourceLifecycleManager;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import org.jspecify.annotations.Nullable;

/** Stands for agent-runtime and workflow-service: offers tools, judges calls and makes them. */
public class ToolStandIn implements QuarkusTestResourceLifecycleManager {

  static final ObjectMapper JSON = new ObjectMapper();
  static final List<JsonNode> RUNS = Collections.synchronizedList(new ArrayList<>());
  static final List<JsonNode> CATALOGS = Collections.synchronizedList(new ArrayList<>());
  static final List<JsonNode> NEWS = Collections.synchronizedList(new ArrayList<>());
  static final Map<String, String> BUDGETS = new ConcurrentHashMap<>();

  /** Completes when somebody who waited for the tool {@code hang} has gone. */
  static volatile CompletableFuture<Void> gone = new CompletableFuture<>();

  private @Nullable HttpServer server;

  @Override
  public Map<String, String> start() {
    try {
      var started =
          HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
      started.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
      started.createContext("/", ToolStandIn::handle);
      started.start();
      server = started;
      var url = "http://127.0.0.1:" + started.getAddress().getPort();
      return Map.of(
          "AGENT_URL", url,
          "WORKFLOW_URL", url,
          "CHAT_APPROVAL_TIMEOUT", "20s",
          "CHAT_MAX_UNFINISHED_TURNS", "5",
          "EDIT_LATEST_TURN_ENABLED", "true",
          "fengyu.turns.stream-heartbeat", "2s",
          "fengyu.turns.calls-per-tool", "4",
          "fengyu.turns.calls-per-turn", "6");
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    }
  }

  @Override
  public void stop() {
    var running = server;
    if (running != null) {
      running.stop(0);
    }
  }

  static void forget() {
    RUNS.clear();
    CATALOGS.clear();
    NEWS.clear();
    BUDGETS.clear();
    gone = new CompletableFuture<>();
  }

  private static void handle(HttpExchange exchange) throws IOException {
    var path = exchange.getRequestURI().getPath();
    var sent = exchange.getRequestBody().readAllBytes();
    var body = sent.length == 0 ? JSON.createObjectNode() : JSON.readTree(sent);
    switch (path) {
      case "/internal/tools/catalog" -> {
        CATALOGS.add(body);
        answer(exchange, 200, catalog(body));
      }
      case "/internal/tools/judge" -> answer(exchange, 200, judged(body));
      case "/internal/tools/run" -> run(exchange, body);
      case "/internal/approvals/news" -> {
        NEWS.add(body);
        answer(exchange, 200, JSON.createObjectNode());
      }
      case "/api/settings" -> {
        var owner = exchange.getRequestHeaders().getFirst("X-User-ID");
        var budget = BUDGETS.get(owner);
        var settings = JSON.createObjectNode();
        settings.set("budget", budget == null ? null : JSON.readTree(budget));
        answer(exchange, 200, settings);
      }
      case "/api/workflows/known" -> answer(exchange, 200, JSON.createObjectNode());
      default -> answer(exchange, 404, JSON.createObjectNode().put("code", "NOT_FOUND"));
    }
  }

  private static void answer(HttpExchange exchange, int status, JsonNode body) throws IOException {
    var bytes = body.toString().getBytes(StandardCharsets.UTF_8);
    exchange.getResponseHeaders().set("Content-Type", "application/json");
    exchange.sendResponseHeaders(status, bytes.length);
    try (var out = exchange.getResponseBody()) {
      out.write(bytes);
    }
  }

  private static ArrayNode catalog(JsonNode body) {
    var tools = JSON.createArrayNode();
    for (var name : List.of("look", "write", "slow", "hang", "big", "picture")) {
      tool(tools, name);
    }
    if (body.path("workflowId").isTextual()) {
      tool(tools, "inspect_current_flow");
    }
    return tools;
  }

  private static void tool(ArrayNode tools, String name) {
    var tool = tools.addObject().put("name", name).put("description", "Does " + name);
    tool.putObject("inputSchema")
        .put("type", "object")
        .putObject("properties")
        .putObject("path")
        .put("type", "string");
    tool.put("effect", name.equals("write") ? "write" : "read");
  }

  private static ArrayNode judged(JsonNode body) {
    var verdicts = JSON.createArrayNode();
    for (var call : body.path("calls")) {
      var asks =
          call.path("name").asText().equals("write")
              && body.path("permissionMode").asText().equals("ask-for-approval");
      var verdict =
          verdicts
              .addObject()
              .put("id", call.path("id").asText())
              .put("verdict", asks ? "ask" : "run")
              .put("reason", asks ? "mode ask-for-approval" : "")
              .put("effect", call.path("name").asText().equals("write") ? "write" : "read");
      verdict
          .putObject("schema")
          .put("type", "object")
          .putObject("properties")
          .putObject("path")
          .put("type", "string");
    }
    return verdicts;
  }

  private static void run(HttpExchange exchange, JsonNode body) throws IOException {
    RUNS.add(body);
    exchange.getResponseHeaders().set("Content-Type", "application/x-ndjson");
    exchange.sendResponseHeaders(200, 0);
    try (var out = exchange.getResponseBody()) {
      var calls = new ArrayList<JsonNode>();
      body.path("calls").forEach(calls::add);
      // What reads ends first, whatever its place is.
      calls.sort((a, b) -> Boolean.compare(isSlow(a), isSlow(b)));
      for (var call : calls) {
        if (call.path("name").asText().equals("hang")) {
          hang(out);
        }
        var line = JSON.createObjectNode();
        line.set("end", end(call));
        out.write((line + "\n").getBytes(StandardCharsets.UTF_8));
        out.flush();
      }
      out.write("{\"batchId\":\"b\"}\n".getBytes(StandardCharsets.UTF_8));
    }
  }

  private static boolean isSlow(JsonNode call) {
    return call.path("name").asText().equals("slow");
  }

  private static void hang(java.io.OutputStream out) throws IOException {
    var never = new CountDownLatch(1);
    try {
      while (true) {
        out.write("{}\n".getBytes(StandardCharsets.UTF_8));
        out.flush();
        never.await(50, java.util.concurrent.TimeUnit.MILLISECONDS);
      }
    } catch (IOException left) {
      gone.complete(null);
      throw left;
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
    }
  }

  private static boolean isObject(String arguments) {
    try {
      return arguments.isBlank() || JSON.readTree(arguments).isObject();
    } catch (IOException noJson) {
      return false;
    }
  }

  private static ObjectNode end(JsonNode call) throws IOException {
    var name = call.path("name").asText();
    var end = JSON.createObjectNode().put("id", call.path("id").asText()).put("name", name);
    var arguments = call.path("arguments").asText();
    if (!isObject(arguments)) {
      return end.put("success", false).put("output", "The arguments are not one JSON object");
    }
    return switch (name) {
      case "look", "slow", "inspect_current_flow" ->
          end.put("success", true).put("output", name + " saw " + arguments);
      case "write" ->
          call.path("approved").asBoolean() || !arguments.contains("needs")
              ? end.put("success", true).put("output", "wrote " + arguments)
              : end.put("success", false).put("output", "Needs approval");
      case "big" -> end.put("success", true).put("output", "ä".repeat(100_000) + "END");
      case "picture" ->
          end.put("success", true)
              .put(
                  "output",
                  "{\"imageBase64\":\"iVBORw0KGgoAAA\",\"mimeType\":\"image/png\",\"dom\":\"<b>\"}");
      default -> end.put("success", false).put("output", "There is no tool " + name);
    };
  }
}
