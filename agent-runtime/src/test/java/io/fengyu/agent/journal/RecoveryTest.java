package io.fengyu.agent.journal;

import static io.restassured.RestAssured.given;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.hasItems;

import io.fengyu.agent.tool.Effect;
import io.fengyu.contract.problem.ProblemException;
import io.fengyu.contract.start.Settlement;
import io.fengyu.contract.start.StartClaim;
import io.fengyu.contract.start.StartKey;
import io.fengyu.contract.testing.PostgresResource;
import io.fengyu.contract.testing.PostgresServer;
import io.quarkus.test.junit.QuarkusTest;
import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.sqlclient.Pool;
import jakarta.inject.Inject;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

@QuarkusTest
class RecoveryTest {

  private static final LeftBehind NOTHING = runs -> Uni.createFrom().item(true);
  private static final Duration PATIENCE = Duration.ofSeconds(20);
  private static final String ALICE = PostgresResource.ALICE_TOKEN;

  @Inject RunStore store;
  @Inject RunJournal runs;
  @Inject LiveRuns live;
  @Inject Pool pool;

  private Reconciler reconciler;

  @BeforeEach
  void prepare() {
    reconciler = new Reconciler(pool, live, "another-host:8082", NOTHING);
  }

  @Test
  void runsOfADeadExecutorAreInterruptedAndNothingIsRepeated() {
    var log = Journals.created(store, "alice");
    var call = UUID.randomUUID();
    log.append(
        List.of(Journals.event(EventType.STEP_START, 0)),
        List.of(new Change.Intended(call, 0, 1, "write_file", Effect.WRITE, "00")));
    Journals.durable(log);
    handTo(log.runId(), executor("now() - interval '1 second'", "gone:1"));

    try (var watcher = Watcher.open(log.runId(), ALICE, null)) {
      assertThat(watcher.events(1)).hasSize(1);
      recover();
      var last = watcher.rest();
      assertThat(last).hasSize(1);
      assertThat(last.getFirst().id()).isEqualTo("1");
      assertThat(last.getFirst().event()).isEqualTo("error");
      assertThat(last.getFirst().data()).contains("\"code\":\"INTERRUPTED\"", "restart");
    }

    given()
        .header("X-FengYu-Token", ALICE)
        .get("/api/agent/runs/" + log.runId())
        .then()
        .body("status", equalTo("FAILED"))
        .body("interrupted", equalTo(true))
        .body("error", containsString("restart"))
        .body("terminal_persisted", equalTo(true))
        .body("execution_stopped", equalTo(true))
        .body("last_event_seq", equalTo(1))
        .body("executions[0].status", equalTo("FAILED"))
        .body("events.type", hasItems("created", "step_start", "interrupted", "error"));
    given()
        .header("X-FengYu-Token", ALICE)
        .get("/api/agent/runs/" + log.runId() + "/receipts")
        .then()
        .body("[0].state", equalTo("unknown"));
    assertThatThrownBy(() -> lateWrite(log)).isInstanceOf(FencedException.class);
    assertThat(Journals.streamed(log.runId())).containsExactly(0L, 1L);
  }

  @Test
  void aRunIsNotSaidToHaveEndedWhileAProcessOfItsDeadExecutorLives() {
    var log = Journals.created(store, "alice");
    handTo(log.runId(), executor("now() - interval '1 second'", "gone:1"));
    var asked = new AtomicReference<Collection<UUID>>();
    var stubborn =
        new Reconciler(
            pool,
            live,
            "another-host:8082",
            runs -> {
              asked.set(runs);
              return Uni.createFrom().item(false);
            });

    stubborn.deadExecutors(UUID.randomUUID()).await().atMost(PATIENCE);

    assertThat(asked.get()).containsExactly(log.runId());
    given()
        .header("X-FengYu-Token", ALICE)
        .get("/api/agent/runs/" + log.runId())
        .then()
        .body("status", equalTo("PLANNING"))
        .body("execution_stopped", equalTo(false));

    recover();

    given()
        .header("X-FengYu-Token", ALICE)
        .get("/api/agent/runs/" + log.runId())
        .then()
        .body("interrupted", equalTo(true));
  }

