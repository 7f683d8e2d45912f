package io.fengyu.agent.journal;

import static io.restassured.RestAssured.given;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.hamcrest.Matchers.equalTo;

import io.fengyu.contract.testing.PostgresResource;
import io.quarkus.test.junit.QuarkusTest;
import jakarta.inject.Inject;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

@QuarkusTest
class StreamTest {

  private static final Duration PATIENCE = Duration.ofSeconds(20);
  private static final String ALICE = PostgresResource.ALICE_TOKEN;

  @Inject RunStore store;
  @Inject LiveRuns live;

  @Test
  void framesAreAsThePromiseSays() {
    var log = Journals.created(store, "alice");
    Journals.step(log, 7);
    Journals.complete(log);

    try (var watcher = Watcher.open(log.runId(), ALICE, null)) {
      assertThat(watcher.status()).isEqualTo(200);
      assertThat(watcher.contentType()).isEqualTo("text/event-stream");
      assertThat(watcher.next()).isEqualTo(new Watcher.Frame(null, null, ": connected"));
      assertThat(watcher.next())
          .isEqualTo(new Watcher.Frame("0", "step_start", "{\"index\":7,\"seq\":0}"));
      assertThat(watcher.rest())
          .containsExactly(
              new Watcher.Frame("1", "step_complete", "{\"index\":7,\"seq\":1}"),
              new Watcher.Frame("2", "complete", "{\"status\":\"COMPLETED\",\"seq\":2}"));
    }
  }

  @Test
  void aClientThatWatchesFromTheStartSeesEventsAsTheyAreCommitted() {
    var log = Journals.created(store, "alice");

    try (var watcher = Watcher.open(log.runId(), ALICE, null)) {
      for (var i = 0; i < 5; i++) {
        Journals.step(log, i);
        assertThat(watcher.events(2))
            .extracting(Watcher.Frame::seq)
            .containsExactly(2L * i, 2L * i + 1);
      }
      Journals.complete(log);
      assertThat(watcher.rest()).extracting(Watcher.Frame::event).containsExactly("complete");
    }
  }

  @Test
  void whoSawTheLastEventFindsTheEndReadBack() {
    for (var i = 0; i < 10; i++) {
      var log = Journals.created(store, "alice");
      try (var watcher = Watcher.open(log.runId(), ALICE, null)) {
        Journals.complete(log);
        watcher.rest();
        given()
            .header("X-FengYu-Token", ALICE)
            .get("/api/agent/runs/" + log.runId())
            .then()
            .statusCode(200)
            .body("status", equalTo("COMPLETED"))
            .body("terminal_persisted", equalTo(true))
            .body("can_send", equalTo(true))
            .body("last_event_seq", equalTo(0));
      }
    }
  }

  @Test
  void disconnectingAtRandomAndComingBackByCursorGivesEveryEventOnce() {
    var log = Journals.created(store, "alice");
    var random = new Random(7);
    var writer =
        Thread.ofVirtual()
            .start(
                () -> {
                  IntStream.range(0, 500).forEach(i -> slowStep(log, i));
                  Journals.complete(log);
                });

    var seen = new ArrayList<Long>();
    while (seen.size() < 1001) {
      var cursor = seen.isEmpty() ? -1 : seen.getLast();
      try (var watcher = Watcher.open(log.runId(), ALICE, cursor)) {
        watcher.events(1 + random.nextInt(120)).forEach(frame -> seen.add(frame.seq()));
      }
    }

    assertThat(seen).containsExactlyElementsOf(LongStream.rangeClosed(0, 1000).boxed().toList());
    assertThat(writer).isNotNull();
  }

  private static void slowStep(RunLog log, int index) {
    Journals.step(log, index);
    if (index % 50 == 0) {
      Journals.durable(log);
    }
  }

  @Test
  void whatTheMemoryNoLongerHasComesFromTheTable() {
    var log = Journals.created(store, "alice");
    IntStream.range(0, 1000).forEach(i -> Journals.step(log, i));
    Journals.durable(log);
    assertThat(live.find(log.runId())).isNotNull();

    try (var watcher = Watcher.open(log.runId(), ALICE, null)) {
      assertThat(watcher.events(1500)).hasSize(1500);
      Journals.step(log, 1000);
      Journals.complete(log);
      assertThat(watcher.rest())
          .extracting(Watcher.Frame::seq)
          .containsExactlyElementsOf(LongStream.rangeClosed(1500, 2002).boxed().toList());
    }
  }

  @Test
  void largeResultsAreStreamedWhole() {
    var log = Journals.created(store, "alice");
    var text = "x".repeat(3_000_000);
    for (var i = 0; i < 4; i++) {
      log.append(
          List.of(new RunLog.Entry(EventType.STEP_COMPLETE, Journals.json().put("result", text))),
          List.of());
    }
    Journals.complete(log);

    try (var watcher = Watcher.open(log.runId(), ALICE, null)) {
      var frames = watcher.rest();
      assertThat(frames).hasSize(5);
      assertThat(frames.get(3).data()).hasSize(text.length() + 21);
    }
  }

