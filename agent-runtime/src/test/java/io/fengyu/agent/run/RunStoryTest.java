package io.fengyu.agent.run;

import static io.restassured.RestAssured.given;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.hamcrest.Matchers.contains;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.hasSize;
import static org.hamcrest.Matchers.notNullValue;
import static org.hamcrest.Matchers.nullValue;

import io.fengyu.contract.client.Peers;
import io.fengyu.contract.client.Service;
import io.fengyu.contract.testing.PostgresResource;
import io.quarkus.test.junit.QuarkusTest;
import io.vertx.mutiny.sqlclient.Pool;
import io.vertx.mutiny.sqlclient.Tuple;
import jakarta.inject.Inject;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

@QuarkusTest
class RunStoryTest {

  @Inject Pool pool;
  @Inject Peers peers;

  private static final String FULL = "'config':{'permissionMode':'full-access'}";

  private final RunClient alice = RunClient.alice();

  @Test
  void aSuppliedWorkflowRunsToItsEndWithoutAGate() {
    var started =
        alice
            .post(
                "/run",
                "{'goal':'say it','workflow':{'steps':["
                    + "{'toolName':'echo','args':{'files':[{'name':'a','n':3}]}},"
                    + "{'toolName':'echo','args':{'n':'{{steps.0.result.files[0].n}}','t':'file {{last.result.files[0].name}}'}}]}}")
            .statusCode(200)
            .body("status", equalTo("PLANNING"))
            .body("execution_generation", equalTo(1))
            .body("replayed", equalTo(false));
    String runId = started.extract().path("runId");

    var events = alice.watch(runId);

    assertThat(events)
        .extracting(RunClient.Event::type)
        .containsExactly(
            "plan_ready", "step_start", "step_complete", "step_start", "step_complete", "complete");
    assertThat(events)
        .extracting(e -> e.data().path("seq").asInt())
        .containsExactly(0, 1, 2, 3, 4, 5);
    assertThat(events.getFirst().data().path("plan").path("steps")).hasSize(2);
    assertThat(events.get(4).data().path("output").toString())
        .isEqualTo("{\"n\":3,\"t\":\"file a\"}");
    assertThat(events.getLast().data().path("summary").asText()).isEqualTo("2 steps done: say it");
    alice
        .detail(runId)
        .statusCode(200)
        .body("status", equalTo("COMPLETED"))
        .body("summary", equalTo("2 steps done: say it"))
        .body("executions", hasSize(2))
        .body("executions[1].status", equalTo("COMPLETED"))
        .body("config.permissionMode", equalTo("ask-for-approval"))
        .body("config.requirePlanApproval", equalTo(false));
  }

  @Test
  void everyStepOfThePlanHasAStateAlsoBeforeItBegins() {
    var runId =
        alice.start(
            "{'workflow':{'steps':[{'toolName':'echo','args':{}},"
                + "{'toolName':'test_note','args':{},'dependsOn':[0]},"
                + "{'toolName':'read_file','args':{'path':'none.txt'},'dependsOn':[1]},"
                + "{'toolName':'echo','args':{},'dependsOn':[2]}]}}");
    alice.gate(runId);

    states(runId, "COMPLETED", "AWAITING_APPROVAL", "PENDING", "PENDING");

    alice.approve(runId, "").statusCode(200);
    alice.end(runId);
    states(runId, "COMPLETED", "COMPLETED", "FAILED", "PENDING");
  }

  @Test
  void aStepWhoseGateWasCancelledWasNeverBegun() {
    var runId = alice.start("{'workflow':{'steps':[{'toolName':'test_note','args':{}}]}}");
    alice.gate(runId);
    states(runId, "AWAITING_APPROVAL");

    alice.cancel(runId).statusCode(200);

    alice.end(runId);
    states(runId, "PENDING");
  }

  private void states(String runId, String... states) {
    alice.detail(runId).body("executions.status", contains(states));
  }

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
  void aPlanThatMultipliesItsTextsFailsBeforeItFillsTheMemory() {
    var twenty = "{{last.result}}".repeat(20);
    var step = ",{'toolName':'echo','args':{'t':'" + twenty + "'}}";
    var runId =
        alice.start(
            "{'workflow':{'steps':[{'toolName':'echo','args':{'t':'"
                + "x".repeat(100_000)
                + "'}}"
                + step.repeat(6)
                + "]}}");

    var end = alice.end(runId);

    assertThat(end.type()).isEqualTo("error");
    assertThat(end.data().path("code").asText()).isEqualTo("STEP_FAILED");
    assertThat(end.data().path("message").asText()).contains("characters");
    var many = "'{{steps.0.result}}',".repeat(200);
    var wide =
        alice.start(
            "{'workflow':{'steps':[{'toolName':'echo','args':{'t':'"
                + "x".repeat(100_000)
                + "'}},{'toolName':'echo','args':{'t':["
                + many
                + "1]}}]}}");
    assertThat(alice.end(wide).type()).isEqualTo("error");
  }

