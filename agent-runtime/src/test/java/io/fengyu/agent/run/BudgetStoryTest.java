package io.fengyu.agent.run;

import static io.restassured.RestAssured.given;
import static org.assertj.core.api.Assertions.assertThat;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.greaterThan;
import static org.hamcrest.Matchers.greaterThanOrEqualTo;
import static org.hamcrest.Matchers.hasSize;
import static org.hamcrest.Matchers.lessThan;
import static org.hamcrest.Matchers.nullValue;

import com.fasterxml.jackson.databind.JsonNode;
import io.fengyu.contract.model.ModelEvent;
import io.fengyu.contract.model.StopReason;
import io.fengyu.contract.testing.PostgresResource;
import io.quarkus.test.junit.QuarkusTest;
import java.util.List;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

@QuarkusTest
class BudgetStoryTest extends ModelStory {

  private static final String ECHO = "{'toolName':'echo','args':{'n':%d}}";

  private static String steps(int many) {
    return IntStream.range(0, many)
        .mapToObj(i -> ECHO.formatted(i).replace("}}", "},'dependsOn':" + before(i) + "}"))
        .collect(Collectors.joining(",", "'workflow':{'steps':[", "]}"));
  }

  private static String before(int step) {
    return step == 0 ? "[]" : "[" + (step - 1) + "]";
  }

  private String start(String budget, String rest) {
    return alice.start(
        "{'config':{'permissionMode':'full-access','requirePlanApproval':false,'budget':"
            + budget
            + "},"
            + rest
            + "}");
  }

  private void exceeded(String runId, String budget, int limit, int used) {
    var end = alice.end(runId);
    assertThat(end.type()).isEqualTo("error");
    assertThat(end.data().path("code").asText()).isEqualTo("BUDGET_EXCEEDED");
    JsonNode params = end.data().path("params");
    assertThat(params.path("budget").asText()).isEqualTo(budget);
    assertThat(params.path("limit").asInt()).isEqualTo(limit);
    assertThat(params.path("used").asInt()).isGreaterThanOrEqualTo(used);
    alice.detail(runId).body("status", equalTo("FAILED"));
  }

  private static String plan(int steps) {
    return "{" + steps(steps).substring("'workflow':{".length()).replace('\'', '"');
  }

  private void plans(int steps, int promptTokens, int completionTokens) {
    chat.answers(
        new ModelEvent.Text(plan(steps)),
        new ModelEvent.Usage(promptTokens, completionTokens),
        new ModelEvent.Done(StopReason.END));
  }

  @Test
  void aRunThatUsesExactlyItsBudgetCompletes() {
    var runId = start("{'maxToolCalls':3}", steps(3));

    assertThat(alice.end(runId).type()).isEqualTo("complete");
    alice
        .detail(runId)
        .body("config.budget.maxToolCalls", equalTo(3))
        .body("usage.toolCalls", equalTo(3))
        .body("usage.modelCalls", equalTo(0))
        .body("usage.promptTokens", equalTo(0))
        .body("usage.estimated", equalTo(false))
        .body("usage.wallTimeMs", greaterThanOrEqualTo(0))
        .body("usage.calls", nullValue());
  }

  @Test
  void afterTheLastCallItMayMakeNothingNewStarts() {
    var runId = start("{'maxToolCalls':2}", steps(4));

    exceeded(runId, "maxToolCalls", 2, 2);
    assertThat(alice.types(runId))
        .containsExactly(
            "plan_ready", "step_start", "step_complete", "step_start", "step_complete", "error");
    alice.detail(runId).body("usage.toolCalls", equalTo(2));
  }

  @Test
  void whatRunsAlreadyComesToItsEnd() {
    var runId =
        start(
            "{'maxWallTimeMs':100}",
            "'workflow':{'steps':[{'toolName':'delay','args':{'ms':400}},"
                + ECHO.formatted(1).replace("}}", "},'dependsOn':[0]}")
                + "]}");

    exceeded(runId, "maxWallTimeMs", 100, 400);
    assertThat(alice.types(runId))
        .containsExactly("plan_ready", "step_start", "step_complete", "error");
    alice.detail(runId).body("usage.wallTimeMs", greaterThanOrEqualTo(400));
  }

  @Test
  void theSameCallMayBeMadeOnlySoOften() {
    var same =
        "'workflow':{'steps':["
            + ECHO.formatted(7)
            + ","
            + ECHO.formatted(7).replace("}}", "},'dependsOn':[0]}")
            + ","
            + ECHO.formatted(8).replace("}}", "},'dependsOn':[1]}")
            + "]}";

    assertThat(alice.end(start("{'maxIdenticalCalls':2}", same)).type()).isEqualTo("complete");
    exceeded(start("{'maxIdenticalCalls':1}", same), "maxIdenticalCalls", 1, 1);
  }

