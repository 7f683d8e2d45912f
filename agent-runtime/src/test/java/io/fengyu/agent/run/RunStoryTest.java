package io.fengyu.agent.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.hasSize;

import io.quarkus.test.junit.QuarkusTest;
import org.junit.jupiter.api.Test;

/** A supplied plan from its start to its end. */
@QuarkusTest
class RunStoryTest extends RunStory {

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
  void numbersKeepAllTheirDigits() {
    var runId =
        alice.start(
            "{'workflow':{'steps':[{'toolName':'echo',"
                + "'args':{'n':12345678901234567890.120,'m':12345678901234567890}}]}}");

    assertThat(alice.watch(runId).get(2).data().path("result").asText())
        .isEqualTo("{\"n\":12345678901234567890.120,\"m\":12345678901234567890}");
  }
}
