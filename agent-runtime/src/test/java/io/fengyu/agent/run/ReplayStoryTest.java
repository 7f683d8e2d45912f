package io.fengyu.agent.run;

import static io.restassured.RestAssured.given;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.hamcrest.Matchers.contains;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.notNullValue;
import static org.hamcrest.Matchers.nullValue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fengyu.contract.testing.PostgresResource;
import io.quarkus.test.junit.QuarkusTest;
import io.vertx.mutiny.sqlclient.Pool;
import io.vertx.mutiny.sqlclient.Tuple;
import jakarta.inject.Inject;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Runs that take over the plan of an earlier one. */
@QuarkusTest
class ReplayStoryTest {

  private static final Duration SOON = Duration.ofSeconds(20);
  private static final String FULL = "'config':{'permissionMode':'full-access'}";
  private static final String FOR_ME = "'config':{'permissionMode':'approve-for-me'}";
  private static final String NOTE = "{'toolName':'test_note','args':{'n':1}}";
  private static final String FAIL = "{'toolName':'fail','args':{'message':'no such sheet'}}";

  private final RunClient alice = RunClient.alice();

  @Inject Pool pool;

  private String ended(String body, String type) {
    var runId = alice.start(body);
    assertThat(alice.end(runId).type()).isEqualTo(type);
    return runId;
  }

  private String failing(String config) {
    return ended(
        "{'goal':'try'," + config + ",'workflow':{'steps':[" + NOTE + "," + FAIL + "]}}", "error");
  }

  private String resumed(String runId) {
    return alice.post("/runs/" + runId + "/resume", "").statusCode(200).extract().path("runId");
  }

  private static ObjectNode plan(JsonNode gate) {
    return (ObjectNode) gate.path("plan");
  }

  @Test
  void aResumedRunIsReviewedFirstAndDoesOnlyWhatIsLeft() {
    var first =
        ended(
            "{'goal':'try',"
                + FULL
                + ",'workflow':{'steps':[{'toolName':'test_note','args':{'n':7}},"
                + "{'toolName':'read_file','args':{'path':'late.txt'},'dependsOn':[0]},"
                + "{'toolName':'echo','args':{'n':'{{steps.0.result.n}}'},'dependsOn':[1]}]}}",
            "error");

    var second = resumed(first);
    var gate = alice.gate(second);

    assertThat(gate.path("kind").asText()).isEqualTo("plan");
    assertThat(gate.path("inherited")).hasSize(1);
    assertThat(plan(gate).path("steps")).hasSize(3);
    alice
        .detail(second)
        .body("resumedFrom", equalTo(first))
        .body("status", equalTo("AWAITING_PLAN_APPROVAL"))
        .body("execution_generation", equalTo(1))
        .body("executions.index", contains(0, 1, 2))
        .body("executions.status", contains("COMPLETED", "PENDING", "PENDING"))
        .body("executions[0].result", equalTo("{\"n\":7}"))
        .body("executions[0].inherited", equalTo(true))
        .body("executions[0].inheritedFrom", equalTo(first));

    var edited = plan(gate).deepCopy();
    ((ObjectNode) edited.path("steps").path(1)).put("toolName", "glob");
    ((ObjectNode) edited.path("steps").path(1)).putObject("args").put("pattern", "*");
    alice.approve(second, edited.toString()).statusCode(200);

    assertThat(alice.end(second).type()).isEqualTo("complete");
    assertThat(StoryTools.calls(second)).isEmpty();
    assertThat(StoryTools.calls(first)).hasSize(1);
    assertThat(steps(second, "step_start")).containsExactly(1, 2);
    alice
        .detail(second)
        .body("summary", equalTo("3 steps done: try"))
        .body("executions.status", contains("COMPLETED", "COMPLETED", "COMPLETED"))
        .body("executions[2].result", equalTo("{\"n\":7}"));
  }

  private List<Integer> steps(String runId, String type) {
    return alice.watch(runId).stream()
        .filter(event -> event.type().equals(type))
        .map(event -> event.data().path("index").asInt())
        .toList();
  }

  @Test
  void whatWasInheritedIsInheritedOnAndStaysWhenItsRunIsGone() {
    var first = failing(FULL);
    var second = resumed(first);
    alice.gate(second);
    alice.approve(second, "").statusCode(200);
    assertThat(alice.end(second).type()).isEqualTo("error");
    for (var table : List.of("run_event WHERE run_id", "run WHERE id")) {
      pool.preparedQuery("DELETE FROM agent." + table + " = $1")
          .execute(Tuple.of(UUID.fromString(first)))
          .await()
          .atMost(SOON);
    }

    var third = resumed(second);

    alice.gate(third);
    alice
        .detail(third)
        .body("resumedFrom", equalTo(second))
        .body("executions[0].result", equalTo("{\"n\":1}"))
        .body("executions[0].inheritedFrom", equalTo(first));
  }

