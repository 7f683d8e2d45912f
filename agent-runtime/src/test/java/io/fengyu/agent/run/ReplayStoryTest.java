package io.fengyu.agent.run;

import static io.restassured.RestAssured.given;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.hamcrest.Matchers.contains;
import static org.hamcrest.Matchers.equalTo;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fengyu.contract.testing.PostgresResource;
import io.quarkus.test.junit.QuarkusTest;
import io.vertx.mutiny.sqlclient.Tuple;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Runs that go on where an earlier one ended. */
@QuarkusTest
class ReplayStoryTest extends ReplayStory {

  private static final Duration SOON = Duration.ofSeconds(20);

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
