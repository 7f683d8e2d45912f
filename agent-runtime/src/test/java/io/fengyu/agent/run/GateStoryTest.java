package io.fengyu.agent.run;

import static io.restassured.RestAssured.given;
import static org.assertj.core.api.Assertions.assertThat;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.hasSize;
import static org.hamcrest.Matchers.nullValue;

import io.fengyu.contract.testing.PostgresResource;
import io.quarkus.test.junit.QuarkusTest;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Decisions of people about what a run wants to do. */
@QuarkusTest
class GateStoryTest extends RunStory {

  @Test
  void aWriteWaitsForApprovalAndGoesOnOnce() {
    var runId =
        alice.start(
            "{'workflow':{'goal':'write','steps':[{'toolName':'echo','args':{'v':7}},"
                + "{'toolName':'test_note','args':{'v':'{{last.result.v}}','password':'p'}}]}}");

    var gate = alice.gate(runId);

    assertThat(gate.path("index").asInt()).isOne();
    assertThat(gate.path("args").toString()).isEqualTo("{\"v\":7,\"password\":\"***\"}");
    assertThat(gate.path("tool_call_id").asText()).isEqualTo(runId + ":step:1");
    alice
        .detail(runId)
        .body("status", equalTo("AWAITING_STEP_APPROVAL"))
        .body("pendingGate.gateId", equalTo("g-1-" + runId));
    assertThat(StoryTools.calls(runId)).isEmpty();

    alice
        .approve(
            runId,
            "{'decision':'approve','gateId':'g-1-"
                + runId
                + "','tool_name':'test_note','generation':1,'run_id':'"
                + runId
                + "'}")
        .statusCode(200)
        .body("ok", equalTo(true))
        .body("already", nullValue())
        .body("status", equalTo("EXECUTING"))
        .body("execution_generation", equalTo(2));
    var events = alice.watch(runId);
    assertThat(events)
        .extracting(RunClient.Event::type)
        .containsExactly(
            "plan_ready",
            "step_start",
            "step_complete",
            "step_approval_requested",
            "step_start",
            "step_complete",
            "complete");
    assertThat(StoryTools.calls(runId)).hasSize(1);
    assertThat(StoryTools.calls(runId).getFirst().args().path("password").asText()).isEqualTo("p");
    alice
        .approve(runId, "{'decision':'approve','gateId':'g-1-" + runId + "'}")
        .statusCode(200)
        .body("already", equalTo(true));
    alice
        .approve(runId, "{'decision':'reject','gateId':'g-1-" + runId + "'}")
        .statusCode(409)
        .body("code", equalTo("STALE_APPROVAL"));
    alice.approve(runId, "").statusCode(409).body("code", equalTo("NO_PENDING_APPROVAL"));
    alice
        .get("/runs/" + runId + "/receipts")
        .statusCode(200)
        .body("", hasSize(1))
        .body("[0].state", equalTo("done"));
  }

  @Test
  void approvingTwiceDoesNotReleaseTheNextGate() {
    var runId =
        alice.start(
            "{'config':{'requireStepApproval':'every'},'workflow':{'steps':["
                + "{'toolName':'echo'},{'toolName':'echo','dependsOn':[0]}]}}");
    alice.gate(runId);
    alice.approve(runId, "{'gateId':'g-1-" + runId + "'}").statusCode(200);
    alice.gate(runId, 1);

    alice
        .approve(runId, "{'gateId':'g-1-" + runId + "'}")
        .statusCode(200)
        .body("already", equalTo(true));

    alice
        .detail(runId)
        .body("status", equalTo("AWAITING_STEP_APPROVAL"))
        .body("pendingGate.gateId", equalTo("g-2-" + runId));
    alice.approve(runId, "").statusCode(200).body("execution_generation", equalTo(3));
    assertThat(alice.end(runId).type()).isEqualTo("complete");
  }