  @Test
  void aStepThatTheReviewerChangedIsDoneAgainWithAllThatHangsOnIt() {
    var first =
        ended(
            "{'goal':'try',"
                + FULL
                + ",'workflow':{'steps':[{'toolName':'echo','args':{'n':1}},"
                + "{'toolName':'echo','args':{'n':'{{steps.0.result.n}}'}},"
                + "{'toolName':'echo','args':{'own':true}},"
                + FAIL
                + "]}}",
            "error");
    var second = resumed(first);
    var edited = plan(alice.gate(second)).deepCopy();
    ((ObjectNode) edited.path("steps").path(0).path("args")).put("n", 2);
    ((ArrayNode) edited.path("steps")).remove(3);

    alice.approve(second, edited.toString()).statusCode(200);

    assertThat(alice.end(second).type()).isEqualTo("complete");
    assertThat(steps(second, "step_start")).containsExactly(0, 1);
    alice
        .detail(second)
        .body("executions.index", contains(0, 1, 2))
        .body("executions[1].result", equalTo("{\"n\":2}"))
        .body("executions[2].inherited", equalTo(true));
  }

  @Test
  void aStepThatTheReviewerMovedStaysDone() {
    var first =
        ended(
            "{'goal':'try',"
                + FULL
                + ",'workflow':{'steps':[{'toolName':'echo','args':{'a':1}},"
                + "{'toolName':'echo','args':{'b':1}},"
                + FAIL
                + ",{'toolName':'echo','args':{'c':'{{steps.1.result.b}}'},'dependsOn':[2]}]}}",
            "error");
    var second = resumed(first);
    var edited = plan(alice.gate(second)).deepCopy();
    var steps = (ArrayNode) edited.path("steps");
    ((ArrayNode) steps.path(3).path("dependsOn")).removeAll();
    steps.remove(2);
    steps.remove(0);

    alice.approve(second, edited.toString()).statusCode(200);

    assertThat(alice.end(second).type()).isEqualTo("complete");
    assertThat(steps(second, "step_start")).containsExactly(1);
    alice
        .detail(second)
        .body("executions[0].inherited", equalTo(true))
        .body("executions[1].result", equalTo("{\"c\":1}"));
  }

  @Test
  void aForkBeginsAnewAndIsReviewedFirst() {
    var first =
        ended("{'goal':'try'," + FULL + ",'workflow':{'steps':[" + NOTE + "]}}", "complete");

    String fork =
        alice.post("/runs/" + first + "/fork", "{}").statusCode(200).extract().path("runId");

    var gate = alice.gate(fork);
    assertThat(gate.path("kind").asText()).isEqualTo("plan");
    assertThat(gate.has("inherited")).isFalse();
    alice
        .detail(fork)
        .body("resumedFrom", nullValue())
        .body("forkedFrom", equalTo(first))
        .body("executions.status", contains("PENDING"));
    alice.approve(fork, "").statusCode(200);
    assertThat(alice.end(fork).type()).isEqualTo("complete");
    assertThat(StoryTools.calls(fork)).hasSize(1);
  }

  @Test
  void aRewoundRunEndsAfterTheKeptStepsUnlessTheReviewerAddsSome() {
    var first =
        ended(
            "{'goal':'try'," + FULL + ",'workflow':{'steps':[" + NOTE + "," + NOTE + "]}}",
            "complete");

    String cut = rewound(first, "{'keepSteps':1}");
    var gate = alice.gate(cut);
    assertThat(plan(gate).path("steps")).hasSize(1);
    alice.approve(cut, "").statusCode(200);
    assertThat(alice.end(cut).data().path("summary").asText()).isEqualTo("1 step done: try");
    assertThat(StoryTools.calls(cut)).isEmpty();

    String longer = rewound(first, "{'keepSteps':1}");
    var plan = plan(alice.gate(longer)).deepCopy();
    ((ArrayNode) plan.path("steps"))
        .addObject()
        .put("index", 1)
        .put("toolName", "echo")
        .putObject("args")
        .put("more", "{{steps.0.result.n}}");
    alice.approve(longer, plan.toString()).statusCode(200);
    assertThat(alice.end(longer).type()).isEqualTo("complete");
    assertThat(steps(longer, "step_start")).containsExactly(1);
  }