  @Test
  void aLivingExecutorKeepsItsRuns() {
    var log = Journals.created(store, "alice");
    var other = executor("now() + interval '1 minute'", "alive:1");
    handTo(log.runId(), other);

    recover();

    assertThat(status(log.runId())).isEqualTo("PLANNING");
    Journals.execute("DELETE FROM agent.executor WHERE id = '%s'".formatted(other));
  }

  @Test
  void aProcessAtTheSameAddressProvesItsPredecessorDead() {
    var log = Journals.created(store, "alice");
    handTo(log.runId(), executor("now() + interval '1 minute'", "another-host:8082"));

    recover();

    assertThat(status(log.runId())).isEqualTo("FAILED");
  }

  @Test
  void aBatchUnderWayIsNotOvertaken() throws SQLException {
    var log = Journals.created(store, "alice");
    var dead = executor("now() - interval '1 second'", "gone:2");
    handTo(log.runId(), dead);
    try (var connection = PostgresServer.shared().connect();
        var statement = connection.createStatement()) {
      connection.setAutoCommit(false);
      statement.execute(
          "SELECT id FROM agent.executor WHERE id = '%s' FOR KEY SHARE".formatted(dead));
      recover();
      assertThat(status(log.runId())).isEqualTo("PLANNING");
      connection.commit();
    }

    recover();

    assertThat(status(log.runId())).isEqualTo("FAILED");
  }

  @Test
  void ofManyReplicasOneReconciles() {
    var log = Journals.created(store, "alice");
    handTo(log.runId(), executor("now() - interval '1 second'", "gone:3"));

    CompletableFuture.allOf(
            IntStream.range(0, 8)
                .mapToObj(i -> CompletableFuture.runAsync(this::recover))
                .toArray(CompletableFuture[]::new))
        .join();

    assertThat(Journals.streamed(log.runId())).containsExactly(0L);
    assertThat(Journals.audited(log.runId())).containsExactly(0, 1, 2);
  }

  @Test
  void aCancelThatWasAcceptedBeatsAnEndThatWasNotWrittenYet() {
    var log = Journals.created(store, "alice");
    Journals.step(log, 0);
    Journals.durable(log);
    assertThat(store.cancel("alice", log.runId()).await().atMost(PATIENCE)).isNotNull();

    Journals.complete(log);
    Journals.durable(log);

    assertThat(log.endedAsCancelled()).isTrue();
    try (var watcher = Watcher.open(log.runId(), ALICE, null)) {
      var frames = watcher.rest();
      assertThat(frames)
          .extracting(Watcher.Frame::event)
          .containsExactly("step_start", "step_complete", "error");
      assertThat(frames.getLast().data()).contains("CANCELLED");
    }
    given()
        .header("X-FengYu-Token", ALICE)
        .get("/api/agent/runs/" + log.runId())
        .then()
        .body("status", equalTo("CANCELLED"))
        .body("cancel_status", equalTo("confirmed"))
        .body("events.type", hasItems("cancel_requested", "cancelled"));
  }

  @Test
  void aConnectionThatBreaksAgainAndAgainLosesAndDoublesNothing() {
    var log = Journals.created(store, "alice");
    var killer =
        Thread.ofVirtual()
            .start(
                () -> {
                  for (var i = 0; i < 12; i++) {
                    Journals.execute(
                        """
                        SELECT pg_terminate_backend(pid), pg_sleep(0.05) FROM pg_stat_activity
                         WHERE application_name = 'fengyu-journal'""");
                  }
                });
    for (var i = 0; killer.isAlive(); i++) {
      Journals.step(log, i);
      Journals.durable(log);
    }
    Journals.complete(log);
    Journals.durable(log);

    var streamed = Journals.streamed(log.runId());
    assertThat(streamed)
        .containsExactlyElementsOf(LongStream.range(0, streamed.size()).boxed().toList())
        .hasSizeGreaterThan(10);
    await()
        .atMost(PATIENCE)
        .until(() -> store.find("alice", log.runId()).await().atMost(PATIENCE).terminalPersisted());
  }

