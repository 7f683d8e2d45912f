package io.fengyu.agent.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.hasSize;
import static org.hamcrest.Matchers.startsWith;

import io.fengyu.contract.model.StopReason;
import io.fengyu.contract.testing.PostgresResource;
import io.quarkus.test.junit.QuarkusTest;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

@QuarkusTest
class PlanningStoryTest extends ModelStory {

  private static final String ECHO = "{\"steps\":[{\"toolName\":\"echo\",\"args\":{\"a\":1}}]}";
  private static final String FAIL =
      "{\"steps\":[{\"toolName\":\"echo\",\"args\":{\"first\":\"kept\"}},"
          + "{\"toolName\":\"fail\",\"args\":{\"message\":\"no such sheet\"},\"dependsOn\":[0]}]}";
  private static final String UNATTENDED = "'config':{'requirePlanApproval':false}";

  @Test
  void aGoalIsPlannedApprovedAndExecuted() {
    chat.says(
        "{\"goal\"",
        ":\"say it\",\"reasoning\":\"short\",",
        "\"steps\":[{\"index\":7,",
        "\"toolName\":\"echo\",\"args\":{\"n\":3}},{\"toolName\":\"echo\",",
        "\"args\":{\"m\":\"{{steps.0.result.n}}\"}}]}");
    var runId = alice.start("{'goal':'say it'}");

    var gate = alice.gate(runId);
    alice.detail(runId).body("status", equalTo("AWAITING_PLAN_APPROVAL"));
    alice.approve(runId, "{'decision':'approve','gateId':'" + gate.path("gateId").asText() + "'}");
    var events = alice.watch(runId);

    assertThat(events)
        .extracting(RunClient.Event::type)
        .containsExactly(
            "plan_token",
            "plan_token",
            "plan_token",
            "plan_token",
            "plan_token",
            "plan_ready",
            "plan_approval_requested",
            "step_start",
            "step_complete",
            "step_start",
            "step_complete",
            "complete");
    for (int i = 0; i < events.size(); i++) {
      assertThat(events.get(i).data().path("seq").asInt()).isEqualTo(i);
    }
    assertThat(text(events)).startsWith("{\"goal\":\"say it\"").endsWith("}]}");
    assertThat(events.get(1).data().path("delta")).isEqualTo(events.get(1).data().path("text"));
    assertThat(events.get(5).data().path("steps").get(0).path("index").asInt()).isZero();
    assertThat(events.get(10).data().path("output").toString()).isEqualTo("{\"m\":3}");
    alice
        .detail(runId)
        .body("status", equalTo("COMPLETED"))
        .body("config.requirePlanApproval", equalTo(true))
        .body("plan.reasoning", equalTo("short"))
        .body("events.findAll { it.type == 'plan_token' }", hasSize(0));
    var asked = chat.asked.getFirst();
    assertThat(asked.headers().getFirst("X-User-ID")).isEqualTo("alice");
    assertThat(asked.headers().getFirst("X-Internal-Secret"))
        .isEqualTo(PostgresResource.INTERNAL_SECRET);
    assertThat(asked.body().has("tools")).isFalse();
    assertThat(asked.system())
        .contains("- echo (read): ", "input schema: {", "- write_file (write)");
    assertThat(asked.user()).contains("Goal: say it");
  }

  @Test
  void aFenceAndWordsAroundThePlanDoNoHarm() {
    chat.says("Sure {not json}! ```json\n", ECHO, "\n```\nHope {that} helps.");

    var runId = alice.start("{'goal':'wrapped'," + UNATTENDED + "}");

    assertThat(alice.types(runId))
        .endsWith("plan_ready", "step_start", "step_complete", "complete");
    alice.detail(runId).body("plan.goal", equalTo("wrapped"));
  }

  @Test
  void aPlanWithoutStepsCompletes() {
    chat.says("{\"steps\":[]}");

    var runId = alice.start("{'goal':'nothing to do'," + UNATTENDED + "}");

    assertThat(alice.types(runId)).containsExactly("plan_token", "plan_ready", "complete");
  }

