package io.fengyu.agent.scope;

import static io.restassured.RestAssured.given;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.hamcrest.Matchers.contains;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.hasKey;
import static org.hamcrest.Matchers.not;
import static org.hamcrest.Matchers.nullValue;

import io.fengyu.contract.testing.PostgresResource;
import io.fengyu.testing.mcp.ToolServer;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.path.json.JsonPath;
import io.restassured.response.ValidatableResponse;
import java.time.Duration;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@QuarkusTest
class ScopeStoryTest {

  private static final String SECRET = "test-internal-secret-0123456789abcdef";
  private static final String OUTSIDE = "DATASET_SCOPE_REQUIRED";

  private final ToolServer server = ToolServer.start();
  private final String session = "s-" + UUID.randomUUID();
  private String prefix = "";
  private String serverId = "";

  @BeforeEach
  void connect() {
    server.tool(
        "load_constructed_graph",
        (request, reply) ->
            reply.text(
                request.arguments().path("dataset_id").asText().equals("broken")
                    ? "{\"success\":false,\"error\":\"no graph\"}"
                    : "{\"success\":true,\"state\":\"ready\",\"revision\":7}"));
    server.tool("degree_analysis", (request, reply) -> reply.text("{\"degree\":3}"));
    server.tool("clear_graph", (request, reply) -> reply.text("{\"success\":true}"));
    server.tool("explain", (request, reply) -> reply.text("yes"));
    var name = "graph" + UUID.randomUUID().toString().substring(0, 8);
    var added =
        user(
                "POST",
                "/api/mcp/servers",
                "{'name':'" + name + "','type':'streamable-http','url':'" + server.address() + "'}")
            .statusCode(201)
            .extract()
            .jsonPath();
    prefix = added.getString("toolPrefix");
    serverId = added.getString("id");
    await()
        .atMost(Duration.ofSeconds(60))
        .until(
            () ->
                user("GET", "/api/agent/tools", "")
                    .extract()
                    .jsonPath()
                    .getList("name")
                    .contains(tool("explain")));
  }

  @AfterEach
  void close() {
    user("DELETE", "/api/mcp/servers/" + serverId, "").statusCode(204);
    server.close();
  }

  private String tool(String name) {
    return prefix + "__" + name;
  }

  private static ValidatableResponse user(String method, String path, String body) {
    return as(PostgresResource.ALICE_TOKEN, method, path, body);
  }

  private static ValidatableResponse as(String token, String method, String path, String body) {
    var request = given().header("X-FengYu-Token", token).contentType("application/json");
    return (body.isEmpty() ? request : request.body(body.replace('\'', '"')))
        .request(method, path)
        .then();
  }

  private static ValidatableResponse service(String owner, String session, String body) {
    return given()
        .header("X-Internal-Secret", SECRET)
        .header("X-User-ID", owner)
        .contentType("application/json")
        .body(body.replace('\'', '"'))
        .put("/internal/sessions/" + session + "/scope")
        .then();
  }

  private void limited(String constructed) {
    service("alice", session, "{'available_constructed_datasets':" + constructed + "}")
        .statusCode(200);
  }

  private ValidatableResponse batch(String name, String args) {
    return user(
            "POST",
            "/api/agent/tools/batch",
            "{'permissionMode':'full-access','session_id':'"
                + session
                + "','calls':[{'id':'c1','name':'"
                + tool(name)
                + "','arguments':"
                + args
                + "}]}")
        .statusCode(200);
  }

  private JsonPath state() {
    return user("GET", "/api/agent/sessions/" + session, "").statusCode(200).extract().jsonPath();
  }

  @Test
  void onlyAServiceSaysWhichDataAConversationHas() {
    var path = "/internal/sessions/" + session + "/scope";
    as(PostgresResource.ALICE_TOKEN, "PUT", path, "{}").statusCode(401);
    as(PostgresResource.ADMIN_TOKEN, "PUT", path, "{}").statusCode(401);
    given()
        .header("X-Internal-Secret", SECRET)
        .contentType("application/json")
        .body("{}")
        .put(path)
        .then()
        .statusCode(400)
        .body("code", equalTo("SESSION_SCOPE_WITHOUT_OWNER"));
    service("alice", session, "{'available_constructed_datasets':[{'name':'sales.csv'}]}")
        .statusCode(400)
        .body("code", equalTo("SESSION_SCOPE_INVALID"))
        .body("params.field", equalTo("available_constructed_datasets[0]"));
    service("alice", session, "{'construction_sources':'d1'}").statusCode(400);
  }

