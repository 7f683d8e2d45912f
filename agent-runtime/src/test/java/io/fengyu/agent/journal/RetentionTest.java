package io.fengyu.agent.journal;

import static io.restassured.RestAssured.given;
import static org.assertj.core.api.Assertions.assertThat;
import static org.hamcrest.Matchers.equalTo;

import io.fengyu.contract.testing.PostgresResource;
import io.quarkus.test.junit.QuarkusTest;
import jakarta.inject.Inject;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

@QuarkusTest
class RetentionTest {

  @Inject RunStore store;
  @Inject Retention retention;

  @Test
  void fragmentsOfOldRunsGoAndTheWindowBeginsBehindThem() {
    var old = Journals.created(store, "alice");
    old.append(
        List.of(Journals.event(EventType.PLAN_TOKEN, 0), Journals.event(EventType.PLAN_TOKEN, 1)),
        List.of());
    Journals.step(old, 0);
    Journals.complete(old);
    Journals.durable(old);
    Journals.execute(
        "UPDATE agent.run SET completed_at = now() - interval '8 days' WHERE id = '%s'"
            .formatted(old.runId()));

    retention.sweep().await().atMost(Duration.ofSeconds(20));

    assertThat(Journals.streamed(old.runId())).containsExactly(2L, 3L, 4L);
    assertThat(Journals.audited(old.runId())).containsExactly(0, 1, 2, 3);
    var path = "/api/agent/runs/" + old.runId() + "/events?after_seq=";
    given()
        .header("X-FengYu-Token", PostgresResource.ALICE_TOKEN)
        .get(path + -1)
        .then()
        .statusCode(409)
        .body("code", equalTo("REPLAY_UNAVAILABLE"));
    given()
        .header("X-FengYu-Token", PostgresResource.ALICE_TOKEN)
        .get(path + 1)
        .then()
        .statusCode(200)
        .body("events.size()", equalTo(3));
  }
}
