package io.fengyu.agent.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.hamcrest.Matchers.equalTo;

import io.quarkus.test.junit.QuarkusTest;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** A run that somebody stops. */
@QuarkusTest
class RunCancelStoryTest extends RunStory {

  @Test
  void aStepWhoseGateWasCancelledWasNeverBegun() {
    var runId = alice.start("{'workflow':{'steps':[{'toolName':'test_note','args':{}}]}}");
    alice.gate(runId);
    states(runId, "AWAITING_APPROVAL");

    alice.cancel(runId).statusCode(200);

    alice.end(runId);
    states(runId, "PENDING");
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
}
