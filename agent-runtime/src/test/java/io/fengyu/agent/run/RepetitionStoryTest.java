package io.fengyu.agent.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.hamcrest.Matchers.contains;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.nullValue;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.quarkus.test.junit.QuarkusTest;
import org.junit.jupiter.api.Test;

/** Calls that were made before are not made again unasked. */
@QuarkusTest
class RepetitionStoryTest extends ReplayStory {

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
}