  private String rewound(String runId, String body) {
    return alice.post("/runs/" + runId + "/rewind", body).statusCode(200).extract().path("runId");
  }

  @Test
  void aRewindCanKeepThePlanAndRunItsEndAgain() {
    var first =
        ended(
            "{'goal':'try',"
                + FULL
                + ",'workflow':{'steps':[{'toolName':'echo','args':{'a':1}},"
                + "{'toolName':'echo','args':{'b':2}}]}}",
            "complete");

    String again = rewound(first, "{'keepSteps':1,'mode':'rerun'}");
    assertThat(plan(alice.gate(again)).path("steps")).hasSize(2);
    alice.approve(again, "").statusCode(200);

    assertThat(alice.end(again).type()).isEqualTo("complete");
    assertThat(steps(again, "step_start")).containsExactly(1);
    alice.detail(again).body("resumedFrom", equalTo(first));
  }

  @Test
  void whatCannotBeTakenOverIsRefused() {
    var done = ended("{'goal':'try'," + FULL + ",'workflow':{'steps':[" + NOTE + "]}}", "complete");
    refused(done, "resume", "", 409, "RUN_COMPLETED");
    refused(done, "rewind", "", 400, "RUN_BODY_INVALID");
    refused(done, "rewind", "{'keepSteps':-1}", 400, "RUN_BODY_INVALID");
    refused(done, "rewind", "{'keepSteps':1}", 400, "RUN_BODY_INVALID");
    refused(done, "rewind", "{'keepSteps':0,'mode':'back'}", 400, "RUN_BODY_INVALID");
    refused(done, "fork", "[]", 400, "RUN_BODY_INVALID");

    var open =
        alice.start(
            "{'goal':'try','config':{'requirePlanApproval':true},'workflow':{'steps':["
                + NOTE
                + "]}}");
    alice.gate(open);
    refused(open, "resume", "", 409, "RUN_NOT_OVER");
    refused(open, "fork", "", 409, "RUN_NOT_OVER");
    refused(open, "rewind", "{'keepSteps':0}", 409, "RUN_NOT_OVER");
    alice.detail(open).body("status", equalTo("AWAITING_PLAN_APPROVAL"));
    alice.cancel(open);

    for (var way : List.of("resume", "fork", "rewind")) {
      RunClient.bob()
          .post("/runs/" + open + "/" + way, "{'keepSteps':0}")
          .statusCode(404)
          .body("code", equalTo("RUN_NOT_FOUND"));
      refused(UUID.randomUUID().toString(), way, "{'keepSteps':0}", 404, "RUN_NOT_FOUND");
    }
  }

  private void refused(String runId, String way, String body, int status, String code) {
    alice
        .post("/runs/" + runId + "/" + way, body)
        .statusCode(status)
        .body("code", equalTo(code))
        .body("error", notNullValue());
  }

  @Test
  void aResumedRunHoldsTheConversationOfTheFirst() {
    var session = "replay-" + UUID.randomUUID();
    var first =
        ended(
            "{'goal':'try','session_id':'"
                + session
                + "',"
                + FULL
                + ",'workflow':{'steps':["
                + FAIL
                + "]}}",
            "error");
    var second = resumed(first);
    alice.gate(second);

    refused(first, "resume", "", 409, "SESSION_BUSY");

    alice.cancel(second);
    alice.end(second);
    assertThat(resumed(first)).isNotEqualTo(second);
  }

  @Test
  void concurrentResumesAreRunsOfTheirOwn() {
    var first = failing(FULL);

    var runs =
        IntStream.range(0, 4)
            .mapToObj(i -> CompletableFuture.supplyAsync(() -> resumed(first)))
            .toList()
            .stream()
            .map(CompletableFuture::join)
            .distinct()
            .toList();

    assertThat(runs).hasSize(4);
    for (var run : runs) {
      alice.gate(run);
      alice.detail(run).body("executions[0].inherited", equalTo(true));
    }
  }

  @Test
  void aResumedRunWorksWhereTheFirstLeftItsFiles() {
    var first =
        ended(
            "{'goal':'try',"
                + FULL
                + ",'workflow':{'steps':["
                + "{'toolName':'write_file','args':{'path':'a.txt','content':'kept'}},"
                + FAIL
                + "]}}",
            "error");
    var second = resumed(first);
    var edited = plan(alice.gate(second)).deepCopy();
    var step = (ObjectNode) edited.path("steps").path(1);
    step.put("toolName", "read_file").putObject("args").put("path", "a.txt");

    alice.approve(second, edited.toString()).statusCode(200);

    var end = alice.end(second);
    assertThat(end.type()).isEqualTo("complete");
    assertThat(end.data().path("result").asText()).contains("kept");
  }

