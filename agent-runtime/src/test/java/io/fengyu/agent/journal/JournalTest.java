package io.fengyu.agent.journal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.fengyu.agent.tool.Effect;
import io.fengyu.contract.problem.ProblemException;
import io.quarkus.test.junit.QuarkusTest;
import jakarta.inject.Inject;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

@QuarkusTest
class JournalTest {

  private static final Duration PATIENCE = Duration.ofSeconds(20);

  @Inject RunStore store;

  @Test
  void eventsAreNumberedWithoutAHoleAndTheAuditHasItsOwnCounter() {
    var log = Journals.created(store, "alice");

    Journals.step(log, 0);
    log.append(List.of(Journals.event(EventType.PLAN_TOKEN, 0)), List.of());
    Journals.complete(log);
    Journals.durable(log);

    assertThat(Journals.streamed(log.runId())).containsExactly(0L, 1L, 2L, 3L);
    assertThat(Journals.audited(log.runId())).containsExactly(0, 1, 2, 3);
  }

  @Test
  void manyRunsAtOnceKeepTheirNumbersContiguous() {
    var logs = IntStream.range(0, 64).mapToObj(i -> Journals.created(store, "alice")).toList();

    var threads = new ArrayList<Thread>();
    for (var log : logs) {
      threads.add(Thread.ofVirtual().start(() -> run(log, 40)));
    }
    threads.forEach(JournalTest::join);

    for (var log : logs) {
      assertThat(Journals.streamed(log.runId()))
          .containsExactlyElementsOf(LongStream.rangeClosed(0, 80).boxed().toList());
    }
  }

  @Test
  void threadsOfOneRunShareOneNumbering() {
    var log = Journals.created(store, "alice");

    var threads =
        IntStream.range(0, 16)
            .mapToObj(i -> Thread.ofVirtual().start(() -> Journals.step(log, i)))
            .toList();
    threads.forEach(JournalTest::join);
    Journals.durable(log);

    assertThat(Journals.streamed(log.runId()))
        .containsExactlyElementsOf(LongStream.range(0, 32).boxed().toList());
  }

  @Test
  void theEndIsReadBackAndTheLeaseGivenUp() {
    var log = Journals.created(store, "alice");
    Journals.complete(log);
    Journals.durable(log);

    await()
        .atMost(PATIENCE)
        .untilAsserted(() -> assertThat(find(log).terminalPersisted()).isTrue());
    var run = find(log);
    assertThat(run.status()).isEqualTo(RunStatus.COMPLETED);
    assertThat(run.summary()).isEqualTo("done");
    assertThat(run.executor()).isNull();
    assertThat(run.executionStopped()).isTrue();
    assertThat(run.completedAt()).isNotNull();
    assertThatThrownBy(() -> Journals.step(log, 9)).isInstanceOf(IllegalStateException.class);
  }

  @Test
  void aRunThatBelongsToSomebodyElseWritesNothingWhileTheOthersDo() {
    var lost = Journals.created(store, "alice");
    var kept = Journals.created(store, "alice");
    Journals.execute("UPDATE agent.run SET generation = 2 WHERE id = '%s'".formatted(lost.runId()));

    Journals.step(lost, 0);
    Journals.step(kept, 0);

    Journals.durable(kept);
    assertThatThrownBy(() -> Journals.durable(lost)).isInstanceOf(FencedException.class);
    assertThat(lost.held()).isFalse();
    assertThat(Journals.streamed(lost.runId())).isEmpty();
    assertThat(Journals.streamed(kept.runId())).containsExactly(0L, 1L);
    assertThatThrownBy(() -> Journals.step(lost, 1)).isInstanceOf(FencedException.class);
  }

  @Test
  void receiptsAreIntendedBeforeAndSettledAfterTheCall() {
    var log = Journals.created(store, "alice");
    var apart = UUID.randomUUID();
    var together = UUID.randomUUID();

    log.append(List.of(), List.of(intended(apart, 0)));
    Journals.durable(log);
    assertThat(receiptState(apart)).isEqualTo("intended");
    log.append(
        List.of(),
        List.of(new Change.Outcome(apart, Change.ReceiptState.DONE), intended(together, 1)));
    log.append(List.of(), List.of(new Change.Outcome(together, Change.ReceiptState.FAILED)));
    Journals.durable(log);

    assertThat(receiptState(apart)).isEqualTo("done");
    assertThat(receiptState(together)).isEqualTo("failed");
  }

  @Test
  void filesAreListedWithTheCommitOfTheirStepUnderTheirLastAuthor() {
    var log = Journals.created(store, "alice");

    log.append(
        List.of(Journals.event(EventType.STEP_COMPLETE, 0)),
        List.of(
            new Change.Wrote(0, "workspace/a", "runs/1/a", 5),
            new Change.Wrote(1, "workspace/a", "runs/1/a", 7),
            new Change.Wrote(1, "workspace/b", "runs/1/b", 9)));
    log.append(List.of(), List.of(new Change.Wrote(2, "workspace/b", "runs/1/b", 11)));
    Journals.durable(log);

    assertThat(Journals.files(log.runId())).containsExactly("workspace/a 7 1", "workspace/b 11 2");
  }

