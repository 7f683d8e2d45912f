package io.fengyu.agent.run;

import static io.restassured.RestAssured.given;
import static org.assertj.core.api.Assertions.assertThat;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.hasSize;

import io.fengyu.contract.client.Service;
import io.fengyu.contract.testing.PostgresResource;
import io.quarkus.test.junit.QuarkusTest;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What a start may say, and what it is refused. */
@QuarkusTest
class RunOptionsStoryTest extends RunStory {

  @Test
  void whatNoDatabaseAndNoNumberCanHoldIsTheCallersFault() {
    var plan = "'workflow':{'steps':[{'toolName':'echo','args':{'n':%s}}]}";
    for (var body :
        List.of(
            "{'session_id':'a\\u0000b'," + plan.formatted("1") + "}",
            "{'start_request_id':'a\\u0000b'," + plan.formatted("1") + "}",
            "{" + plan.formatted("1e99999999999999") + "}",
            "{" + plan.formatted("1,'n':2") + "}",
            "{'config':{'maxReplans':18446744073709551617}," + plan.formatted("1") + "}")) {
      alice.post("/run", body).statusCode(400);
    }
  }

  @Test
  void withoutAWorkflowAGoalIsNeeded() {
    alice.post("/run", "{'goal':'  '}").statusCode(400).body("code", equalTo("GOAL_MISSING"));
    alice.post("/run", "").statusCode(400);
  }

  @Test
  void wrongOptionsAreRefusedBeforeAnythingIsStored() {
    for (var config :
        List.of(
            "{'requireStepApproval':'some'}",
            "{'maxReplans':6}",
            "{'capabilityMode':'write'}",
            "{'planning_mode':'maybe'}",
            "{'outputFormat':'pdf'}",
            "{'requirePlanApproval':1}",
            "[]")) {
      alice
          .post("/run", "{'goal':'wrong-option','config':" + config + ",'workflow':{'steps':[]}}")
          .statusCode(400)
          .body("code", equalTo("RUN_CONFIG_INVALID"));
    }
    alice
        .post("/run", "{'goal':'wrong-option','reasoning_mode':'deep','workflow':{'steps':[]}}")
        .statusCode(400);
    alice
        .post(
            "/run",
            "{'goal':'wrong-option','config':{'permissionMode':'root'},'workflow':{'steps':[]}}")
        .statusCode(400)
        .body("code", equalTo("PERMISSION_MODE_UNKNOWN"));
    for (var workflow : List.of("{}", "{'steps':{}}", "{'steps':[1]}", "[]")) {
      alice
          .post("/run", "{'goal':'wrong-option','workflow':" + workflow + "}")
          .statusCode(400)
          .body("code", equalTo("PLAN_MALFORMED"));
    }
    alice
        .post("/run", "{'goal':'wrong-option','inputs':[],'workflow':{'steps':[]}}")
        .statusCode(400);
    alice.post("/run", "{'goal':'wrong-option','workflow':{'steps':[").statusCode(400);
    alice
        .post(
            "/run", "{'goal':'wrong-option','files':[{'name':'bad name'}],'workflow':{'steps':[]}}")
        .statusCode(400)
        .body("code", equalTo("RUN_FILE_INVALID"));

    alice.get("/runs?q=wrong-option").body("", hasSize(0));
  }

  @Test
  void aliasesAndOptionsAtTheTopAreAccepted() {
    try (var chat = new ChatStandIn()) {
      chat.says("{}");
      peers.replace(Map.of(Service.CHAT, List.of(chat.address())));
      var runId =
          alice.start(
              "{'outputFormat':'json','config':{'reasoningMode':'staged'},'sessionId':'s-alias',"
                  + "'workflow':{'goal':'from the plan','steps':[]}}");
      alice.watch(runId);

      alice
          .detail(runId)
          .body("goal", equalTo("from the plan"))
          .body("session_id", equalTo("s-alias"))
          .body("config.output_format", equalTo("json"))
          .body("config.reasoning_mode", equalTo("staged"));
    } finally {
      peers.replace(Map.of(Service.CHAT, List.of()));
    }
  }

  @Test
  void anInvalidPlanFailsInTheHistoryAndNoStepStarts() {
    var runId =
        alice.start(
            "{'workflow':{'goal':'bad','steps':[{'toolName':'echo'},"
                + "{'toolName':'test_note','retryPolicy':{'maxAttempts':2}},{'toolName':'nope'}]}}");

    var events = alice.watch(runId);

    assertThat(events).hasSize(1);
    assertThat(events.getFirst().type()).isEqualTo("error");
    assertThat(events.getFirst().data().path("code").asText()).isEqualTo("INVALID_PLAN");
    assertThat(events.getFirst().data().path("message").asText()).contains("not retry-safe");
    alice
        .detail(runId)
        .body("status", equalTo("FAILED"))
        .body("error", containsString("not retry-safe"));
  }

  @Test
  void aReadOnlyRunTakesNoWritingTool() {
    var runId =
        alice.start(
            "{'config':{'capabilityMode':'read-only'},"
                + "'workflow':{'steps':[{'toolName':'echo'},{'toolName':'test_note'}]}}");

    assertThat(alice.types(runId)).containsExactly("error");
  }

  @Test
  void aSavedPlanMayBeLongerThanWhatAClientSends() {
    var body =
        "{\"workflow\":{\"goal\":\"long\",\"steps\":[{\"toolName\":\"echo\",\"pinnedResult\":\""
            + "x".repeat(2 << 20)
            + "\"}]}}";
    var request = given().contentType("application/json").body(body);

    request
        .header("X-FengYu-Token", PostgresResource.ALICE_TOKEN)
        .post("/api/agent/run")
        .then()
        .statusCode(413)
        .body("code", equalTo("BODY_TOO_LARGE"));
    given()
        .contentType("application/json")
        .body(body)
        .header("X-Internal-Secret", PostgresResource.INTERNAL_SECRET)
        .header("X-User-ID", "alice")
        .post("/api/agent/run")
        .then()
        .statusCode(200);
  }
}