  @Test
  void ofManyApprovalsAtOnceOneGoesOn() {
    var runId = alice.start("{'workflow':{'steps':[{'toolName':'test_note'}]}}");
    alice.gate(runId);

    var answers =
        IntStream.range(0, 8)
            .mapToObj(
                i ->
                    CompletableFuture.supplyAsync(
                        () ->
                            alice
                                .approve(runId, "{'gateId':'g-1-" + runId + "'}")
                                .statusCode(200)
                                .extract()
                                .<Boolean>path("already")))
            .toList()
            .stream()
            .map(CompletableFuture::join)
            .toList();

    assertThat(answers.stream().filter(already -> already == null)).hasSize(1);
    assertThat(alice.end(runId).type()).isEqualTo("complete");
    assertThat(StoryTools.calls(runId)).hasSize(1);
  }

  @Test
  void anApprovalForSomethingElseIsRefused() {
    var runId = alice.start("{'workflow':{'steps':[{'toolName':'test_note'}]}}");
    alice.gate(runId);

    for (var body :
        List.of(
            "{'gateId':'g-9'}", "{'run_id':'x'}", "{'tool_call_id':'x'}", "{'tool_name':'echo'}")) {
      alice.approve(runId, body).statusCode(409).body("code", equalTo("STALE_APPROVAL"));
    }
    alice
        .approve(runId, "{'generation':2}")
        .statusCode(409)
        .body("code", equalTo("STALE_GENERATION"));
    for (var body : List.of("[{'decision':'approve'}]", "{'decisions':[]}")) {
      alice
          .approve(runId, body)
          .statusCode(409)
          .body("code", equalTo("MULTIPLE_PENDING_UNSUPPORTED"));
    }
    alice.approve(runId, "{'decision':'maybe'}").statusCode(400);
    alice
        .approve(runId, "{'approved':false}")
        .statusCode(400)
        .body("code", equalTo("DECISION_MISSING"));
    alice.approve(runId, "{'decision':'modify'}").statusCode(400);
    RunClient.bob().approve(runId, "").statusCode(404).body("code", equalTo("RUN_NOT_FOUND"));
    alice.approve(UUID.randomUUID().toString(), "").statusCode(404);
    alice.approve("x", "").statusCode(404);

    alice.detail(runId).body("status", equalTo("AWAITING_STEP_APPROVAL"));
    alice.cancel(runId);
  }

  @Test
  void aModifiedCallUsesThePatchedArguments() {
    var runId =
        alice.start(
            "{'workflow':{'steps':[{'toolName':'test_note','args':{'to':'a','token':'t'}}]}}");
    alice.gate(runId);

    alice
        .approve(runId, "{'decision':'modify','patched_args':{'to':'b','token':'***'}}")
        .statusCode(200);

    alice.watch(runId);
    assertThat(StoryTools.calls(runId).getFirst().args().toString())
        .isEqualTo("{\"to\":\"b\",\"token\":\"t\"}");
  }

  @Test
  void aRejectedStepFailsTheRunAndNothingIsCalled() {
    var runId = alice.start("{'workflow':{'steps':[{'toolName':'test_note'}]}}");
    alice.gate(runId);

    alice.approve(runId, "{'decision':'reject'}").statusCode(200);

    var end = alice.end(runId);
    assertThat(end.data().path("code").asText()).isEqualTo("STEP_FAILED");
    assertThat(end.data().path("message").asText()).isEqualTo("Step 0 failed: Rejected by user");
    assertThat(StoryTools.calls(runId)).isEmpty();
  }

  @Test
  void aRejectedPlanCancelsTheRun() {
    var runId =
        alice.start(
            "{'config':{'requirePlanApproval':true},'workflow':{'steps':[{'toolName':'echo'}]}}");
    var gate = alice.gate(runId);
    assertThat(gate.path("kind").asText()).isEqualTo("plan");
    assertThat(gate.path("plan").path("steps")).hasSize(1);

    alice
        .approve(runId, "{'decision':'reject'}")
        .statusCode(200)
        .body("status", equalTo("CANCELLED"));

    assertThat(alice.types(runId))
        .containsExactly("plan_ready", "plan_approval_requested", "error");
    alice.detail(runId).body("status", equalTo("CANCELLED"));
  }