  @Test
  void anEventThatTheDatabaseRefusesBreaksItsOwnRunOnly() {
    var broken = Journals.created(store, "alice");
    var healthy = Journals.created(store, "alice");
    var call = new Change.Intended(UUID.randomUUID(), 0, 1, "to\0ol", Effect.WRITE, "00");

    broken.append(List.of(Journals.event(EventType.STEP_START, 0)), List.of(call));
    broken.append(List.of(Journals.event(EventType.STEP_COMPLETE, 0)), List.of());
    Journals.step(healthy, 0);

    Journals.durable(healthy);
    assertThatThrownBy(() -> Journals.durable(broken)).isInstanceOf(IllegalStateException.class);
    await()
        .atMost(PATIENCE)
        .untilAsserted(() -> assertThat(find(broken).status()).isEqualTo(RunStatus.FAILED));
    assertThat(find(broken).interrupted()).isTrue();
    assertThat(Journals.streamed(broken.runId())).containsExactly(0L);
    assertThat(Journals.streamed(healthy.runId())).containsExactly(0L, 1L);
  }

  @Test
  void charactersThatPostgresCannotHoldSurviveInEventsAndAreReplacedInColumns() {
    var log = Journals.created(store, "alice");
    log.append(
        List.of(new RunLog.Entry(EventType.ERROR, Journals.json().put("message", "a\0b"))),
        List.of(new Change.End(RunStatus.FAILED, null, "a\0b", false)));
    Journals.durable(log);

    assertThat(find(log).error()).isEqualTo("a\uFFFDb");
    assertThat(
            Journals.value(
                "SELECT data FROM agent.run_event WHERE seq = 0 AND run_id = '%s'"
                    .formatted(log.runId())))
        .isEqualTo("{\"message\":\"a\\u0000b\"}");
  }

  @Test
  void aConversationHasOneActiveRun() {
    var session = UUID.randomUUID().toString();
    var first = store.create(Journals.newRun("alice", session)).await().atMost(PATIENCE);

    assertThatThrownBy(
            () -> store.create(Journals.newRun("alice", session)).await().atMost(PATIENCE))
        .isInstanceOfSatisfying(
            ProblemException.class,
            refused -> {
              assertThat(refused.problem().code()).isEqualTo("SESSION_BUSY");
              assertThat(refused.problem().members()).containsKey("active_run");
            });
    store.create(Journals.newRun("bob", session)).await().atMost(PATIENCE);
    Journals.complete(first);
    await()
        .atMost(PATIENCE)
        .untilAsserted(
            () -> store.create(Journals.newRun("alice", session)).await().atMost(PATIENCE));
  }

  @Test
  void aPausedRunIsContinuedOnceWithTheNextGeneration() {
    var log = Journals.created(store, "alice");
    pause(log, "g-1");

    var next = store.release("alice", log.runId(), "g-1", 1, "approve").await().atMost(PATIENCE);
    var again = store.release("alice", log.runId(), "g-1", 1, "approve").await().atMost(PATIENCE);

    assertThat(next).isNotNull();
    assertThat(again).isNull();
    assertThat(next.log().generation()).isEqualTo(2);
    Journals.step(next.log(), 0);
    Journals.durable(next.log());
    assertThat(Journals.streamed(log.runId())).containsExactly(0L, 1L, 2L);
    assertThat(find(log).releasedGate()).isEqualTo("g-1");
  }

  @Test
  void cancellingAPausedRunEndsItWithoutStartingAnything() {
    var log = Journals.created(store, "alice");
    pause(log, "g-1");

    var run = store.cancel("alice", log.runId()).await().atMost(PATIENCE);

    assertThat(run).isNotNull();
    assertThat(run.status()).isEqualTo(RunStatus.CANCELLED);
    await()
        .atMost(PATIENCE)
        .untilAsserted(
            () -> assertThat(find(log).cancelStatus()).isEqualTo(StoredRun.CancelStatus.CONFIRMED));
    assertThat(
            Journals.value(
                "SELECT string_agg(type, ' ' ORDER BY audit_seq) FROM agent.run_event WHERE run_id = '%s'"
                    .formatted(log.runId())))
        .isEqualTo("created plan_approval_requested cancel_requested cancelled error");
  }

  @Test
  void cancellingAnExecutedRunTellsItsExecutor() {
    var told = new ArrayList<UUID>();
    store.onStop(
        new StopSignals() {
          @Override
          public void cancelRequested(UUID runId) {
            told.add(runId);
          }

          @Override
          public void leaseLost(UUID runId) {}
        });
    var log = Journals.created(store, "alice");

    var run = store.cancel("alice", log.runId()).await().atMost(PATIENCE);

    assertThat(run).isNotNull();
    assertThat(run.cancelStatus()).isEqualTo(StoredRun.CancelStatus.REQUESTED);
    assertThat(told).contains(log.runId());
    assertThat(store.cancel("bob", log.runId()).await().atMost(PATIENCE)).isNull();
  }

  private static void pause(RunLog log, String gate) {
    log.append(
        List.of(Journals.event(EventType.PLAN_APPROVAL_REQUESTED, 0)),
        List.of(
            new Change.Gate(
                RunStatus.AWAITING_PLAN_APPROVAL, gate, Journals.json().put("gateId", gate))));
    Journals.durable(log);
  }

  private static Change.Intended intended(UUID id, int step) {
    return new Change.Intended(id, step, 1, "write_file", Effect.WRITE, "00");
  }

  private static String receiptState(UUID id) {
    return String.valueOf(
        Journals.value("SELECT state FROM agent.receipt WHERE invocation_id = '%s'".formatted(id)));
  }

  private StoredRun find(RunLog log) {
    var run = store.find("alice", log.runId()).await().atMost(PATIENCE);
    assertThat(run).isNotNull();
    return run;
  }

  private static void run(RunLog log, int steps) {
    for (var i = 0; i < steps; i++) {
      Journals.step(log, i);
    }
    Journals.complete(log);
    Journals.durable(log);
  }

  private static void join(Thread thread) {
    try {
      thread.join();
    } catch (InterruptedException interrupted) {
      throw new IllegalStateException(interrupted);
    }
  }
}
