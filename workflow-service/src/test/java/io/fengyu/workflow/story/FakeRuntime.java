package io.fengyu.workflow.story;

import com.fasterxml.jackson.databind.JsonNode;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.core.json.Json;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** Stands where agent-runtime would, notes what it is asked and answers by script. */
final class FakeRuntime {

  /** One start as it arrived. */
  record Start(Map<String, String> headers, JsonNode body, String text) {}

  static final String RUN_ID = "0190d8f2-0000-7000-8000-000000000001";

  private static final String TOOLS =
      """
      [{"name":"json_format","effect":"read","retrySafe":true,"description":"Tidies",
        "inputSchema":{"type":"object","properties":{"json":{"type":"string"}},"required":["json"]},
        "outputSchema":{"type":"object"},"flowNode":{"tool":"json_format"},"pluginId":null},
       {"name":"write_file","effect":"write","retrySafe":false,"pluginId":null,
        "inputSchema":{"type":"object","properties":{"path":{"type":"string"},
          "times":{"type":"integer"}},"required":["path"],"additionalProperties":false}},
       {"name":"flow_if","effect":"read","retrySafe":true,"pluginId":null,
        "inputSchema":{"type":"object","properties":{}}},
       {"name":"list_accounts","effect":"read","retrySafe":true,"pluginId":"post",
        "inputSchema":{"type":"object","properties":{}}},
       {"name":"run_workflow_x","effect":"external","retrySafe":false,"pluginId":"workflow",
        "inputSchema":{"type":"object","properties":{}}}]""";

  private final Vertx vertx = Vertx.vertx();
  private final List<Start> starts = new CopyOnWriteArrayList<>();
  private final HttpServer server;
  private volatile Consumer<HttpServerResponse> script = FakeRuntime::started;
  private volatile boolean toolsKnown = true;
  private volatile String toolAnswer = "{}";

  FakeRuntime() {
    server = joined(vertx.createHttpServer().requestHandler(this::handle).listen(0, "127.0.0.1"));
  }

  String url() {
    return "http://127.0.0.1:" + server.actualPort();
  }

  List<Start> starts() {
    return starts;
  }

  void reset() {
    starts.clear();
    script = FakeRuntime::started;
    toolsKnown = true;
  }

  void answers(int status, String body) {
    script = response -> json(response.setStatusCode(status), body);
  }

  /** Takes the request and hangs up. */
  void hangsUp() {
    script = HttpServerResponse::reset;
  }

  void answersAgain() {
    script = FakeRuntime::started;
  }

  /** What every tool of a batch answers from now on. */
  void toolsAnswer(String output) {
    toolAnswer = output;
  }

  void knowsNoTools() {
    toolsKnown = false;
  }

  void stop() {
    joined(vertx.close());
  }

  private void handle(HttpServerRequest request) {
    if ("/api/agent/tools".equals(request.path())) {
      json(request.response().setStatusCode(toolsKnown ? 200 : 500), TOOLS);
      return;
    }
    if ("/api/agent/tools/batch".equals(request.path())) {
      var result = Json.encode(Map.of("id", "options", "success", true, "output", toolAnswer));
      json(request.response(), "{\"results\":[" + result + "]}");
      return;
    }
    request.body().onSuccess(body -> note(request, body.toString()));
  }

  private void note(HttpServerRequest request, String body) {
    var headers = new java.util.TreeMap<String, String>(String.CASE_INSENSITIVE_ORDER);
    request.headers().forEach(header -> headers.put(header.getKey(), header.getValue()));
    starts.add(new Start(headers, Owner.parsed(body), body));
    script.accept(request.response());
  }

  private static void started(HttpServerResponse response) {
    json(
        response,
        "{\"runId\":\"%s\",\"status\":\"PLANNING\",\"execution_generation\":1,\"replayed\":false}"
            .formatted(RUN_ID));
  }

  private static void json(HttpServerResponse response, String body) {
    response.putHeader("Content-Type", "application/json").end(body);
  }

  private static <T> T joined(io.vertx.core.Future<T> future) {
    try {
      return future.toCompletionStage().toCompletableFuture().get(10, TimeUnit.SECONDS);
    } catch (Exception failed) {
      throw new IllegalStateException(failed);
    }
  }
}