  @Test
  void anAnswerThatIsNoPlanFailsTheRun() {
    for (var answer :
        List.of(
            "I cannot do that.",
            "",
            "{\"goal\":\"no steps\"}",
            "{\"steps\":[1]}",
            "{\"steps\":[{\"toolName\":\"rm_rf\"}]}")) {
      chat.says(answer);
      assertPlanningFailed(alice.start("{'goal':'hopeless'," + UNATTENDED + "}"));
    }
    chat.stops(StopReason.LENGTH, ECHO);
    assertPlanningFailed(alice.start("{'goal':'too long'," + UNATTENDED + "}"));
  }

  @Test
  void aFailureOfTheProviderFailsTheRun() {
    chat.failsAfter("PROVIDER_ERROR", "{\"st");
    assertPlanningFailed(alice.start("{'goal':'broken'}"));
    chat.cutsAfter(ECHO);
    assertPlanningFailed(alice.start("{'goal':'cut'}"));
    chat.failsAfter("MODEL_UNAVAILABLE", "");
    var end = alice.end(alice.start("{'goal':'gone'}"));
    assertThat(end.data().path("code").asText()).isEqualTo("MODEL_UNAVAILABLE");
  }

  @Test
  void aModelThatDoesNotFinishIsGivenUpInTime() {
    chat.hangsAfter("{\"steps\":");

    var runId = alice.start("{'goal':'for ever'}");

    assertPlanningFailed(runId);
    assertThat(alice.end(runId).data().path("message").asText()).contains("within 5 s");
    assertThat(chat.gone).succeedsWithin(Duration.ofSeconds(2));
  }

  @Test
  void aCancelWhilePlanningClosesTheRequestToTheModel() {
    chat.hangsAfter("{\"steps\":");
    var runId = alice.start("{'goal':'stop me'}");
    alice.awaitEvent(runId, "plan_token");

    alice.cancel(runId).statusCode(200).body("ok", equalTo(true));

    assertThat(chat.gone).succeedsWithin(Duration.ofSeconds(1));
    assertThat(alice.types(runId)).containsExactly("plan_token", "error");
    assertThat(alice.end(runId).data().path("code").asText()).isEqualTo("CANCELLED");
    alice
        .detail(runId)
        .body("status", equalTo("CANCELLED"))
        .body("cancel_status", equalTo("confirmed"));
  }

  @Test
  void withoutAModelNothingIsStored() {
    for (var code : List.of("MODEL_NOT_CONFIGURED", "MODEL_UNAVAILABLE")) {
      chat.refuse(code);
      alice.post("/run", "{'goal':'unheard-of'}").statusCode(422).body("code", equalTo(code));
    }
    alice.get("/runs?q=unheard-of").statusCode(200).body("", hasSize(0));
    alice
        .post("/run", "{'goal':'unheard-of','planning_mode':'sometimes'}")
        .statusCode(400)
        .body("code", equalTo("RUN_CONFIG_INVALID"));
  }

  @Test
  void aFailedStepIsPlannedAgainWithWhatIsKnown() {
    chat.says(FAIL);
    chat.says(ECHO);

    var runId =
        alice.start(
            "{'goal':'try again','config':{'requirePlanApproval':false,'replanOnFailure':true,'maxReplans':1}}");

    assertThat(alice.types(runId))
        .containsExactly(
            "plan_token",
            "plan_ready",
            "step_start",
            "step_complete",
            "step_start",
            "step_failed",
            "plan_token",
            "plan_ready",
            "step_start",
            "step_complete",
            "complete");
    assertThat(chat.asked.get(1).user()).contains("no such sheet", "Step 1 failed", "kept");
    alice.detail(runId).body("executions", hasSize(1)).body("executions[0].index", equalTo(0));
  }

