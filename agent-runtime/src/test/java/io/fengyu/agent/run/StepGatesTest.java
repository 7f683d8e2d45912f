package io.fengyu.agent.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.fengyu.agent.journal.Change;
import io.fengyu.agent.journal.EventType;
import org.junit.jupiter.api.Test;

/** Where an execution pauses, and how it goes on. */
class StepGatesTest extends ExecutionScene {

  @Test
  void aWriteAsksFirstUnlessTheModeSaysOtherwise() {
    config = json("{}");
    run(
        "{'steps':[{'toolName':'echo'},{'toolName':'write','dependsOn':[0],'args':{'token':'t'}}]}");

    assertThat(write.calls).isEmpty();
    var gate = only(EventType.STEP_APPROVAL_REQUESTED);
    assertThat(gate.remove("why").asText()).isEqualTo("mode ask-for-approval, effect write");
    assertThat(gate.remove("rule").isNull()).isTrue();
    assertThat(gate)
        .isEqualTo(
            json(
                "{'gateId':'g-1-"
                    + runId
                    + "','kind':'step','runId':'"
                    + runId
                    + "','generation':1,'index':1,"
                    + "'toolName':'write','tool_call_id':'"
                    + runId
                    + ":step:1','args':{'token':'***'},"
                    + "'effect':'write','description':null,'reason':'mode'}"));
    assertThat(log.changes(Change.Gate.class).getFirst().payload()).isEqualTo(gate);
    assertThat(log.types()).endsWith("step_approval_requested");
  }

  @Test
  void aFlaggedStepPausesExceptInFullAccess() {
    config = json("{'permissionMode':'approve-for-me'}");
    run("{'steps':[{'toolName':'echo','requiresApproval':true}]}");
    assertThat(only(EventType.STEP_APPROVAL_REQUESTED).path("reason").asText()).isEqualTo("step");

    var full = new RunExecutionTest();
    full.run("{'steps':[{'toolName':'echo','requiresApproval':true}]}");
    assertThat(full.log.types()).endsWith("complete");
  }

  @Test
  void gatesOfALevelComeOneByOneInOrderAndNothingRunsBeforeTheLast() {
    config = json("{'requireStepApproval':'every'}");
    var plan = "{'steps':[{'toolName':'echo'},{'toolName':'echo'}]}";

    run(plan);
    assertThat(only(EventType.STEP_APPROVAL_REQUESTED).path("index").asInt()).isZero();

    var second = new MemoryLog(runId, 2);
    resume(plan, second, run -> run.getFirst().approve(null));
    assertThat(second.data(EventType.STEP_APPROVAL_REQUESTED).getFirst().path("index").asInt())
        .isOne();
    assertThat(echo.calls).isEmpty();

    var third = new MemoryLog(runId, 3);
    resume(plan, third, run -> run.forEach(step -> step.approve(null)));
    assertThat(third.types())
        .containsExactly("step_start", "step_start", "step_complete", "step_complete", "complete");
  }

  @Test
  void aRejectedStepFailsAndItsLevelDoesNotStart() {
    var third = new MemoryLog(runId, 3);
    resume(
        "{'steps':[{'toolName':'echo'},{'toolName':'echo'}]}",
        third,
        run -> {
          run.get(0).approve(null);
          run.get(1).reject();
        });

    assertThat(third.types()).containsExactly("step_failed", "error");
    assertThat(third.data(EventType.ERROR).getFirst().path("message").asText())
        .isEqualTo("Step 1 failed: Rejected by user");
    assertThat(echo.calls).isEmpty();
  }

  @Test
  void patchedArgumentsReplaceTheStoredOnesAndMasksKeepTheirSecret() {
    resume(
        "{'steps':[{'toolName':'echo','args':{'a':1,'secret':'s'}}]}",
        new MemoryLog(runId, 2),
        run -> run.getFirst().approve(json("{'a':2,'secret':'***','more':'{{last.result}}'}")));

    assertThat(echo.calls.getFirst().args())
        .isEqualTo(json("{'a':2,'secret':'s','more':'{{last.result}}'}"));
  }

  @Test
  void whatWasDoneBeforeAGateCountsForTheSizeOfTheRun() {
    add(TestTool.reading("much", call -> "x".repeat((int) RunSize.RUN / 2 + 1)));
    var second = new MemoryLog(runId, 2);

    resume(
        "{'steps':[{'toolName':'echo'},{'toolName':'much','dependsOn':[0]}]}",
        second,
        run -> run.getFirst().completeFromJournal("x".repeat((int) RunSize.RUN / 2)));

    assertThat(second.data(EventType.STEP_FAILED).getFirst().path("error").asText())
        .contains("longer than");
  }

  @Test
  void aToolThatIsGoneAfterAGateFailsItsStep() {
    var second = new MemoryLog(runId, 2);
    tools.remove("echo");

    resume("{'steps':[{'toolName':'echo'}]}", second, run -> {});

    assertThat(second.data(EventType.ERROR).getFirst().path("code").asText())
        .isEqualTo("STEP_FAILED");
    assertThat(second.data(EventType.ERROR).getFirst().path("message").asText())
        .contains("no tool echo");
  }
}