  @Test
  void aCallAboutAnotherDatasetIsNotMade() {
    limited("[{'dataset_id':'d1','name':'d9','status':'ready','revision':3}]");

    batch("load_constructed_graph", "{'dataset_id':'d1'}")
        .body("results[0].success", equalTo(true));
    batch("load_constructed_graph", "{'dataset_id':'d2'}")
        .body("results[0].success", equalTo(false))
        .body("results[0].code", equalTo(OUTSIDE))
        .body(
            "results[0].output",
            equalTo(
                "{\"success\":false,\"code\":\"DATASET_SCOPE_REQUIRED\",\"error\":\"the call names"
                    + " a dataset that this conversation was not given; use the id of one that it"
                    + " was given\"}"));
    assertThat(server.requests("tools/call")).hasSize(1);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{'dataset_id':'d9'}",
        "{'dataset_id':'D1'}",
        "{'dataset_id':' d1'}",
        "{'dataset_id':['d1','d2']}",
        "{'datasetId':'d2'}",
        "{'source_dataset_id':'d2'}",
        "{'dataset_ids':['d1','d2']}",
        "{'filter':{'any':[{'dataset_id':'d2'}]}}",
        "{'dataset_id':{'id':'d2'}}",
        "{'payload':'{\\'dataset_id\\':\\'d2\\'}'}",
        "{'dataset_id':2}"
      })
  void noSpellingReachesAnotherDatasetAndNoNameIsAnId(String args) {
    limited("[{'dataset_id':'d1','name':'d9'}]");

    batch("explain", args).body("results[0].code", equalTo(OUTSIDE));

    assertThat(server.requests("tools/call")).isEmpty();
  }

  @Test
  void whatBlocksACallBlocksWhatDependsOnIt() {
    limited("[]");

    user(
            "POST",
            "/api/agent/tools/batch",
            "{'permissionMode':'full-access','session_id':'%s','calls':[".formatted(session)
                + "{'id':'a','name':'%s','arguments':{'dataset_id':'d1'}},"
                    .formatted(tool("load_constructed_graph"))
                + "{'id':'b','name':'echo','arguments':{'n':1}}]}")
        .statusCode(200)
        .body("results.code", contains(OUTSIDE, null))
        .body("results[1].success", equalTo(true));
  }

  @Test
  void aRunIsHeldToItsConversationAndAnotherConversationIsNot() {
    limited("['d1']");

    var refused = run(session, "load_constructed_graph", "{'dataset_id':'d2'}");
    assertThat(refused.getString("status")).isEqualTo("FAILED");
    assertThat(refused.getString("error")).contains(OUTSIDE);
    assertThat(server.requests("tools/call")).isEmpty();
    assertThat(run(session, "load_constructed_graph", "{'dataset_id':'d1'}").getString("status"))
        .isEqualTo("COMPLETED");
    assertThat(
            run("s-" + UUID.randomUUID(), "load_constructed_graph", "{'dataset_id':'d2'}")
                .getString("status"))
        .isEqualTo("COMPLETED");
  }

  private JsonPath run(String conversation, String name, String args) {
    String id =
        user(
                "POST",
                "/api/agent/run",
                ("{'goal':'load','session_id':'%s','config':{'permissionMode':'full-access'},"
                        + "'workflow':{'steps':[{'toolName':'%s','args':%s}]}}")
                    .formatted(conversation, tool(name), args))
            .statusCode(200)
            .extract()
            .path("runId");
    await()
        .atMost(Duration.ofSeconds(60))
        .until(
            () -> user("GET", "/api/agent/runs/" + id, "").extract().path("completedAt") != null);
    return user("GET", "/api/agent/runs/" + id, "").extract().jsonPath();
  }

  @Test
  void whatWasLoadedIsNotedForTheNextRun() {
    user("GET", "/api/agent/sessions/" + session, "")
        .body("session_state.active_dataset_id", nullValue())
        .body("session_state", hasKey("data_state"))
        .body("session_state.data_state", nullValue());
    limited("['d1','broken']");

    batch("load_constructed_graph", "{'dataset_id':'broken'}")
        .body("results[0].success", equalTo(false));
    assertThat(state().getString("session_state.active_dataset_id")).isNull();
    var loaded = run(session, "load_constructed_graph", "{'dataset_id':'d1'}");

    var state = state();
    assertThat(state.getString("session_state.active_dataset_id")).isEqualTo("d1");
    assertThat(state.getString("session_state.data_state.state")).isEqualTo("ready");
    assertThat(state.getInt("session_state.data_state.revision")).isEqualTo(7);
    assertThat(state.getBoolean("session_state.data_state.loaded")).isTrue();
    assertThat(state.getString("session_state.data_state.run_id"))
        .isEqualTo(loaded.getString("id"));
    as(PostgresResource.BOB_TOKEN, "GET", "/api/agent/sessions/" + session, "")
        .body("session_state.active_dataset_id", nullValue());

    batch("clear_graph", "{}").body("results[0].success", equalTo(true));
    state = state();
    assertThat(state.getString("session_state.active_dataset_id")).isEqualTo("d1");
    assertThat(state.getBoolean("session_state.data_state.loaded")).isFalse();
  }

  @Test
  void aServiceReadsBackWhatItSaid() {
    limited("[{'dataset_id':'d1','revision':3}]");

    given()
        .header("X-Internal-Secret", SECRET)
        .header("X-User-ID", "alice")
        .get("/internal/sessions/" + session + "/scope")
        .then()
        .statusCode(200)
        .body("available_constructed_datasets[0].dataset_id", equalTo("d1"))
        .body("construction_sources", equalTo(java.util.List.of()));
    given()
        .header("X-Internal-Secret", SECRET)
        .header("X-User-ID", "bob")
        .get("/internal/sessions/" + session + "/scope")
        .then()
        .body("", not(hasKey("available_constructed_datasets")));
  }
}
