package io.fengyu.agent.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fengyu.agent.file.RunFiles;
import io.fengyu.agent.guard.Guard;
import io.fengyu.agent.guard.RuleSet;
import io.fengyu.agent.journal.Change;
import io.fengyu.agent.journal.Change.ReceiptState;
import io.fengyu.agent.journal.EventType;
import io.fengyu.agent.journal.RunStatus;
import io.fengyu.agent.tool.Effect;
import io.fengyu.agent.tool.Tool;
import io.fengyu.agent.tool.ToolCall;
import io.fengyu.agent.tool.ToolException;
import io.fengyu.contract.plan.CompiledPlan;
import io.fengyu.contract.plan.PlanReader;
import io.smallrye.mutiny.Uni;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class RunExecutionTest {

  private static final ObjectMapper JSON = new ObjectMapper();

  private final UUID runId = UUID.randomUUID();
  private final MemoryLog log = new MemoryLog(runId, 1);
  private @Nullable RunExecution current;
  private final Map<String, Tool> tools = new HashMap<>();
  private final TestTool echo = add(TestTool.reading("echo", call -> call.args().toString()));
  private final TestTool write = add(TestTool.writing("write", true, call -> "{\"ok\":true}"));
  private ObjectNode inputs = JsonNodeFactory.instance.objectNode();
  private ObjectNode config = json("{'permissionMode':'full-access'}");

  private TestTool add(TestTool tool) {
    tools.put(tool.spec().name(), tool);
    return tool;
  }

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
  void referencesKeepTheirTypesAndReachDeep() {
    run(
        "{'steps':[{'id':'n0','toolName':'echo','pinnedResult':{'files':[{'name':'a','n':3}]}},"
            + "{'toolName':'echo','args':{'n':'{{steps.0.result.files[0].n}}',"
            + "'t':'file {{node.n0.result.files[0].name}}','deep':[{'x':['{{steps.0.result}}']}]}}]}");

    assertThat(echo.calls).hasSize(1);
    assertThat(echo.calls.getFirst().args())
        .isEqualTo(json("{'n':3,'t':'file a','deep':[{'x':[{'files':[{'name':'a','n':3}]}]}]}"));
  }

  @Test
  void aPlainTextResultIsAString() {
    add(TestTool.reading("text", call -> "12 apples"));

    run("{'steps':[{'toolName':'text'},{'toolName':'echo','args':{'v':'{{last.result}}'}}]}");

    assertThat(echo.calls.getFirst().args()).isEqualTo(json("{'v':'12 apples'}"));
    assertThat(log.data(EventType.STEP_COMPLETE).getFirst().has("output")).isFalse();
  }

  @Test
  void aReferenceThatLeadsNowhereFailsItsStepBeforeTheTool() {
    run(
        "{'steps':[{'toolName':'echo','args':{'a':[1]}},"
            + "{'toolName':'echo','args':{'v':'{{steps.0.result.a[4]}}'}}]}");

    assertThat(echo.calls).hasSize(1);
    assertThat(only(EventType.STEP_FAILED).path("error").asText()).contains("steps.0.result.a[4]");
    assertFailed(1, "steps.0.result.a[4]");
  }

  @Test
  void resultTextIsInert() {
    add(TestTool.reading("evil", call -> "{{steps.0.result}} @file:book"));

    run(
        "{'steps':[{'toolName':'evil'},{'toolName':'echo','args':{'v':'{{last.result}}'}},"
            + "{'toolName':'echo','args':{'v':'{{steps.1.result.v}}','w':'{{inputs.q}}'}}]}",
        json("{'q':'{{steps.0.result}}'}"));

    assertThat(echo.calls.get(1).args())
        .isEqualTo(json("{'v':'{{steps.0.result}} @file:book','w':'{{steps.0.result}}'}"));
  }

  @Test
  void anEarlierArgumentCanBeReadButNotASecretOne() {
    run(
        "{'steps':[{'toolName':'echo','args':{'a':{'b':7},'apiKey':'k'}},"
            + "{'toolName':'echo','args':{'v':'{{steps.0.input.a.b}}'}},"
            + "{'toolName':'echo','args':{'v':'{{steps.0.input.apiKey}}'}}]}");

    assertThat(echo.calls).hasSize(2);
    assertFailed(2, "sensitive");
  }

  @Test
  void secretsReachTheToolAndNobodyElse() {
    run(
        "{'steps':[{'toolName':'echo','args':{'password':'p1','db':{'api_key':'{{inputs.k}}'},'n':1}}]}",
        json("{'k':'k1'}"));

    assertThat(echo.calls.getFirst().args().toString()).contains("p1", "k1");
    assertThat(only(EventType.STEP_START).path("args"))
        .isEqualTo(json("{'password':'***','db':{'api_key':'***'},'n':1}"));
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
  void aReferenceToASkippedStepFails() {
    run(
        "{'steps':[{'toolName':'echo'},"
            + "{'toolName':'echo','dependsOn':[0],'runWhen':[{'step':0,'equals':'x'}]},"
            + "{'toolName':'echo','dependsOn':[0],'args':{'v':'{{steps.1.result.a}}'}}]}");

    assertFailed(2, "steps.1.result.a");
  }

  @Test
  void aFailingStepIsTriedAgainAsOftenAsItMay() {
    var left = new AtomicInteger(2);
    var flaky =
        add(
            TestTool.reading(
                "flaky",
                call -> {
                  if (left.getAndDecrement() > 0) {
                    throw new ToolException("not yet");
                  }
                  return "done";
                }));

    run("{'steps':[{'toolName':'flaky','retryPolicy':{'maxAttempts':3,'backoffMs':1}}]}");

    assertThat(log.types())
        .containsExactly(
            "plan_ready", "step_start", "step_retry", "step_retry", "step_complete", "complete");
    assertThat(log.data(EventType.STEP_RETRY).get(1).toString())
        .isEqualTo(
            json("{'index':0,'nextAttempt':3,'maxAttempts':3,'delayMs':2,'error':'not yet'}")
                .toString());
    assertThat(only(EventType.STEP_COMPLETE).path("attempts").asInt()).isEqualTo(3);
    assertThat(flaky.calls.stream().map(ToolCall::invocationId).distinct()).hasSize(3);
  }

  @Test
  void delaysDoubleAndStopGrowing() throws Exception {
    var plan =
        PlanReader.read(
                json(
                    "{'steps':[{'toolName':'echo','retryPolicy':{'maxAttempts':5,'backoffMs':9000}}]}"))
            .plan();
    var step = new StepPlan(plan.steps().getFirst(), echo, inputs, inputs);

    assertThat(List.of(step.delayMs(1), step.delayMs(2), step.delayMs(3), step.delayMs(4)))
        .containsExactly(9000L, 18000L, 30000L, 30000L);
  }

  @Test
  void anEffectIsOnRecordBeforeItHappensAndItsOutcomeAfter() {
    var durableBefore = new AtomicInteger();
    add(
        TestTool.writing(
            "note",
            false,
            call -> {
              durableBefore.set(log.durableEvents());
              return "ok";
            }));

    run("{'steps':[{'toolName':'note','args':{'b':1,'a':2}}]}");

    assertThat(durableBefore).hasValue(2);
    var intended = log.changes(Change.Intended.class).getFirst();
    assertThat(intended.effect()).isEqualTo(Effect.WRITE);
    assertThat(intended.argsHash())
        .isEqualTo(io.fengyu.contract.json.CanonicalJson.sha256(json("{'a':2,'b':1}")));
    assertThat(log.changes(Change.Outcome.class))
        .containsExactly(new Change.Outcome(intended.invocationId(), ReceiptState.DONE));
  }

  @Test
  void whatBecameOfAnEffectIsToldApart() {
    assertThat(outcome(call -> "{\"success\":false}")).isEqualTo(ReceiptState.FAILED);
    assertThat(
            outcome(
                call -> {
                  throw new ToolException("no");
                }))
        .isEqualTo(ReceiptState.FAILED);
    assertThat(
            outcome(
                call -> {
                  throw new java.io.IOException("lost");
                }))
        .isEqualTo(ReceiptState.UNKNOWN);
    assertThat(outcome(call -> "fine")).isEqualTo(ReceiptState.DONE);
  }

  private static ReceiptState outcome(TestTool.Body body) {
    var execution = new RunExecutionTest();
    execution.add(TestTool.writing("effect", false, body));
    execution.run("{'steps':[{'toolName':'effect'}]}");
    return execution.log.changes(Change.Outcome.class).getFirst().state();
  }

  private final AtomicInteger lost = new AtomicInteger(1);

  private TestTool losing() {
    return add(
        TestTool.writing(
            "send",
            true,
            call -> {
              if (lost.getAndDecrement() > 0) {
                throw new java.io.IOException("connection lost");
              }
              return "sent";
            }));
  }

  private static final String SEND =
      "{'steps':[{'toolName':'send','retryPolicy':{'maxAttempts':3,'backoffMs':0}}]}";

  @Test
  void aCallThatMayHaveWorkedIsTriedAgainOnlyAfterSomebodyAgreed() {
    var send = losing();
    config = json("{'permissionMode':'approve-for-me'}");

    run(SEND);

    assertThat(send.calls).hasSize(1);
    assertThat(log.types())
        .containsExactly("plan_ready", "step_start", "step_retry", "step_approval_requested");
    assertThat(only(EventType.STEP_RETRY).path("outcome").asText()).isEqualTo("unknown");
    assertThat(only(EventType.STEP_APPROVAL_REQUESTED).path("reason").asText()).isEqualTo("repeat");

    var second = new MemoryLog(runId, 2);
    resume(
        SEND,
        second,
        run -> {
          run.getFirst().attempts(2);
          run.getFirst().approve(null);
        });
    assertThat(send.calls).hasSize(2);
    assertThat(second.types()).containsExactly("step_complete", "complete");
    assertThat(second.data(EventType.STEP_COMPLETE).getFirst().path("attempts").asInt())
        .isEqualTo(2);
    assertThat(second.changes(Change.Intended.class).getFirst().attempt()).isEqualTo(2);
    assertThat(send.calls.get(1).invocationId()).isNotEqualTo(send.calls.get(0).invocationId());
  }

  @Test
  void withFullAccessSuchACallIsTriedAgainUnasked() {
    var send = losing();

    run(SEND);

    assertThat(send.calls).hasSize(2);
    assertThat(only(EventType.STEP_RETRY).path("outcome").asText()).isEqualTo("unknown");
    assertThat(log.types()).endsWith("step_complete", "complete");
  }

  @Test
  void aStepThatWouldHaveAskedEndsWithItsLevelWhenASiblingFails() {
    losing();
    add(
        TestTool.reading(
            "fail",
            call -> {
              throw new ToolException("no");
            }));
    config = json("{'permissionMode':'approve-for-me'}");

    run(
        "{'steps':[{'toolName':'send','retryPolicy':{'maxAttempts':3,'backoffMs':0}},"
            + "{'toolName':'fail'}]}");

    assertThat(log.data(EventType.STEP_FAILED)).hasSize(2);
    assertThat(log.types()).endsWith("step_failed", "error");
  }

  @Test
  void everyAttemptOfAnEffectHasItsOwnReceipt() {
    add(TestTool.writing("always", true, call -> "{\"success\":false,\"error\":\"no\"}"));

    run("{'steps':[{'toolName':'always','retryPolicy':{'maxAttempts':2,'backoffMs':0}}]}");

    assertThat(log.changes(Change.Intended.class))
        .extracting(Change.Intended::attempt)
        .containsExactly(1, 2);
    assertThat(log.changes(Change.Outcome.class)).hasSize(2);
    assertThat(
            log.changes(Change.Intended.class).stream()
                .map(Change.Intended::invocationId)
                .distinct())
        .hasSize(2);
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

  @Test
  void cancellingInterruptsARunningTool() {
    var running = new CountDownLatch(1);
    add(
        TestTool.writing(
            "sleepy",
            false,
            call -> {
              running.countDown();
              Thread.sleep(30_000);
              return "late";
            }));

    var done =
        inBackground("{'steps':[{'toolName':'sleepy'},{'toolName':'echo','dependsOn':[0]}]}");
    assertThat(awaitLatch(running)).isTrue();
    cancel();

    await().atMost(Duration.ofSeconds(2)).until(done::isDone);
    assertThat(log.types()).endsWith("cancelled", "error");
    assertThat(log.types()).doesNotContain("complete");
    assertThat(only(EventType.ERROR).path("code").asText()).isEqualTo("CANCELLED");
    assertThat(log.changes(Change.End.class).getFirst().status()).isEqualTo(RunStatus.CANCELLED);
    assertThat(log.changes(Change.Outcome.class).getFirst().state())
        .isEqualTo(ReceiptState.UNKNOWN);
  }

  @Test
  void cancellingEndsTheWaitForTheNextAttempt() {
    add(
        TestTool.reading(
            "fails",
            call -> {
              throw new ToolException("no");
            }));

    var done =
        inBackground(
            "{'steps':[{'toolName':'fails','retryPolicy':{'maxAttempts':3,'backoffMs':30000}}]}");
    await().until(() -> log.types().contains("step_retry"));
    cancel();

    await().atMost(Duration.ofSeconds(1)).until(done::isDone);
    assertThat(log.types()).endsWith("cancelled", "error");
  }

  @Test
  void cancellingStopsAllStepsOfALevel() {
    var running = new CountDownLatch(3);
    add(
        TestTool.reading(
            "sleepy",
            call -> {
              running.countDown();
              Thread.sleep(30_000);
              return "late";
            }));

    var done =
        inBackground(
            "{'steps':[{'toolName':'sleepy'},{'toolName':'sleepy'},{'toolName':'sleepy'}]}");
    assertThat(awaitLatch(running)).isTrue();
    cancel();

    await().atMost(Duration.ofSeconds(2)).until(done::isDone);
    assertThat(log.data(EventType.STEP_FAILED)).hasSize(3);
    assertThat(log.types()).endsWith("cancelled", "error");
  }

  @Test
  void afterACancelNothingMoreStarts() {
    var work = work("{'steps':[{'toolName':'echo'}]}", log);
    var execution = execution(work, RunState.fresh(work.plan(), inputs, tools), log);
    execution.cancel();
    execution.start();

    assertThat(echo.calls).isEmpty();
    assertThat(log.types()).endsWith("cancelled", "error");
  }

  private CompletableFuture<Void> inBackground(String plan) {
    var done = new CompletableFuture<Void>();
    Thread.startVirtualThread(
        () -> {
          run(plan);
          done.complete(null);
        });
    return done;
  }

  private static boolean awaitLatch(CountDownLatch latch) {
    try {
      return latch.await(10, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      return false;
    }
  }

  private void cancel() {
    Objects.requireNonNull(current).cancel();
  }

  private void run(String plan, ObjectNode with) {
    inputs = with;
    run(plan);
  }

  private void run(String plan) {
    var work = work(plan, log);
    execution(work, RunState.fresh(work.plan(), inputs, tools), log).start();
  }

  private void resume(
      String plan, MemoryLog to, java.util.function.Consumer<List<StepRun>> decided) {
    var work = work(plan, to);
    var runs = RunState.pending(work.plan());
    decided.accept(runs);
    execution(work, new RunState(work.plan(), inputs, tools, runs), to).resume();
  }

  private RunExecution execution(RunWork work, RunState state, MemoryLog to) {
    current =
        new RunExecution(
            work, state, to, new Guard(owner -> RuleSet.NONE, () -> false), new NoFiles());
    return current;
  }

  private RunWork work(String plan, MemoryLog to) {
    var read = PlanReader.read(json(plan));
    var goal = read.plan().goal();
    return new RunWork(
        runId,
        "alice",
        null,
        goal == null ? "" : goal,
        goal == null ? "" : goal,
        RunOptions.stored(config),
        CompiledPlan.of(read.plan()),
        read.plan().toJson(),
        read.problems(),
        inputs,
        tools,
        to.generation(),
        RunWork.Origin.fresh(runId));
  }

  private void assertFailed(int index, String message) {
    var error = only(EventType.ERROR);
    assertThat(error.path("code").asText()).isEqualTo("STEP_FAILED");
    assertThat(error.path("index").asInt()).isEqualTo(index);
    assertThat(error.path("message").asText()).contains(message);
    assertThat(log.changes(Change.End.class).getFirst().status()).isEqualTo(RunStatus.FAILED);
  }

  private ObjectNode only(EventType type) {
    assertThat(log.data(type)).hasSize(1);
    return log.data(type).getFirst();
  }

  private static ObjectNode json(String text) {
    try {
      return (ObjectNode) JSON.readTree(text.replace("\\'", "\\\"").replace('\'', '"'));
    } catch (com.fasterxml.jackson.core.JsonProcessingException e) {
      throw new AssertionError(e);
    }
  }

  /** A run without files. */
  static class NoFiles implements RunFiles {

    @Override
    public Uni<Void> grant(String owner, UUID run, @Nullable JsonNode files) {
      return Uni.createFrom().voidItem();
    }

    @Override
    public Uni<RunPlaces> open(String owner, UUID run, UUID home, @Nullable String sessionId) {
      return Uni.createFrom().item(new NoPlaces());
    }

    @Override
    public Optional<Change.Wrote> made(UUID run, int step, Path file) {
      return Optional.of(new Change.Wrote(step, file.toString(), file.toString(), 1));
    }

    @Override
    public Uni<Void> forget(UUID run) {
      return Uni.createFrom().voidItem();
    }
  }

  record NoPlaces() implements RunFiles.RunPlaces {

    @Override
    public Path workspace() {
      return Path.of("workspace");
    }

    @Override
    public Path outputDir(@Nullable String pluginId) {
      return Path.of("output");
    }

    @Override
    public Path state() {
      return Path.of("state");
    }

    @Override
    public ToolCall.Access access(@Nullable String pluginId) {
      return ToolCall.Access.NONE;
    }

    @Override
    public @Nullable Path granted(String name, @Nullable String pluginId) {
      return name.equals("book") ? Path.of("/granted/book.xlsx") : null;
    }
  }

  @Test
  void grantedFilesAreReplacedWhereACallerNamedThem() {
    run(
        "{'steps':[{'toolName':'echo','args':{'f':'@file:book','x':['@file:book',{'y':'{{inputs.b}}'}]}},"
            + "{'toolName':'echo','args':{'f':'{{steps.0.input.f}}'}}]}",
        json("{'b':'@file:book'}"));

    assertThat(echo.calls.getFirst().args())
        .isEqualTo(
            json(
                "{'f':'/granted/book.xlsx','x':['/granted/book.xlsx',{'y':'/granted/book.xlsx'}]}"));
    assertThat(echo.calls.get(1).args()).isEqualTo(json("{'f':'/granted/book.xlsx'}"));
    assertThat(log.data(EventType.STEP_START).getFirst().path("args").path("f").asText())
        .isEqualTo("@file:book");
  }

  @Test
  void aFileThatWasNotGrantedFailsTheStep() {
    run("{'steps':[{'toolName':'echo','args':{'f':'@file:other'}}]}");

    assertThat(echo.calls).isEmpty();
    assertFailed(0, "no granted file");
  }
}