  @Test
  void tokensOfThePlanCountAndNoStepFollowsOnTooMany() {
    plans(2, 90, 30);
    var runId = start("{'maxTokens':100}", "'goal':'dear'");

    exceeded(runId, "maxTokens", 100, 120);
    assertThat(alice.types(runId)).doesNotContain("step_start");
    alice
        .detail(runId)
        .body("usage.promptTokens", equalTo(90))
        .body("usage.completionTokens", equalTo(30))
        .body("usage.modelCalls", equalTo(1))
        .body("usage.estimated", equalTo(false))
        .body("events.findAll { it.type == 'usage' }", hasSize(0));
  }

  @Test
  void whatAProviderDoesNotCountIsEstimated() {
    chat.says(plan(1));
    var runId = start("{}", "'goal':'uncounted'");

    assertThat(alice.end(runId).type()).isEqualTo("complete");
    alice
        .detail(runId)
        .body("usage.estimated", equalTo(true))
        .body("usage.promptTokens", greaterThan(100))
        .body("usage.completionTokens", greaterThan(5))
        .body("usage.toolCalls", equalTo(1));
  }

  @Test
  void aDirectRunEndsBetweenItsTurns() {
    for (int i = 0; i < 4; i++) {
      chat.calls("c" + i, "echo", "{'n':" + i + "}");
    }
    var config =
        "{'config':{'permissionMode':'full-access','planning_mode':'never',"
            + "'budget':{'maxTokens':20}},'goal':'talk'}";
    var runId = alice.start(config);

    exceeded(runId, "maxTokens", 20, 20);
    assertThat(chat.asked).hasSize(2);
    alice
        .detail(runId)
        .body("usage.modelCalls", equalTo(2))
        .body("usage.promptTokens", equalTo(14))
        .body("usage.completionTokens", equalTo(6))
        .body("usage.toolCalls", equalTo(1));
  }

  @Test
  void whatWasUsedBeforeAGateCountsAfterItAndWaitingCostsNoTime() {
    plans(3, 50, 10);
    var runId =
        alice.start(
            "{'goal':'gated','config':{'permissionMode':'full-access',"
                + "'budget':{'maxToolCalls':2,'maxTokens':1000,'maxWallTimeMs':60000}}}");
    var gate = alice.gate(runId);
    alice.detail(runId).body("usage.modelCalls", equalTo(1));
    alice.approve(runId, "{'gateId':'" + gate.path("gateId").asText() + "'}").statusCode(200);

    exceeded(runId, "maxToolCalls", 2, 2);
    alice
        .detail(runId)
        .body("usage.promptTokens", equalTo(50))
        .body("usage.toolCalls", equalTo(2))
        .body("usage.wallTimeMs", lessThan(60000));
  }

  @Test
  void callsOfEarlierStagesStayCounted() {
    var runId =
        alice.start(
            "{'config':{'budget':{'maxIdenticalCalls':1,'maxToolCalls':9}},'workflow':{'steps':["
                + ECHO.formatted(1)
                + ",{'toolName':'test_note','args':{},'dependsOn':[0]},"
                + ECHO.formatted(1).replace("}}", "},'dependsOn':[1]}")
                + "]}}");
    alice.gate(runId);
    alice.approve(runId, "").statusCode(200);

    exceeded(runId, "maxIdenticalCalls", 1, 1);
    alice.detail(runId).body("usage.toolCalls", equalTo(2));
  }

  @Test
  void anOwnersDefaultsHoldWhereARunNamesNoLimitOfItsOwn() {
    put("{'budget':{'maxToolCalls':1}}").statusCode(200);
    try {
      var runId = alice.start("{" + steps(2) + "}");
      exceeded(runId, "maxToolCalls", 1, 1);
      alice.detail(runId).body("config.budget.maxToolCalls", equalTo(1));
      assertThat(alice.end(start("{'maxToolCalls':5}", steps(2))).type()).isEqualTo("complete");
    } finally {
      put("{'budget':{}}").statusCode(200);
    }
    assertThat(alice.end(alice.start("{" + steps(2) + "}")).type()).isEqualTo("complete");
  }

  private static io.restassured.response.ValidatableResponse put(String body) {
    return given()
        .header("X-FengYu-Token", PostgresResource.ALICE_TOKEN)
        .contentType("application/json")
        .body(body.replace('\'', '"'))
        .put("/api/settings")
        .then();
  }

  @Test
  void whatIsNoLimitIsRefusedBeforeAnythingIsStored() {
    var goal = "budget-" + UUID.randomUUID();
    for (var budget :
        List.of(
            "7",
            "[]",
            "{'maxTokens':0}",
            "{'maxTokens':-1}",
            "{'maxToolCalls':1.5}",
            "{'maxWallTimeMs':'1000'}",
            "{'maxIdenticalCalls':true}",
            "{'maxTokens':99999999999999999999}",
            "{'maxCost':1}")) {
      alice
          .post(
              "/run", "{'goal':'" + goal + "','config':{'budget':" + budget + "}," + steps(1) + "}")
          .statusCode(400)
          .body("code", equalTo("RUN_CONFIG_INVALID"));
      put("{'budget':" + budget + "}").statusCode(400);
    }
    alice.get("/runs?q=" + goal).body("", hasSize(0));
  }
}
