package io.fengyu.agent.journal;

import static io.restassured.RestAssured.given;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.hamcrest.Matchers.equalTo;

import io.fengyu.agent.tool.Effect;
import io.fengyu.contract.net.Drain;
import io.fengyu.contract.testing.PostgresResource;
import io.quarkus.test.junit.QuarkusTest;
import jakarta.inject.Inject;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;

@QuarkusTest
class DrainTest {

  private static final String ALICE = PostgresResource.ALICE_TOKEN;

  @Inject RunStore store;
  @Inject RunJournal runs;
  @Inject EventStreams streams;

  @Test
  void aStreamThatIsDrainedHasNoEndAndGoesOnElsewhereByItsCursor() {
    var log = Journals.created(store, "alice");
    Journals.step(log, 0);
    Journals.durable(log);

    try (var watcher = Watcher.open(log.runId(), ALICE, null)) {
      assertThat(watcher.events(2)).hasSize(2);
      streams.drain();
      assertThat(watcher.next()).isEqualTo(new Watcher.Frame(null, null, ": draining"));
      assertThat(watcher.rest()).isEmpty();
    }

    Journals.complete(log);
    try (var again = Watcher.open(log.runId(), ALICE, 1L)) {
      assertThat(again.rest()).extracting(Watcher.Frame::event).containsExactly("complete");
    }
  }

  @Test
  void whatRunsAtTheDeadlineIsRecordedAsInterruptedAtOnce() {
    var log = Journals.created(store, "alice");
    log.append(
        List.of(Journals.event(EventType.STEP_START, 0)),
        List.of(new Change.Intended(UUID.randomUUID(), 0, 1, "write_file", Effect.WRITE, "00")));

    runs.deadline(Drain.DEADLINE);

    given()
        .header("X-FengYu-Token", ALICE)
        .get("/api/agent/runs/" + log.runId())
        .then()
        .body("status", equalTo("FAILED"))
        .body("interrupted", equalTo(true))
        .body("last_event_seq", equalTo(1));
    given()
        .header("X-FengYu-Token", ALICE)
        .get("/api/agent/runs/" + log.runId() + "/receipts")
        .then()
        .body("[0].state", equalTo("unknown"));
    assertThatThrownBy(() -> Journals.step(log, 1)).isInstanceOf(FencedException.class);
  }
}
