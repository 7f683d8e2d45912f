package io.fengyu.agent.journal;

import static io.restassured.RestAssured.given;
import static org.assertj.core.api.Assertions.assertThat;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.hasSize;

import io.fengyu.contract.testing.PostgresResource;
import io.quarkus.test.junit.QuarkusTest;
import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.sqlclient.Pool;
import jakarta.inject.Inject;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

@QuarkusTest
class TextPieceTest {

  private static final Duration PATIENCE = Duration.ofSeconds(20);
  private static final String ALICE = PostgresResource.ALICE_TOKEN;

  @Inject RunStore store;
  @Inject LiveRuns live;
  @Inject Pool pool;

  @Test
  void fragmentsAreStoredInFewerRowsThatKeepEveryBoundary() {
    var log = Journals.created(store, "alice");
    IntStream.range(0, 10).forEach(i -> log.appendText(EventType.PLAN_TOKEN, "t" + i));
    Journals.step(log, 0);
    Journals.durable(log);

    assertThat(Journals.streamed(log.runId())).hasSizeLessThan(12).endsWith(9L, 10L, 11L);
    var stored = store(log.runId(), -1, 500);
    stored.body("events", hasSize(12));
    for (var i = 0; i < 10; i++) {
      stored.body("events[" + i + "].type", equalTo("plan_token"));
      stored.body("events[" + i + "].data.text", equalTo("t" + i));
      stored.body("events[" + i + "].data.delta", equalTo("t" + i));
      stored.body("events[" + i + "].data.seq", equalTo(i));
    }
  }

  @Test
  void aReaderGoesOnFromInsideAPiece() {
    var log = Journals.created(store, "alice");
    IntStream.range(0, 10).forEach(i -> log.appendText(EventType.PLAN_TOKEN, "t" + i));
    Journals.durable(log);
    assertThat(Journals.streamed(log.runId())).endsWith(9L);
    live.leave(((JournalLog) log).live());

    for (var cursor = -1L; cursor < 9; cursor++) {
      try (var watcher = Watcher.open(log.runId(), ALICE, cursor)) {
        var rest = watcher.events((int) (9 - cursor));
        assertThat(rest)
            .extracting(Watcher.Frame::seq)
            .containsExactlyElementsOf(LongStream.range(cursor + 1, 10).boxed().toList());
        assertThat(rest.getFirst().data())
            .isEqualTo(
                "{\"text\":\"t%1$d\",\"delta\":\"t%1$d\",\"seq\":%1$d}".formatted(cursor + 1));
      }
    }
    store(log.runId(), 3, 4)
        .body("events.seq", equalTo(List.of(4, 5, 6, 7)))
        .body("next_after_seq", equalTo(7))
        .body("has_more", equalTo(true));
  }

  @Test
  void aReaderHereSeesAFragmentBeforeItIsStored() {
    var log = Journals.created(store, "alice");
    Journals.durable(log);

    try (var watcher = Watcher.open(log.runId(), ALICE, null)) {
      log.appendText(EventType.PLAN_TOKEN, "now");
      assertThat(((JournalLog) log).live().lastSeq()).isZero();
      assertThat(watcher.events(1)).extracting(Watcher.Frame::event).containsExactly("plan_token");
    }
  }

  @Test
  void aFragmentWaitsForWhatComesBeforeIt() {
    var log = Journals.created(store, "alice");

    try (var watcher = Watcher.open(log.runId(), ALICE, null)) {
      for (var i = 0; i < 50; i++) {
        Journals.step(log, i);
        log.appendText(EventType.PLAN_TOKEN, "a");
        log.appendText(EventType.PLAN_TOKEN, "b");
      }
      Journals.complete(log);
      assertThat(watcher.rest())
          .extracting(Watcher.Frame::seq)
          .containsExactlyElementsOf(LongStream.rangeClosed(0, 200).boxed().toList());
    }
  }

  @Test
  void aPieceIsStoredSoonAlthoughNothingFollows() {
    var log = Journals.created(store, "alice");
    log.appendText(EventType.PLAN_TOKEN, "alone");

    org.awaitility.Awaitility.await()
        .atMost(PATIENCE)
        .untilAsserted(() -> assertThat(Journals.streamed(log.runId())).containsExactly(0L));
  }

  @Test
  void aPieceHoldsAtMostFourKibibytes() {
    var log = Journals.created(store, "alice");
    IntStream.range(0, 20).forEach(i -> log.appendText(EventType.PLAN_TOKEN, "é".repeat(1000)));
    Journals.durable(log);

    assertThat(Journals.streamed(log.runId())).hasSizeGreaterThanOrEqualTo(10);
  }

  @Test
  void whatWasShownAndNeverStoredIsNotReplayed() {
    var log = Journals.created(store, "alice");
    IntStream.range(0, 5).forEach(i -> log.appendText(EventType.PLAN_TOKEN, "t" + i));
    Journals.durable(log);
    var dead = UUID.randomUUID();
    Journals.execute(
        """
        INSERT INTO agent.executor (id, address, lease_until)
        VALUES ('%1$s', 'gone:1', now() - interval '1 second');
        UPDATE agent.run SET executor = '%1$s' WHERE id = '%2$s'"""
            .formatted(dead, log.runId()));
    live.leave(((JournalLog) log).live());
    new Reconciler(pool, live, "another-host:8082", runs -> Uni.createFrom().item(true))
        .deadExecutors(UUID.randomUUID())
        .await()
        .atMost(PATIENCE);

    // Number 5 is the end now; a client that has 5 may have it as a fragment.
    for (var cursor : List.of(5L, 6L, 40L)) {
      try (var watcher = Watcher.open(log.runId(), ALICE, cursor)) {
        assertThat(watcher.rest())
            .extracting(Watcher.Frame::event)
            .containsExactly("replay_unavailable");
      }
    }
    try (var watcher = Watcher.open(log.runId(), ALICE, 4L)) {
      assertThat(watcher.rest()).extracting(Watcher.Frame::event).containsExactly("error");
    }
  }

  @Test
  void aWatcherWhoIsAheadWhenTheLeaseIsLostIsToldToReload() {
    var log = Journals.created(store, "alice");
    Journals.durable(log);

    try (var watcher = Watcher.open(log.runId(), ALICE, null)) {
      log.appendText(EventType.PLAN_TOKEN, "shown");
      assertThat(watcher.events(1)).hasSize(1);
      var live = ((JournalLog) log).live();
      live.show(TextPiece.event(EventType.PLAN_TOKEN, 1, "never", java.time.Instant.EPOCH));
      this.live.wake(log.runId());
      assertThat(watcher.events(1)).hasSize(1);

      this.live.leave(live);

      assertThat(watcher.rest())
          .extracting(Watcher.Frame::event)
          .containsExactly("replay_unavailable");
    }
  }

  private static io.restassured.response.ValidatableResponse store(
      UUID runId, long after, int limit) {
    return given()
        .header("X-FengYu-Token", ALICE)
        .get("/api/agent/runs/" + runId + "/events?after_seq=" + after + "&limit=" + limit)
        .then()
        .statusCode(200);
  }
}
