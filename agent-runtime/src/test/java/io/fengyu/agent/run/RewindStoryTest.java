package io.fengyu.agent.run;

import static io.restassured.RestAssured.given;
import static org.assertj.core.api.Assertions.assertThat;
import static org.hamcrest.Matchers.contains;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.nullValue;

import com.fasterxml.jackson.databind.node.ArrayNode;
import io.fengyu.contract.testing.PostgresResource;
import io.quarkus.test.junit.QuarkusTest;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** Runs that begin anew, or go back to a step. */
@QuarkusTest
class RewindStoryTest extends ReplayStory {

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
}
