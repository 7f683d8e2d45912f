package io.fengyu.agent.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.fengyu.agent.journal.Change;
import io.fengyu.agent.journal.EventType;
import io.fengyu.agent.journal.RunStatus;
import io.fengyu.agent.tool.ToolException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** In which order steps run, and how their run ends. */
class RunExecutionTest extends ExecutionScene {

  @Test
  void aChainIsAnnouncedAndReportedInOrder() {
    run(
        "{'goal':'try it','steps':[{'toolName':'echo','args':{'a':1}},"
            + "{'toolName':'echo','args':{'b':'{{last.result.a}}'}}]}");

    assertThat(log.types())
        .containsExactly(
            "plan_ready", "step_start", "step_complete", "step_start", "step_complete", "complete");
    assertThat(only(EventType.COMPLETE))
        .isEqualTo(
            json(
                "{'runId':'"
                    + runId
                    + "','status':'COMPLETED','summary':'2 steps done: try it',"
                    + "'result':'{\\'b\\':1}'}"));
    assertThat(log.data(EventType.STEP_START).get(1))
        .isEqualTo(
            json(
                "{'index':1,'id':'step-1','toolName':'echo','description':null,'args':{'b':1},"
                    + "'dependsOn':[],'requiresApproval':false,'pinned':false}"));
    var complete = log.data(EventType.STEP_COMPLETE).getFirst();
    assertThat(complete.remove("durationMs").isIntegralNumber()).isTrue();
    assertThat(complete)
        .isEqualTo(
            json(
                "{'index':0,'toolName':'echo','status':'COMPLETED','result':'{\\'a\\':1}',"
                    + "'output':{'a':1},'pinned':false,'attempts':1}"));
    assertThat(log.changes(Change.End.class))
        .containsExactly(new Change.End(RunStatus.COMPLETED, "2 steps done: try it", null, false));
    assertThat(log.pending()).isZero();
  }

  @Test
  void theEndOfAStepSharesACommitWithTheStartOfTheNext() {
    run("{'steps':[{'toolName':'echo'},{'toolName':'echo','dependsOn':[0]}]}");

    assertThat(log.commits).containsExactly(2, 4, 6);
  }

  @Test
  void independentStepsRunAtTheSameTime() throws Exception {
    var meeting = new CyclicBarrier(3);
    add(TestTool.reading("meet", call -> "" + meeting.await(10, TimeUnit.SECONDS)));

    run("{'steps':[{'toolName':'meet'},{'toolName':'meet'},{'toolName':'meet'}]}");

    assertThat(only(EventType.COMPLETE).path("summary").asText()).startsWith("3 steps done");
    assertThat(log.types().subList(1, 4)).containsOnly("step_start");
  }

  @Test
  void aStepWaitsForAllItsDependencies() {
    run(
        "{'steps':[{'toolName':'echo'},{'toolName':'echo'},{'toolName':'echo','dependsOn':[0,1]}]}");

    assertThat(log.types())
        .containsExactly(
            "plan_ready",
            "step_start",
            "step_start",
            "step_complete",
            "step_complete",
            "step_start",
            "step_complete",
            "complete");
  }

  @Test
  void aResultThatSaysSoIsAFailure() {
    for (var result :
        List.of("{'success':false,'error':'no sheet'}", "{'success':false,'summary':'no sheet'}")) {
      var execution = new RunExecutionTest();
      execution.add(TestTool.reading("no", call -> json(result).toString()));
      execution.run("{'steps':[{'toolName':'no'}]}");
      execution.assertFailed(0, "Step 0 failed: no sheet");
    }
    add(TestTool.reading("raw", call -> "{\"success\":false}"));
    run("{'steps':[{'toolName':'raw'}]}");
    assertFailed(0, "{\"success\":false}");
  }