  @Test
  void aTrimmedPlanRunsOnlyItsSteps() {
    var runId =
        alice.start(
            "{'config':{'requirePlanApproval':true,"
                + FULL.substring(10, FULL.length() - 1)
                + "},"
                + "'workflow':{'goal':'g','steps':[{'toolName':'echo','args':{'n':0}},{'toolName':'test_note'},"
                + "{'toolName':'echo','args':{'n':2}}]}}");
    alice.gate(runId);
    alice
        .approve(
            runId,
            "{'steps':[{'index':0,'toolName':'echo'},{'index':2,'toolName':'echo','dependsOn':[1]}]}")
        .statusCode(400)
        .body("code", equalTo("INVALID_PLAN"))
        .body("detail", containsString("removed"));
    alice.detail(runId).body("status", equalTo("AWAITING_PLAN_APPROVAL"));

    alice
        .approve(
            runId,
            "{'goal':'g','steps':[{'index':0,'toolName':'echo','args':{'n':0}},"
                + "{'index':2,'toolName':'echo','args':{'n':2}}]}")
        .statusCode(200);

    assertThat(alice.end(runId).data().path("summary").asText()).isEqualTo("2 steps done: g");
    assertThat(StoryTools.calls(runId)).isEmpty();
    alice.detail(runId).body("plan.steps", hasSize(2));
  }

  @Test
  void atAStepGateWhatHasHappenedCanNotBeEdited() {
    var runId =
        alice.start(
            "{'workflow':{'steps':[{'toolName':'echo','args':{'n':1}},"
                + "{'toolName':'test_note','args':{'n':'{{last.result.n}}'}}]}}");
    alice.gate(runId);
    alice
        .approve(runId, "{'steps':[{'toolName':'echo','args':{'n':2}},{'toolName':'test_note'}]}")
        .statusCode(409)
        .body("code", equalTo("PLAN_EDIT_CONFLICT"));

    alice
        .approve(
            runId,
            "{'steps':[{'toolName':'echo','args':{'n':1}},"
                + "{'toolName':'test_note','args':{'edited':'{{last.result.n}}'}}]}")
        .statusCode(200);

    alice.watch(runId);
    assertThat(StoryTools.calls(runId).getFirst().args().toString()).isEqualTo("{\"edited\":1}");
  }

  @Test
  void gatesOfALevelAreSettledOneByOneAndCompletedStepsStayDone() {
    var runId =
        alice.start(
            "{'workflow':{'steps':[{'toolName':'echo','args':{'n':1}},"
                + "{'toolName':'test_note','args':{'a':'{{steps.0.result.n}}'}},"
                + "{'toolName':'test_note','args':{'b':'{{steps.0.input.n}}'}}]}}");
    assertThat(alice.gate(runId, 0).path("index").asInt()).isEqualTo(1);
    alice.approve(runId, "").statusCode(200);
    assertThat(alice.gate(runId, 1).path("index").asInt()).isEqualTo(2);
    assertThat(StoryTools.calls(runId)).isEmpty();
    alice.approve(runId, "").statusCode(200).body("execution_generation", equalTo(3));

    assertThat(alice.types(runId))
        .containsExactly(
            "plan_ready",
            "step_start",
            "step_complete",
            "step_approval_requested",
            "step_approval_requested",
            "step_start",
            "step_start",
            "step_complete",
            "step_complete",
            "complete");
    assertThat(StoryTools.calls(runId))
        .extracting(call -> call.args().toString())
        .containsExactlyInAnyOrder("{\"a\":1}", "{\"b\":1}");
  }

  @Test
  void approvingNeedsNoBodyAtAll() {
    var runId = alice.start("{'workflow':{'steps':[{'toolName':'test_note'}]}}");
    alice.gate(runId);

    given()
        .header("X-FengYu-Token", PostgresResource.ALICE_TOKEN)
        .post("/api/agent/" + runId + "/approve")
        .then()
        .statusCode(200);

    assertThat(alice.end(runId).type()).isEqualTo("complete");
  }
}
