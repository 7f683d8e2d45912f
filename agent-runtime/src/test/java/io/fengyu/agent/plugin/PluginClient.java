package io.fengyu.agent.plugin;

import static io.restassured.RestAssured.given;
import static org.awaitility.Awaitility.await;

import io.fengyu.contract.testing.PostgresResource;
import io.restassured.path.json.JsonPath;
import io.restassured.response.ValidatableResponse;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/** What somebody does who has plugins. JSON is written with single quotes. */
final class PluginClient {

  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private final String token;

  private PluginClient(String token) {
    this.token = token;
  }

  static PluginClient admin() {
    return new PluginClient(PostgresResource.ADMIN_TOKEN);
  }

  static PluginClient alice() {
    return new PluginClient(PostgresResource.ALICE_TOKEN);
  }

  /** An id that no other test has. */
  static String freshId() {
    return "test.p" + UUID.randomUUID().toString().substring(0, 8);
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

  ValidatableResponse upload(byte[] bytes) {
    return given()
        .header("X-FengYu-Token", token)
        .multiPart("file", "some.fyp", bytes, "application/octet-stream")
        .post("/api/plugin-market/upload")
        .then();
  }

  void install(Fyp fyp) {
    upload(fyp.zip()).statusCode(201);
  }

  ValidatableResponse enable(String id, boolean enabled) {
    return send("PATCH", "/api/plugin-market/" + id + "/enabled", "{'enabled':" + enabled + "}");
  }

  void uninstall(String id) {
    send("DELETE", "/api/plugin-market/" + id, "").statusCode(204);
  }

  /** As it is listed; an empty map for one that is not. */
  Map<String, Object> listed(String id) {
    Map<String, Object> found =
        get("/api/plugin-market").extract().jsonPath().getMap("find { it.id == '" + id + "' }");
    return found == null ? Map.of() : found;
  }

  List<String> catalog() {
    return get("/api/agent/tools").statusCode(200).extract().jsonPath().getList("name");
  }

  Map<String, Object> tool(String name, String language) {
    return given()
        .header("X-FengYu-Token", token)
        .header("Accept-Language", language)
        .get("/api/agent/tools")
        .jsonPath()
        .getMap("find { it.name == '" + name + "' }");
  }

  ValidatableResponse invoke(String id, String method, String params) {
    return send(
        "POST",
        "/api/plugin-runtime/" + id + "/invoke",
        "{'method':'" + method + "','params':" + params + "}");
  }

  /** Process ids of a plugin's workers. */
  List<Integer> pids(String id) {
    return get("/api/plugin-runtime")
        .statusCode(200)
        .extract()
        .jsonPath()
        .getList("find { it.id == '" + id + "' }.workers.pid");
  }

  /** A run that has ended. */
  record Ran(String id, JsonPath detail, JsonPath receipts) {

    String result(int step) {
      return detail.getString("executions[" + step + "].result");
    }

    String error() {
      return String.valueOf(detail.getString("error"));
    }

    String receipt(int step) {
      return receipts.getString("find { it.step == " + step + " }.state");
    }
  }

  static String step(String tool, String args) {
    return "{'toolName':'" + tool + "','args':" + args + "}";
  }

  String start(String steps, String files) {
    return send(
            "POST",
            "/api/agent/run",
            "{'goal':'use plugins','config':{'permissionMode':'full-access'},'files':"
                + files
                + ",'workflow':{'steps':["
                + steps
                + "]}}")
        .statusCode(200)
        .extract()
        .path("runId");
  }

  Ran run(String tool, String args) {
    return ended(start(step(tool, args), "[]"));
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

  JsonPath detail(String runId) {
    return get("/api/agent/runs/" + runId).statusCode(200).extract().jsonPath();
  }

  ValidatableResponse cancel(String runId) {
    return send("POST", "/api/agent/" + runId + "/cancel", "");
  }
}