  @Test
  void filesHaveToBeGivenAgain() {
    var first =
        ended(
            "{'goal':'try',"
                + FULL
                + ",'files':[{'name':'out','createSharedDirectory':true}],'workflow':{'steps':["
                + FAIL
                + ",{'toolName':'echo','args':{'d':'@file:out'},'dependsOn':[0]}]}}",
            "error");
    var without = trimmed(resumed(first));
    assertThat(without.data().path("message").asText()).contains("no granted file");

    String runId =
        alice
            .post(
                "/runs/" + first + "/resume",
                "{'files':[{'name':'out','createSharedDirectory':true}]}")
            .statusCode(200)
            .extract()
            .path("runId");
    assertThat(trimmed(runId).type()).isEqualTo("complete");
    refused(first, "resume", "{'files':[{'name':'out'}]}", 400, "RUN_FILE_INVALID");
  }

  /** The end of a run whose first step the reviewer replaced by one that works. */
  private RunClient.Event trimmed(String runId) {
    var edited = plan(alice.gate(runId)).deepCopy();
    ((ObjectNode) edited.path("steps").path(0)).put("toolName", "echo");
    alice.approve(runId, edited.toString()).statusCode(200);
    return alice.end(runId);
  }

  @Test
  void aRunWhoseProcessHasGoneIsClosedByItsResume() {
    var first =
        alice.start(
            "{'goal':'try',"
                + FOR_ME
                + ",'workflow':{'steps':["
                + NOTE
                + ",{'toolName':'echo','requiresApproval':true,'dependsOn':[0]}]}}");
    alice.gate(first);
    refused(first, "resume", "", 409, "RUN_NOT_OVER");
    pool.preparedQuery("UPDATE agent.run SET instance = $2 WHERE id = $1")
        .execute(Tuple.of(UUID.fromString(first), UUID.randomUUID()))
        .await()
        .atMost(SOON);

    var second = resumed(first);

    assertThat(alice.end(first).data().path("code").asText()).isEqualTo("CANCELLED");
    await()
        .atMost(SOON)
        .untilAsserted(
            () ->
                alice
                    .detail(first)
                    .body("status", equalTo("CANCELLED"))
                    .body("cancel_status", equalTo("confirmed"))
                    .body("terminal_persisted", equalTo(true)));
    alice.gate(second);
    alice.detail(second).body("executions[0].inherited", equalTo(true));
  }

  @Test
  void aCallThatWasMadeBeforeIsShownAndAskedAboutAgain() {
    var first =
        ended("{'goal':'try'," + FOR_ME + ",'workflow':{'steps':[" + NOTE + "]}}", "complete");

    String fork =
        alice.post("/runs/" + first + "/fork", "").statusCode(200).extract().path("runId");
    var gate = alice.gate(fork);
    var receipt = plan(gate).path("steps").path(0).path("alreadyDone").path(0);
    assertThat(receipt.path("runId").asText()).isEqualTo(first);
    assertThat(receipt.path("state").asText()).isEqualTo("done");
    assertThat(receipt.path("tool").asText()).isEqualTo("test_note");
    assertThat(gate.path("alreadyDone")).hasSize(1);

    alice.approve(fork, plan(gate).toString()).statusCode(200);
    var again = alice.gate(fork, 1);
    assertThat(again.path("kind").asText()).isEqualTo("step");
    assertThat(again.path("reason").asText()).isEqualTo("repeat");
    assertThat(again.path("alreadyDone").path(0).path("runId").asText()).isEqualTo(first);
    assertThat(StoryTools.calls(fork)).isEmpty();
    alice.detail(fork).body("plan.steps[0].alreadyDone", nullValue());

    alice.approve(fork, "").statusCode(200);
    assertThat(alice.end(fork).type()).isEqualTo("complete");
    assertThat(StoryTools.calls(fork)).hasSize(1);
  }

  @Test
  void fullAccessOnlyNotesThatACallIsMadeAgain() {
    var first =
        ended("{'goal':'try'," + FULL + ",'workflow':{'steps':[" + NOTE + "]}}", "complete");

    String fork =
        alice.post("/runs/" + first + "/fork", "").statusCode(200).extract().path("runId");
    alice.gate(fork);
    alice.approve(fork, "").statusCode(200);

    assertThat(alice.end(fork).type()).isEqualTo("complete");
    var start =
        alice.watch(fork).stream()
            .filter(event -> event.type().equals("step_start"))
            .findFirst()
            .orElseThrow();
    assertThat(start.data().path("alreadyDone").path(0).path("runId").asText()).isEqualTo(first);
  }