  @Test
  void whatAnotherReplicaCommitsReachesWatchersHere() {
    var log = Journals.created(store, "alice");
    Journals.durable(log);
    live.leave(((JournalLog) log).live());

    try (var watcher = Watcher.open(log.runId(), ALICE, null)) {
      assertThat(watcher.next()).isNotNull();
      Journals.execute(
          """
          INSERT INTO agent.run_event (run_id, seq, type, data, created_at)
          VALUES ('%1$s', 0, 'step_start', '{}', now());
          SELECT pg_notify('agent_run', '%1$s')"""
              .formatted(log.runId()));
      assertThat(watcher.events(1))
          .containsExactly(new Watcher.Frame("0", "step_start", "{\"seq\":0}"));
      given()
          .get("/q/metrics")
          .then()
          .body(containsString("fengyu_events_notify_lag_seconds_count"));
    }
  }

  @Test
  void aRunWhoseStartSomebodyElseHasTakenOverIsNotMade() {
    var run = Journals.newRun("alice");
    var key = new StartKey("alice", "/api/agent/run", "idempotencyKey", "taken-over", "");
    var lost = new StartClaim(key, UUID.randomUUID(), UUID.randomUUID());
    var overtaken =
        new NewRun(
            run.id(),
            run.owner(),
            null,
            run.goal(),
            run.config(),
            run.plan(),
            null,
            null,
            run.sandboxProfile(),
            false,
            new Settlement(List.of(lost), "{}"));

    assertThatThrownBy(() -> store.create(overtaken).await().atMost(PATIENCE))
        .isInstanceOf(ProblemException.class);

    assertThat(store.find("alice", run.id()).await().atMost(PATIENCE)).isNull();
  }

  @Test
  void aLostLeaseStopsTheWorkAndEndsItsRuns() {
    var log = Journals.created(store, "alice");
    Journals.step(log, 0);
    Journals.durable(log);
    var told = new CompletableFuture<UUID>();
    store.onStop(
        new StopSignals() {
          @Override
          public void cancelRequested(UUID runId) {}

          @Override
          public void leaseLost(UUID runId) {
            if (runId.equals(log.runId())) {
              told.complete(runId);
            }
          }
        });

    runs.endangered(new io.fengyu.contract.instance.LeaseDanger(Duration.ofSeconds(14)));

    assertThat(told).succeedsWithin(PATIENCE);
    assertThat(log.held()).isFalse();
    assertThatThrownBy(() -> Journals.step(log, 1)).isInstanceOf(FencedException.class);
    await().atMost(PATIENCE).until(() -> status(log.runId()).equals("FAILED"));
    Journals.durable(Journals.created(store, "alice"));
  }

  private void recover() {
    reconciler.deadExecutors(UUID.randomUUID()).await().atMost(PATIENCE);
  }

  private static void lateWrite(RunLog log) {
    Journals.step(log, 1);
    Journals.durable(log);
  }

  private static UUID executor(String leaseUntil, String address) {
    var id = UUID.randomUUID();
    Journals.execute(
        "INSERT INTO agent.executor (id, address, lease_until) VALUES ('%s', '%s', %s)"
            .formatted(id, address, leaseUntil));
    return id;
  }

  // From here on the run is as if another process executed it.
  private void handTo(UUID runId, UUID executor) {
    Journals.execute(
        "UPDATE agent.run SET executor = '%s' WHERE id = '%s'".formatted(executor, runId));
    var here = live.find(runId);
    if (here != null) {
      live.leave(here);
    }
  }

  private static String status(UUID runId) {
    return String.valueOf(
        Journals.value("SELECT status FROM agent.run WHERE id = '%s'".formatted(runId)));
  }
}