  @Test
  void manyWatchersOfOneRunAllSeeEverything() throws InterruptedException {
    var log = Journals.created(store, "alice");
    var counts = new java.util.concurrent.ConcurrentLinkedQueue<Integer>();
    var watchers = new ArrayList<Thread>();
    for (var i = 0; i < 20; i++) {
      var watcher = Watcher.open(log.runId(), ALICE, null);
      watchers.add(Thread.ofVirtual().start(() -> counts.add(watcher.rest().size())));
    }

    IntStream.range(0, 100).forEach(i -> Journals.step(log, i));
    Journals.complete(log);
    for (var watcher : watchers) {
      watcher.join();
    }

    assertThat(counts).hasSize(20).containsOnly(201);
  }

  @Test
  void aClientThatTakesNothingDoesNotHoldUpTheOthers() {
    var log = Journals.created(store, "alice");
    try (var idle = Watcher.open(log.runId(), ALICE, null);
        var busy = Watcher.open(log.runId(), ALICE, null)) {
      var text = "x".repeat(100_000);
      for (var i = 0; i < 100; i++) {
        log.append(
            List.of(new RunLog.Entry(EventType.STEP_COMPLETE, Journals.json().put("result", text))),
            List.of());
      }
      Journals.complete(log);
      assertThat(busy.rest()).hasSize(101);
      assertThat(idle.rest()).hasSize(101);
    }
  }

  @Test
  void aRunOfSomebodyElseIsAsUnknownAsNone() {
    var log = Journals.created(store, "alice");
    for (var query :
        List.of("runId=" + log.runId(), "runId=" + UUID.randomUUID(), "runId=nonsense")) {
      given()
          .header("X-FengYu-Token", PostgresResource.BOB_TOKEN)
          .get("/api/agent/stream?" + query)
          .then()
          .statusCode(404)
          .body("code", equalTo("RUN_NOT_FOUND"));
    }
  }

  @Test
  void aCursorThatCannotBeHonouredIsRefusedTheWayItCame() {
    var log = Journals.created(store, "alice");
    Journals.step(log, 0);
    Journals.durable(log);

    for (var cursor : List.of("2", "-2", "abc")) {
      given()
          .header("X-FengYu-Token", ALICE)
          .get("/api/agent/stream?runId=" + log.runId() + "&after_seq=" + cursor)
          .then()
          .statusCode(409)
          .body("code", equalTo("REPLAY_UNAVAILABLE"));
      try (var watcher = Watcher.open("runId=" + log.runId(), ALICE, cursor)) {
        assertThat(watcher.status()).isEqualTo(200);
        var frames = watcher.rest();
        assertThat(frames).hasSize(1);
        assertThat(frames.getFirst().event()).isEqualTo("replay_unavailable");
        assertThat(frames.getFirst().data()).contains("/api/agent/runs/" + log.runId());
      }
    }
  }

  @Test
  void theStreamOfAnEndedRunClosesEvenWhenNothingIsLeft() {
    var log = Journals.created(store, "alice");
    Journals.complete(log);
    Journals.durable(log);
    await().atMost(PATIENCE).until(() -> live.find(log.runId()) != null);

    try (var watcher = Watcher.open(log.runId(), ALICE, 0L)) {
      assertThat(watcher.rest()).isEmpty();
    }
  }

  @Test
  void aWatcherOfAPausedRunSeesHowItGoesOn() {
    var log = Journals.created(store, "alice");
    log.append(
        List.of(Journals.event(EventType.PLAN_APPROVAL_REQUESTED, 0)),
        List.of(new Change.Gate(RunStatus.AWAITING_PLAN_APPROVAL, "g-1", Journals.json())));
    Journals.durable(log);

    try (var watcher = Watcher.open(log.runId(), ALICE, null)) {
      assertThat(watcher.events(1)).hasSize(1);
      var next = store.release("alice", log.runId(), "g-1", 1, "approve").await().atMost(PATIENCE);
      assertThat(next).isNotNull();
      Journals.step(next.log(), 0);
      Journals.complete(next.log());
      assertThat(watcher.rest()).extracting(Watcher.Frame::seq).containsExactly(1L, 2L, 3L);
    }
  }

  @Test
  void aClosedConnectionIsForgotten() {
    var log = Journals.created(store, "alice");
    var before = connections();
    var watcher = Watcher.open(log.runId(), ALICE, null);
    await().atMost(PATIENCE).until(() -> connections() == before + 1);

    watcher.close();

    await().atMost(PATIENCE).until(() -> connections() == before);
    Journals.complete(log);
  }

  private static double connections() {
    return given()
        .get("/q/metrics")
        .asString()
        .lines()
        .filter(line -> line.startsWith("fengyu_sse_connections"))
        .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1)))
        .findFirst()
        .orElse(-1);
  }
}
