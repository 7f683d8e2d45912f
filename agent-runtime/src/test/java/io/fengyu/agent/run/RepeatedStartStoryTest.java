package io.fengyu.agent.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.notNullValue;

import io.quarkus.test.junit.QuarkusTest;
import io.vertx.mutiny.sqlclient.Tuple;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Starts that come twice, and conversations that hold one run at a time. */
@QuarkusTest
class RepeatedStartStoryTest extends RunStory {

  @Test
  void aRepeatedStartGetsTheFirstRunBack() {
    var id = "start-" + UUID.randomUUID();
    var body = "{'start_request_id':'" + id + "','workflow':{'goal':'once','steps':[]}}";

    var runs =
        IntStream.range(0, 8)
            .mapToObj(i -> CompletableFuture.supplyAsync(() -> alice.start(body)))
            .toList()
            .stream()
            .map(CompletableFuture::join)
            .distinct()
            .toList();

    assertThat(runs).hasSize(1);
    alice
        .post("/run", "{'workflow':{'steps':[],  'goal':'once'}, 'startRequestId':'" + id + "'}")
        .statusCode(200)
        .body("replayed", equalTo(true))
        .body("runId", equalTo(runs.getFirst()));
    alice
        .post("/run", body.replace("once", "twice"))
        .statusCode(409)
        .body("code", equalTo("START_IDEMPOTENCY_CONFLICT"));
    RunClient.bob().post("/run", body).statusCode(200).body("replayed", equalTo(false));
  }

  @Test
  void aStartWhoseProcessDiedBeforeTheRunWasMadeIsTakenOver() {
    var id = "start-" + UUID.randomUUID();
    var body = "{'start_request_id':'" + id + "','workflow':{'goal':'once','steps':[]}}";
    var first = alice.start(body);
    var orphaned =
        """
        UPDATE agent.start_claim
           SET status = NULL, answer = NULL, subject = NULL,
               claimed_at = now() - interval '1 minute'
         WHERE key_digest = sha256(convert_to($1, 'UTF8'))""";
    pool.preparedQuery(orphaned).execute(Tuple.of(id)).await().atMost(Duration.ofSeconds(10));

    var second = alice.start(body);

    assertThat(second).isNotEqualTo(first);
    alice
        .post("/run", body)
        .statusCode(200)
        .body("replayed", equalTo(true))
        .body("runId", equalTo(second));
  }

  @Test
  void aFailedStartDoesNotKeepItsId() {
    var id = "start-" + UUID.randomUUID();
    var body =
        "{'start_request_id':'"
            + id
            + "','files':[{'name':'x'}],'workflow':{'goal':'once','steps':[]}}";

    alice.post("/run", body).statusCode(400);
    alice.post("/run", body).statusCode(400);
    alice.post("/run", body.replace(",'files':[{'name':'x'}]", "")).statusCode(200);
  }

  @Test
  void aConversationHasOneActiveRun() {
    var session = "s-" + UUID.randomUUID();
    var body = "{'session_id':'" + session + "','workflow':{'steps':[{'toolName':'test_note'}]}}";
    var runId = alice.start(body);
    alice.gate(runId);

    alice
        .post("/run", body)
        .statusCode(409)
        .body("code", equalTo("SESSION_BUSY"))
        .body("active_run.run_id", equalTo(runId));

    alice.cancel(runId);
    await()
        .atMost(Duration.ofSeconds(5))
        .untilAsserted(
            () -> alice.post("/run", body).statusCode(200).body("runId", notNullValue()));
  }

  @Test
  void anEndThatWasNotReadBackKeepsTheConversationBusy() {
    var session = "s-" + UUID.randomUUID();
    var body = "{'session_id':'" + session + "','workflow':{'goal':'once','steps':[]}}";
    var runId = alice.start(body);
    await()
        .atMost(Duration.ofSeconds(5))
        .untilAsserted(() -> alice.detail(runId).body("terminal_persisted", equalTo(true)));
    readBack(runId, false);

    alice.get("/sessions/" + session).body("can_send", equalTo(false));
    alice
        .detail(runId)
        .body("status", equalTo("COMPLETED"))
        .body("terminal_persisted", equalTo(false))
        .body("can_send", equalTo(false));
    alice.post("/run", body).statusCode(409).body("code", equalTo("SESSION_BUSY"));

    readBack(runId, true);
    alice.get("/sessions/" + session).body("can_send", equalTo(true));
    alice.post("/run", body).statusCode(200);
  }

  private void readBack(String runId, boolean done) {
    pool.preparedQuery("UPDATE agent.run SET terminal_persisted = $2 WHERE id = $1")
        .execute(Tuple.of(UUID.fromString(runId), done))
        .await()
        .atMost(Duration.ofSeconds(10));
  }
}
