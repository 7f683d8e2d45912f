package io.fengyu.agent.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.fengyu.agent.journal.Change;
import io.fengyu.agent.journal.Change.ReceiptState;
import io.fengyu.agent.journal.EventType;
import io.fengyu.agent.tool.Effect;
import io.fengyu.agent.tool.ToolCall;
import io.fengyu.agent.tool.ToolException;
import io.fengyu.contract.plan.PlanReader;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** How often a step is tried, and what is on record about it. */
class StepAttemptsTest extends ExecutionScene {

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
}
