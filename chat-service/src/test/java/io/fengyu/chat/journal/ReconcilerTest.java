package io.fengyu.chat.journal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fengyu.contract.db.Migrations;
import io.fengyu.contract.instance.Instances;
import io.fengyu.contract.testing.PostgresServer;
import io.quarkus.test.junit.QuarkusTest;
import jakarta.inject.Inject;
import java.sql.SQLException;
import java.time.Duration;
import java.util.UUID;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

@QuarkusTest
class ReconcilerTest {

  private static final Duration SOON = Duration.ofSeconds(30);

  @Inject Reconciler reconciler;
  @Inject TurnStore store;
  @Inject TurnPages pages;
  @Inject Instances instances;
  @Inject Migrations migrations;

  private final String owner = "owner-" + UUID.randomUUID();
  private final UUID turn = UUID.randomUUID();

  @BeforeEach
  void ready() {
    await().atMost(Duration.ofSeconds(60)).until(migrations::complete);
  }

  @Test
  void theTurnOfADeadProcessEndsAsInterruptedWithItsWords() throws Exception {
    begun(UUID.randomUUID(), "now()", false);

    reconciler.interruptAbandoned().await().atMost(SOON);

    var ended = store.find(owner, turn).await().atMost(SOON);
    assertThat(ended).isNotNull();
    assertThat(ended.status()).isEqualTo(TurnStatus.INTERRUPTED);
    assertThat(ended.text()).isEqualTo("one two ");
    assertThat(ended.error()).contains("INTERRUPTED");
    var frames = pages.after(turn, 0).await().atMost(SOON);
    assertThat(frames).extracting(Frame::seq).containsExactly(1L, 2L);
    assertThat(frames.getLast().terminal()).isTrue();
    // What it may have shown beyond what it stored had the number of that end.
    var window = pages.window(owner, turn).await().atMost(SOON);
    assertThat(window).isNotNull();
    assertThat(window.holds(1)).isTrue();
    assertThat(window.holds(2)).isFalse();
  }

  @Test
  void aCancelThatWasAcceptedIsKeptThoughItsProcessDied() throws Exception {
    begun(UUID.randomUUID(), "now()", true);

    reconciler.interruptAbandoned().await().atMost(SOON);

    var ended = store.find(owner, turn).await().atMost(SOON);
    assertThat(ended).isNotNull();
    assertThat(ended.status()).isEqualTo(TurnStatus.CANCELLED);
  }

  @Test
  void aTurnThatThisProcessLetGoOfEndsToo() throws Exception {
    begun(instances.id(), "now() - interval '1 minute'", false);

    reconciler.interruptAbandoned().await().atMost(SOON);

    var ended = store.find(owner, turn).await().atMost(SOON);
    assertThat(ended).isNotNull();
    assertThat(ended.status()).isEqualTo(TurnStatus.INTERRUPTED);
  }

  @Test
  void oldEventsGoAndTheTurnStays() throws Exception {
    begun(UUID.randomUUID(), "now()", false);
    reconciler.interruptAbandoned().await().atMost(SOON);
    run("UPDATE chat.turn SET ended_at = now() - interval '25 hours' WHERE id = '" + turn + "'");

    reconciler.sweep().await().atMost(SOON);

    assertThat(pages.after(turn, -1).await().atMost(SOON)).isEmpty();
    var kept = store.find(owner, turn).await().atMost(SOON);
    assertThat(kept).isNotNull();
    assertThat(kept.eventsGone()).isTrue();
  }

  private void begun(UUID executor, String at, boolean cancelled) throws SQLException {
    run(
        "INSERT INTO chat.turn (id, owner, executor, input, options, started_at, cancel_requested)"
            + " VALUES ('%s', '%s', '%s', 'Hi', '{}', %s, %s)"
                .formatted(turn, owner, executor, at, cancelled));
    run(
        "INSERT INTO chat.turn_event (turn_id, first, seq, type, data)"
            + " VALUES ('%s', 0, 1, 'token', '[\"one \",\"two \"]')".formatted(turn));
  }

  private static void run(String sql) throws SQLException {
    try (var connection = PostgresServer.shared().connect();
        var statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }
}
