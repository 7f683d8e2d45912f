package io.fengyu.agent.mcp;

import static io.restassured.RestAssured.given;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fengyu.contract.testing.PostgresResource;
import io.restassured.path.json.JsonPath;
import io.restassured.response.ValidatableResponse;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/** What somebody does who has tool servers. JSON is written with single quotes. */
final class McpClient {

  private static final Duration PATIENCE = Duration.ofSeconds(30);

  private final String token;

  private McpClient(String token) {
    this.token = token;
  }

  static McpClient alice() {
    return new McpClient(PostgresResource.ALICE_TOKEN);
  }

  static McpClient bob() {
    return new McpClient(PostgresResource.BOB_TOKEN);
  }

  static McpClient admin() {
    return new McpClient(PostgresResource.ADMIN_TOKEN);
  }

  ValidatableResponse send(String method, String path, String body) {
    var request = given().header("X-FengYu-Token", token).contentType("application/json");
    return (body.isEmpty() ? request : request.body(body.replace('\'', '"')))
        .request(method, path)
        .then();
  }

  ValidatableResponse get(String path) {
    return send("GET", path, "");
  }

  /** A name that no other test has. */
  static String freshName(String begin) {
    return begin + UUID.randomUUID().toString().substring(0, 8);
  }

  /** A server that was added and has told its tools. */
  Server connected(String name, String more) {
    var server = added(name, more);
    server.await("connected");
    return server;
  }

  Server added(String name, String more) {
    JsonPath view =
        send("POST", "/api/mcp/servers", "{'name':'" + name + "'," + more + "}")
            .statusCode(201)
            .extract()
            .jsonPath();
    return new Server(view.getString("id"), view.getString("toolPrefix"));
  }

  static String http(Object address) {
    return "'type':'streamable-http','url':'" + address + "','requestTimeoutSeconds':5";
  }

  /** One of the client's servers. */
  final class Server {

    final String id;
    final String prefix;

    Server(String id, String prefix) {
      this.id = id;
      this.prefix = prefix;
    }

    String tool(String name) {
      return prefix + "__" + name;
    }

    JsonPath view() {
      var all = get("/api/mcp/servers").statusCode(200).extract().jsonPath();
      return new JsonPath(
          io.vertx.core.json.Json.encode(all.getMap("find { it.id == '" + id + "' }")));
    }

    void await(String status) {
      org.awaitility.Awaitility.await()
          .atMost(PATIENCE)
          .untilAsserted(
              () ->
                  assertThat(view().getString("status"))
                      .as(view().getString("error"))
                      .isEqualTo(status));
    }

    ValidatableResponse test() {
      return send("POST", "/api/mcp/servers/" + id + "/test", "");
    }

    ValidatableResponse change(String body) {
      return send("PUT", "/api/mcp/servers/" + id, body);
    }

    void delete() {
      send("DELETE", "/api/mcp/servers/" + id, "").statusCode(204);
    }

    /** Runs one of its tools to the end. */
    Ran run(String tool, String args) {
      return McpClient.this.run(step(tool, args));
    }

    String step(String tool, String args) {
      return "{'toolName':'" + tool(tool) + "','args':" + args + "}";
    }
  }

  List<String> catalog() {
    return get("/api/agent/tools").statusCode(200).extract().jsonPath().getList("name");
  }

  Map<String, Object> catalogEntry(String name) {
    return get("/api/agent/tools")
        .extract()
        .jsonPath()
        .getMap("find { it.name == '" + name + "' }");
  }

  /** A run that has ended. */
  record Ran(String id, JsonPath detail, JsonPath receipts) {

    String status() {
      return detail.getString("status");
    }

    /** What a step came to. */
    String result(int step) {
      return detail.getString("executions[" + step + "].result");
    }

    String error() {
      return detail.getString("error");
    }

    String receipt(int step) {
      return receipts.getString("find { it.step == " + step + " }.state");
    }
  }

  String start(String steps) {
    return send(
            "POST",
            "/api/agent/run",
            "{'goal':'use tools','session_id':'session-1','config':{'permissionMode':'full-access'},"
                + "'workflow':{'steps':["
                + steps
                + "]}}")
        .statusCode(200)
        .extract()
        .path("runId");
  }

  Ran run(String steps) {
    return ended(start(steps));
  }

  Ran ended(String runId) {
    await()
        .atMost(PATIENCE)
        .pollInterval(Duration.ofMillis(50))
        .until(() -> detail(runId).getString("completedAt") != null);
    return new Ran(
        runId,
        detail(runId),
        get("/api/agent/runs/" + runId + "/receipts").statusCode(200).extract().jsonPath());
  }

  private JsonPath detail(String runId) {
    return get("/api/agent/runs/" + runId).statusCode(200).extract().jsonPath();
  }
}
