package io.fengyu.agent.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fengyu.agent.journal.Change;
import io.fengyu.agent.journal.Change.ReceiptState;
import io.fengyu.agent.journal.EventType;
import io.fengyu.agent.journal.RunStatus;
import io.fengyu.agent.tool.ToolException;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** What a cancel ends. */
class ExecutionStopTest extends ExecutionScene {

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
}