  @Test
  void theBudgetOfNewPlansHoldsOverGates() {
    chat.says(FAIL);
    chat.says(FAIL);
    var runId = alice.start("{'goal':'in vain','config':{'replanOnFailure':true,'maxReplans':1}}");

    alice.gate(runId);
    alice.approve(runId, "").statusCode(200);
    var second = alice.gate(runId, 1);
    assertThat(second.path("generation").asInt()).isEqualTo(2);
    alice.approve(runId, "").statusCode(200).body("execution_generation", equalTo(3));

    var end = alice.end(runId);
    assertThat(end.data().path("code").asText()).isEqualTo("STEP_FAILED");
    assertThat(end.data().path("index").asInt()).isEqualTo(1);
    assertThat(alice.types(runId).stream().filter("plan_ready"::equals)).hasSize(2);
    assertThat(chat.asked).hasSize(2);
  }

  @Test
  void aReportIsMadeOfActualResults() {
    chat.says("# Report\n", "It echoed 42.");

    var runId =
        alice.start(
            "{'output_format':'report','workflow':{'goal':'say it','steps':["
                + "{'toolName':'echo','args':{'n':42}}]}}");
    var events = alice.watch(runId);

    assertThat(events)
        .extracting(RunClient.Event::type)
        .containsExactly(
            "plan_ready", "step_start", "step_complete", "thinking", "token", "token", "complete");
    assertThat(alice.end(runId).data().path("result").asText())
        .isEqualTo("# Report\nIt echoed 42.");
    assertThat(alice.end(runId).data().path("summary").asText()).isEqualTo("1 step done: say it");
    assertThat(chat.asked.getFirst().user())
        .contains("Goal: say it", "Step 0 (echo)", "{\"n\":42}");
    assertThat(chat.asked.getFirst().body().has("tools")).isFalse();
  }

  @Test
  void aReportThatDoesNotComeIsAnErrorAndNoSuccess() {
    chat.failsAfter("PROVIDER_ERROR", "# Rep");

    var runId =
        alice.start(
            "{'config':{'output_format':'json'},'workflow':{'goal':'say it','steps':["
                + "{'toolName':'echo','args':{'n':42}}]}}");

    assertThat(alice.end(runId).type()).isEqualTo("error");
    assertThat(alice.end(runId).data().path("code").asText()).isEqualTo("PROVIDER_ERROR");
    alice.detail(runId).body("status", equalTo("FAILED")).body("executions", hasSize(1));

    chat.refuse("MODEL_NOT_CONFIGURED");
    alice
        .post("/run", "{'output_format':'report','workflow':{'steps':[]}}")
        .statusCode(422)
        .body("code", equalTo("MODEL_NOT_CONFIGURED"));
  }

  @Test
  void aStageOfReasoningComesBeforeThePlan() {
    chat.says("The sheet ", "is known.");
    chat.says(ECHO);

    var runId =
        alice.start(
            "{'goal':'careful','reasoning_mode':'staged','config':{'requirePlanApproval':false}}");

    assertThat(alice.types(runId))
        .containsExactly(
            "thinking",
            "thinking",
            "thinking",
            "plan_token",
            "plan_ready",
            "step_start",
            "step_complete",
            "complete");
    assertThat(chat.asked.get(1).user()).contains("Checked beforehand:\nThe sheet is known.");
    assertThat(chat.asked.get(1).body().has("tools")).isFalse();
    alice.detail(runId).body("plan.goal", equalTo("careful"));
  }

  @Test
  void aConversationIsToldToThePlanner() {
    var session = "conv-" + UUID.randomUUID();
    chat.says(ECHO);
    chat.says(ECHO);
    alice.watch(
        alice.start("{'goal':'the first one','session_id':'" + session + "'," + UNATTENDED + "}"));

    alice.watch(
        alice.start("{'goal':'the second one','session_id':'" + session + "'," + UNATTENDED + "}"));

    assertThat(chat.asked.get(0).user()).doesNotContain("Earlier runs");
    assertThat(chat.asked.get(1).user())
        .contains("COMPLETED: the first one -> 1 step done: the first one", "Goal: the second one");
  }