  @Test
  void aRetryOfACallThatMayHaveWorkedAsksFirstAndCountsOn() {
    var run =
        alice.start(
            "{'goal':'try',"
                + FOR_ME
                + ",'workflow':{'steps':[{'toolName':'test_lossy',"
                + "'retryPolicy':{'maxAttempts':3,'backoffMs':0}}]}}");

    var gate = alice.gate(run);

    assertThat(gate.path("reason").asText()).isEqualTo("repeat");
    var receipt = gate.path("alreadyDone").path(0);
    assertThat(receipt.path("runId").asText()).isEqualTo(run);
    assertThat(receipt.path("state").asText()).isEqualTo("unknown");
    assertThat(StoryTools.calls(run)).hasSize(1);
    alice.detail(run).body("executions[0].status", equalTo("AWAITING_APPROVAL"));

    alice.approve(run, "").statusCode(200);

    assertThat(alice.types(run))
        .containsExactly(
            "plan_ready",
            "step_start",
            "step_retry",
            "step_approval_requested",
            "step_complete",
            "complete");
    alice
        .get("/runs/" + run + "/receipts")
        .body("state", contains("unknown", "done"))
        .body("attempt", contains(1, 2));
    alice.detail(run).body("executions[0].attempts", equalTo(2));
  }

  @Test
  void otherArgumentsAndFailuresAreNoRepetition() {
    var first =
        ended(
            "{'goal':'try',"
                + FOR_ME
                + ",'workflow':{'steps':[{'toolName':'write_file','args':{'path':'../x','content':''}}]}}",
            "error");
    alice.get("/runs/" + first + "/receipts").body("[0].state", equalTo("failed"));
    var second = resumed(first);
    assertThat(alice.gate(second).has("alreadyDone")).isFalse();
    alice.approve(second, "").statusCode(200);
    assertThat(alice.types(second)).doesNotContain("step_approval_requested");

    var done =
        ended("{'goal':'try'," + FOR_ME + ",'workflow':{'steps':[" + NOTE + "]}}", "complete");
    String fork = alice.post("/runs/" + done + "/fork", "").statusCode(200).extract().path("runId");
    var edited = plan(alice.gate(fork)).deepCopy();
    ((ObjectNode) edited.path("steps").path(0).path("args")).put("n", 2);
    alice.approve(fork, edited.toString()).statusCode(200);
    assertThat(alice.types(fork)).doesNotContain("step_approval_requested");
  }

  @Test
  void aPlanThatRanInASandboxIsNotTakenOverWithoutOne() {
    var first = failing(FULL);
    alice.detail(first).body("sandboxProfile", equalTo("sandboxed"));
    unsandboxed(true);
    try {
      refused(first, "resume", "", 409, "SANDBOX_POSTURE_WEAKENED");
      refused(first, "fork", "", 409, "SANDBOX_POSTURE_WEAKENED");
      refused(first, "rewind", "{'keepSteps':0}", 409, "SANDBOX_POSTURE_WEAKENED");

      var bare = failing(FULL);
      alice.detail(bare).body("sandboxProfile", equalTo("unsandboxed"));
      unsandboxed(false);
      var second = resumed(bare);
      alice.gate(second);
      alice.detail(second).body("sandboxProfile", equalTo("sandboxed"));
    } finally {
      unsandboxed(false);
    }
  }

  private static void unsandboxed(boolean on) {
    given()
        .header("X-FengYu-Token", PostgresResource.ADMIN_TOKEN)
        .contentType("application/json")
        .body("{\"unsandboxedPlugins\":" + on + "}")
        .put("/api/settings")
        .then()
        .statusCode(200);
  }

  @Test
  void aRepeatedResumeWithOneKeyStartsOneRun() {
    var first = failing(FULL);
    var second = keyed(first, "key-" + first);

    assertThat(keyed(first, "key-" + first)).isEqualTo(second);
    assertThat(keyed(first, "other-" + first)).isNotEqualTo(second);
  }

  private static String keyed(String runId, String key) {
    return given()
        .header("X-FengYu-Token", PostgresResource.ALICE_TOKEN)
        .header("Idempotency-Key", key)
        .post("/api/agent/runs/" + runId + "/resume")
        .then()
        .statusCode(200)
        .extract()
        .path("runId");
  }
}