  @Test
  void aResultThatIsNoPossibleNumberIsAText() {
    var runId =
        alice.start(
            "{'workflow':{'steps':[{'toolName':'echo','pinnedResult':'1e99999999999999'},"
                + "{'toolName':'echo','args':{'t':'{{steps.0.result}}'}}]}}");

    var events = alice.watch(runId);

    assertThat(events.getLast().type()).isEqualTo("complete");
    assertThat(events.get(4).data().path("output").path("t").asText())
        .isEqualTo("1e99999999999999");
  }

  @Test
  void inputsAreBoundAndInert() {
    var runId =
        alice.start(
            "{'goal':'for {{inputs.who}}','inputs':{'who':'{{steps.0.result}}','n':2},"
                + "'workflow':{'goal':'x','steps':[{'toolName':'echo','args':{'w':'{{inputs.who}}','n':'{{inputs.n}}'}}]}}");

    var events = alice.watch(runId);

    assertThat(events.get(2).data().path("output").toString())
        .isEqualTo("{\"w\":\"{{steps.0.result}}\",\"n\":2}");
    assertThat(events.getLast().data().path("summary").asText())
        .isEqualTo("1 step done: for {{steps.0.result}}");
    assertThat(events.getFirst().data().path("steps").get(0).path("args").path("n").asText())
        .isEqualTo("{{inputs.n}}");
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
  void cancellingDuringALongStepEndsTheRunSoon() {
    var runId = alice.start("{" + FULL + ",'workflow':{'steps':[{'toolName':'test_slow'}]}}");
    await().until(() -> !StoryTools.calls(runId).isEmpty());

    alice
        .cancel(runId)
        .statusCode(200)
        .body("ok", equalTo(true))
        .body("runId", equalTo(runId))
        .body("cancel_status", equalTo("requested"));

    var events = alice.watch(runId);
    assertThat(events)
        .extracting(RunClient.Event::type)
        .doesNotContain("complete")
        .endsWith("error");
    assertThat(events.getLast().data().path("code").asText()).isEqualTo("CANCELLED");
    assertThat(events.getLast().data().path("message").asText()).isEqualTo("Run cancelled");
    alice
        .detail(runId)
        .body("status", equalTo("CANCELLED"))
        .body("cancel_status", equalTo("confirmed"));
    alice.get("/runs/" + runId + "/receipts").body("[0].state", equalTo("unknown"));
    alice
        .cancel(runId)
        .statusCode(200)
        .body("ok", equalTo(true))
        .body("status", equalTo("CANCELLED"));
  }

  @Test
  void cancellingAtAGateEndsTheRunWithoutTheStep() {
    var runId = alice.start("{'workflow':{'steps':[{'toolName':'test_note'}]}}");
    alice.gate(runId);

    alice.cancel(runId).statusCode(200).body("status", equalTo("CANCELLED"));

    assertThat(alice.types(runId))
        .containsExactly("plan_ready", "step_approval_requested", "error");
    assertThat(StoryTools.calls(runId)).isEmpty();
    alice.approve(runId, "{'gateId':'g-1-" + runId + "'}").statusCode(409);
  }

  @Test
  void cancellingWhatHasEndedOrNeverWas() {
    var runId = alice.start("{'workflow':{'steps':[]}}");
    alice.watch(runId);

    alice
        .cancel(runId)
        .statusCode(200)
        .body("ok", equalTo(false))
        .body("status", equalTo("COMPLETED"));
    RunClient.bob().cancel(runId).statusCode(404).body("code", equalTo("RUN_NOT_FOUND"));
    alice.cancel(UUID.randomUUID().toString()).statusCode(404);
  }

  @Test
  void aRepeatedStartGetsTheFirstRunBack() {
    var id = "start-" + UUID.randomUUID();
    var body = "{'start_request_id':'" + id + "','workflow':{'goal':'once','steps':[]}}";

    var runs =
        IntStream.range(0, 8)
            .mapToObj(i -> CompletableFuture.supplyAsync(() -> alice.start(body)))
            .toList()
            .stream()
            .map(CompletableFuture::join)
            .distinct()
            .toList();

    assertThat(runs).hasSize(1);
    alice
        .post("/run", "{'workflow':{'steps':[],  'goal':'once'}, 'startRequestId':'" + id + "'}")
        .statusCode(200)
        .body("replayed", equalTo(true))
        .body("runId", equalTo(runs.getFirst()));
    alice
        .post("/run", body.replace("once", "twice"))
        .statusCode(409)
        .body("code", equalTo("START_IDEMPOTENCY_CONFLICT"));
    RunClient.bob().post("/run", body).statusCode(200).body("replayed", equalTo(false));
  }

  @Test
  void aStartWhoseProcessDiedBeforeTheRunWasMadeIsTakenOver() {
    var id = "start-" + UUID.randomUUID();
    var body = "{'start_request_id':'" + id + "','workflow':{'goal':'once','steps':[]}}";
    var first = alice.start(body);
    var orphaned =
        """
        UPDATE agent.start_claim
           SET status = NULL, answer = NULL, subject = NULL,
               claimed_at = now() - interval '1 minute'
         WHERE key_digest = sha256(convert_to($1, 'UTF8'))""";
    pool.preparedQuery(orphaned).execute(Tuple.of(id)).await().atMost(Duration.ofSeconds(10));

    var second = alice.start(body);

    assertThat(second).isNotEqualTo(first);
    alice
        .post("/run", body)
        .statusCode(200)
        .body("replayed", equalTo(true))
        .body("runId", equalTo(second));
  }

  @Test
  void aFailedStartDoesNotKeepItsId() {
    var id = "start-" + UUID.randomUUID();
    var body =
        "{'start_request_id':'"
            + id
            + "','files':[{'name':'x'}],'workflow':{'goal':'once','steps':[]}}";

    alice.post("/run", body).statusCode(400);
    alice.post("/run", body).statusCode(400);
    alice.post("/run", body.replace(",'files':[{'name':'x'}]", "")).statusCode(200);
  }

  @Test
  void aConversationHasOneActiveRun() {
    var session = "s-" + UUID.randomUUID();
    var body = "{'session_id':'" + session + "','workflow':{'steps':[{'toolName':'test_note'}]}}";
    var runId = alice.start(body);
    alice.gate(runId);

    alice
        .post("/run", body)
        .statusCode(409)
        .body("code", equalTo("SESSION_BUSY"))
        .body("active_run.run_id", equalTo(runId));

    alice.cancel(runId);
    await()
        .atMost(Duration.ofSeconds(5))
        .untilAsserted(
            () -> alice.post("/run", body).statusCode(200).body("runId", notNullValue()));
  }

  @Test
  void anEndThatWasNotReadBackKeepsTheConversationBusy() {
    var session = "s-" + UUID.randomUUID();
    var body = "{'session_id':'" + session + "','workflow':{'goal':'once','steps':[]}}";
    var runId = alice.start(body);
    await()
        .atMost(Duration.ofSeconds(5))
        .untilAsserted(() -> alice.detail(runId).body("terminal_persisted", equalTo(true)));
    readBack(runId, false);

    alice.get("/sessions/" + session).body("can_send", equalTo(false));
    alice
        .detail(runId)
        .body("status", equalTo("COMPLETED"))
        .body("terminal_persisted", equalTo(false))
        .body("can_send", equalTo(false));
    alice.post("/run", body).statusCode(409).body("code", equalTo("SESSION_BUSY"));

    readBack(runId, true);
    alice.get("/sessions/" + session).body("can_send", equalTo(true));
    alice.post("/run", body).statusCode(200);
  }

  private void readBack(String runId, boolean done) {
    pool.preparedQuery("UPDATE agent.run SET terminal_persisted = $2 WHERE id = $1")
        .execute(Tuple.of(UUID.fromString(runId), done))
        .await()
        .atMost(Duration.ofSeconds(10));
  }

  @Test
  void numbersKeepAllTheirDigits() {
    var runId =
        alice.start(
            "{'workflow':{'steps':[{'toolName':'echo',"
                + "'args':{'n':12345678901234567890.120,'m':12345678901234567890}}]}}");

    assertThat(alice.watch(runId).get(2).data().path("result").asText())
        .isEqualTo("{\"n\":12345678901234567890.120,\"m\":12345678901234567890}");
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