  @Test
  void whatAnInterruptedRunConfirmedIsToldToTheNextPlanner() {
    var session = "conv-" + UUID.randomUUID();
    chat.says(
        "{\"steps\":[{\"toolName\":\"echo\",\"args\":{\"found\":\"three\"}},"
            + "{\"toolName\":\"test_note\",\"dependsOn\":[0]}]}");
    chat.says(ECHO);
    var first = alice.start("{'goal':'count','session_id':'" + session + "'," + UNATTENDED + "}");
    alice.gate(first);
    alice.cancel(first);
    alice.end(first);

    alice.watch(alice.start("{'goal':'go on','session_id':'" + session + "'," + UNATTENDED + "}"));

    assertThat(chat.asked.get(1).user())
        .contains("CANCELLED: count", "was interrupted", "- echo: {\"found\":\"three\"}");
  }

  @Test
  void aNewPlanAsksBeforeItRepeatsWhatTheOldOneDid() {
    var again =
        "{\"steps\":[{\"toolName\":\"test_note\",\"args\":{\"mail\":1}},"
            + "{\"toolName\":\"fail\",\"dependsOn\":[0]}]}";
    chat.says(again);
    chat.says(again);
    var runId =
        alice.start(
            "{'goal':'mail it','config':{'requirePlanApproval':false,'replanOnFailure':true,"
                + "'maxReplans':1,'permissionMode':'approve-for-me'}}");

    var gate = alice.gate(runId);

    assertThat(gate.path("reason").asText()).isEqualTo("repeat");
    assertThat(gate.path("alreadyDone").path(0).path("state").asText()).isEqualTo("done");
    assertThat(StoryTools.calls(runId)).hasSize(1);
    alice.approve(runId, "{'decision':'reject'}").statusCode(200);
    assertThat(alice.end(runId).type()).isEqualTo("error");
    assertThat(StoryTools.calls(runId)).hasSize(1);
  }

  @Test
  void aBatchStartsOneRunForEachGoal() {
    alice
        .post("/batch", "{'goals':['a','b','c','d','e','f','g','h','i']}")
        .statusCode(400)
        .body("code", equalTo("BATCH_SIZE"));
    alice.post("/batch", "{'goals':[' ']}").statusCode(400);
    alice.post("/batch", "{'goals':['a'],'capabilityMode':'write'}").statusCode(400);
    assertThat(chat.asked).isEmpty();
    var writing = "{\"steps\":[{\"toolName\":\"test_note\"}]}";
    chat.says(writing);
    chat.says(writing);

    List<String> runs =
        alice
            .post("/batch", "{'goals':['batch one',' ','batch two'],'capabilityMode':'read-only'}")
            .statusCode(200)
            .body("runIds", hasSize(2))
            .extract()
            .path("runIds");

    alice.detail(runs.get(0)).body("goal", equalTo("batch one"));
    alice.detail(runs.get(1)).body("goal", equalTo("batch two"));
    for (var runId : runs) {
      assertThat(alice.types(runId))
          .doesNotContain("step_start", "plan_approval_requested")
          .endsWith("error");
      alice.detail(runId).body("status", equalTo("FAILED"));
      assertThat(StoryTools.calls(runId)).isEmpty();
    }
    assertThat(chat.asked.getFirst().system()).doesNotContain("- test_note");
  }

  private void assertPlanningFailed(String runId) {
    var events = alice.watch(runId);
    assertThat(events.getLast().data().path("code").asText()).isEqualTo("PLANNING_FAILED");
    assertThat(events.getLast().data().path("message").asText()).startsWith("Planning failed: ");
    assertThat(events).extracting(RunClient.Event::type).doesNotContain("step_start", "plan_ready");
    alice
        .detail(runId)
        .body("status", equalTo("FAILED"))
        .body("error", startsWith("Planning failed: "));
  }

  private static String text(List<RunClient.Event> events) {
    return events.stream()
        .filter(event -> event.type().equals("plan_token"))
        .map(event -> event.data().path("text").asText())
        .collect(Collectors.joining());
  }
}