  @Test
  void siblingsFinishAndTheLowestFailureIsReported() {
    var failed = new CountDownLatch(1);
    add(
        TestTool.reading(
            "fail",
            call -> {
              failed.countDown();
              throw new ToolException("broken " + call.args().path("n"));
            }));
    add(
        TestTool.reading(
            "slow",
            call -> {
              assertThat(failed.await(10, TimeUnit.SECONDS)).isTrue();
              return "kept";
            }));

    run(
        "{'steps':[{'toolName':'slow'},{'toolName':'fail','args':{'n':1}},"
            + "{'toolName':'fail','args':{'n':2}},{'toolName':'echo','dependsOn':[0]}]}");

    assertThat(only(EventType.STEP_COMPLETE).path("result").asText()).isEqualTo("kept");
    assertThat(log.data(EventType.STEP_FAILED)).hasSize(2);
    assertThat(echo.calls).isEmpty();
    assertFailed(1, "Step 1 failed: broken 1");
  }

  @Test
  void aPinnedStepIsServedWithoutItsTool() {
    config = json("{'permissionMode':'ask-for-approval','requireStepApproval':'every'}");

    run("{'steps':[{'toolName':'write','pinnedResult':'{\\'n\\':5}','requiresApproval':true}]}");

    assertThat(write.calls).isEmpty();
    var complete = only(EventType.STEP_COMPLETE);
    assertThat(complete.path("pinned").asBoolean()).isTrue();
    assertThat(complete.path("output").path("n").asInt()).isEqualTo(5);
    assertThat(log.changes(Change.Intended.class)).isEmpty();
  }

  @Test
  void aPinnedFailureStillFails() {
    run("{'steps':[{'toolName':'echo','pinnedResult':{'success':false,'error':'pinned no'}}]}");

    assertFailed(0, "pinned no");
  }

  @Test
  void branchesThatAreNotTakenAreSkippedWithAllThatHangsOnThem() {
    run(
        "{'steps':[{'toolName':'echo','args':{'branch':'true'}},"
            + "{'toolName':'echo','dependsOn':[0],'runWhen':[{'step':0,'equals':'true'}],'args':{'way':'yes'}},"
            + "{'toolName':'echo','dependsOn':[0],'runWhen':[{'step':0,'equals':'false'}],'args':{'way':'no'}},"
            + "{'toolName':'echo','dependsOn':[2]},"
            + "{'toolName':'echo','dependsOn':[1,3],'args':{'way':'join'}}]}");

    assertThat(log.data(EventType.STEP_SKIPPED))
        .extracting(d -> d.path("index").asInt())
        .containsExactly(2, 3);
    assertThat(echo.calls)
        .extracting(c -> c.args().path("way").asText())
        .containsExactly("", "yes", "join");
    assertThat(only(EventType.COMPLETE).path("summary").asText()).startsWith("3 steps done");
  }

  @Test
  void aPlanThatBreaksTheRulesFailsBeforeAnyStep() {
    run("{'steps':[{'toolName':'echo'},{'toolName':'nope'}]}");

    assertThat(log.types()).containsExactly("error");
    var error = only(EventType.ERROR);
    assertThat(error.path("code").asText()).isEqualTo("INVALID_PLAN");
    assertThat(error.path("message").asText()).contains("nope");
    assertThat(error.path("problems").get(0).path("code").asText()).isEqualTo("TOOL_UNKNOWN");
    assertThat(log.changes(Change.End.class).getFirst().status()).isEqualTo(RunStatus.FAILED);
  }

  @Test
  void retriesOfAnUnsafeToolAreRefused() {
    add(TestTool.writing("once", false, call -> "x"));

    run("{'steps':[{'toolName':'once','retryPolicy':{'maxAttempts':2}}]}");

    assertThat(log.types()).containsExactly("error");
    assertThat(only(EventType.ERROR).path("message").asText()).contains("not retry-safe");
  }

  @Test
  void anEmptyPlanCompletes() {
    run("{'goal':'nothing','steps':[]}");

    assertThat(log.types()).containsExactly("plan_ready", "complete");
    assertThat(only(EventType.COMPLETE).path("summary").asText())
        .isEqualTo("0 steps done: nothing");
  }

  @Test
  void twoHundredStepsRun() {
    var steps = new ArrayList<String>();
    steps.add("{'toolName':'echo','args':{'n':0}}");
    for (int i = 1; i < 200; i++) {
      steps.add("{'toolName':'echo','args':{'n':'{{last.result.n}}'}}");
    }
    run("{'steps':[" + String.join(",", steps) + "]}");

    assertThat(only(EventType.COMPLETE).path("result").asText()).isEqualTo("{\"n\":0}");
    assertThat(echo.calls).hasSize(200);
  }
}
