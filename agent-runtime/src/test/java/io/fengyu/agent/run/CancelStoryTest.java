package io.fengyu.agent.run;

import static io.restassured.RestAssured.given;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;
import static org.hamcrest.Matchers.empty;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.hasSize;
import static org.hamcrest.Matchers.notNullValue;
import static org.hamcrest.Matchers.nullValue;

import io.fengyu.agent.journal.RunStore;
import io.fengyu.contract.testing.PostgresResource;
import io.fengyu.contract.testing.PostgresServer;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.response.ValidatableResponse;
import io.vertx.mutiny.sqlclient.Pool;
import jakarta.inject.Inject;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

@QuarkusTest
class CancelStoryTest {

  private static final Duration PATIENCE = Duration.ofSeconds(10);
  private static final String SLOW =
      "'config':{'permissionMode':'full-access'},'workflow':{'steps':[{'toolName':'test_slow'}]}}";

  @Inject Pool pool;
  @Inject RunStore store;
  @Inject StartRequests starts;
  @Inject CancelBranches branches;

  private final RunClient alice = RunClient.alice();
  private final String cancelId = "c-" + UUID.randomUUID();
  private final String startId = "s-" + UUID.randomUUID();

  private ValidatableResponse cancelRun(String id, String runId) {
    return alice.post("/cancel", "{'cancel_request_id':'" + id + "','run_id':'" + runId + "'}");
  }

  private ValidatableResponse cancelStart(String id, String start) {
    return alice.post(
        "/cancel", "{'cancel_request_id':'" + id + "','start_request_id':'" + start + "'}");
  }

  private ValidatableResponse state(String id) {
    return alice.get("/cancel/" + id);
  }

  private void awaitConfirmed(String id) {
    await()
        .atMost(PATIENCE)
        .untilAsserted(() -> state(id).statusCode(200).body("cancel_status", equalTo("confirmed")));
  }

  @Test
  void aCancelIsConfirmedOnlyWhenTheToolHasEndedAndThatIsStored() {
    var runId = alice.start("{" + SLOW);
    await().until(() -> !StoryTools.calls(runId).isEmpty());

    cancelRun(cancelId, runId)
        .body("cancel_request_id", equalTo(cancelId))
        .body("run_id", equalTo(runId))
        .body("branches", hasSize(1))
        .body("branches[0].kind", equalTo("tool"))
        .body("branches[0].id", equalTo(runId + ":step:0"))
        .body("branches[0].startedAt", notNullValue());

    awaitConfirmed(cancelId);
    state(cancelId)
        .body("status", equalTo("CANCELLED"))
        .body("execution_stopped", equalTo(true))
        .body("terminal_persisted", equalTo(true))
        .body("can_send", equalTo(true))
        .body("branches[0].state", equalTo("ended"))
        .body("branches[0].endedAt", notNullValue());
    cancelRun(cancelId, runId).statusCode(200).body("cancel_status", equalTo("confirmed"));
    cancelRun(cancelId + "-2", runId).statusCode(200).body("cancel_status", equalTo("confirmed"));
    assertThat(alice.types(runId)).doesNotContain("complete").endsWith("error");
  }

  @Test
  void aToolThatDoesNotListenKeepsTheCancelStopping() {
    var runId =
        alice.start(
            "{'config':{'permissionMode':'full-access'},"
                + "'workflow':{'steps':[{'toolName':'test_deaf'}]}}");
    await().until(() -> !StoryTools.calls(runId).isEmpty());

    try {
      cancelRun(cancelId, runId)
          .statusCode(202)
          .body("execution_stopped", equalTo(false))
          .body("terminal_persisted", equalTo(false));

      await()
          .atMost(PATIENCE)
          .untilAsserted(() -> state(cancelId).body("cancel_status", equalTo("stopping")));
      state(cancelId)
          .body("branches[0].state", equalTo("stopping"))
          .body("branches[0].endedAt", nullValue());
      cancelRun(cancelId, runId).statusCode(202).body("cancel_status", equalTo("stopping"));
    } finally {
      StoryTools.wakeTheDeaf();
    }
    awaitConfirmed(cancelId);
  }

  @Test
  void aPausedRunIsCancelledWhereItStands() {
    var runId = alice.start("{'workflow':{'steps':[{'toolName':'test_note'}]}}");
    alice.gate(runId);

    cancelRun(cancelId, runId).body("status", equalTo("CANCELLED")).body("branches", empty());

    awaitConfirmed(cancelId);
    assertThat(StoryTools.calls(runId)).isEmpty();
  }

  @Test
  void aRunThatHadEndedKeepsItsEnd() {
    var runId = alice.start("{'workflow':{'steps':[{'toolName':'echo'}]}}");
    alice.watch(runId);

    cancelRun(cancelId, runId)
        .statusCode(200)
        .body("status", equalTo("COMPLETED"))
        .body("cancel_status", equalTo("none"))
        .body("terminal_persisted", equalTo(true));
  }

  @Test
  void aRequestNeedsAnIdAndOneTarget() {
    var run = UUID.randomUUID();
    for (var body :
        List.of(
            "",
            "[]",
            "{'run_id':'" + run + "'}",
            "{'cancel_request_id':'','run_id':'" + run + "'}",
            "{'cancel_request_id':7,'run_id':'" + run + "'}",
            "{'cancel_request_id':'c'}",
            "{'cancel_request_id':'\\u0000','run_id':'" + run + "'}",
            "{'cancel_request_id':'c','run_id':'" + run + "','start_request_id':'s'}")) {
      alice.post("/cancel", body).statusCode(400).body("code", equalTo("RUN_BODY_INVALID"));
    }
  }

  @Test
  void aForeignRunIsLikeAnUnknownOneAndSoIsAForeignRequest() {
    var runId = alice.start("{'workflow':{'steps':[{'toolName':'test_note'}]}}");
    alice.gate(runId);

    var body = "{'cancel_request_id':'" + cancelId + "','run_id':'" + runId + "'}";
    RunClient.bob().post("/cancel", body).statusCode(404).body("code", equalTo("RUN_NOT_FOUND"));
    cancelRun(cancelId, UUID.randomUUID().toString()).statusCode(404);
    state(cancelId).statusCode(404).body("code", equalTo("CANCEL_REQUEST_NOT_FOUND"));

    cancelRun(cancelId, runId);
    RunClient.bob().get("/cancel/" + cancelId).statusCode(404);
    awaitConfirmed(cancelId);
  }

  @Test
  void anIdStandsForOneTarget() {
    cancelStart(cancelId, startId).statusCode(202);

    cancelStart(cancelId, startId).statusCode(202).body("cancel_status", equalTo("requested"));
    cancelStart(cancelId, startId + "-other")
        .statusCode(409)
        .body("code", equalTo("CANCEL_REQUEST_CONFLICT"));

    alice
        .post("/run", "{'start_request_id':'" + startId + "-other','workflow':{'steps':[]}}")
        .statusCode(200);
    RunClient.bob()
        .post("/run", "{'start_request_id':'" + startId + "','workflow':{'steps':[]}}")
        .statusCode(200);
  }

  @Test
  void aStartThatComesAfterItsCancelCreatesNoRun() {
    cancelStart(cancelId, startId)
        .statusCode(202)
        .body("run_id", nullValue())
        .body("cancel_status", equalTo("requested"))
        .body("execution_stopped", equalTo(false));

    for (var i = 0; i < 2; i++) {
      alice
          .post("/run", "{'goal':'" + startId + "','start_request_id':'" + startId + "'," + SLOW)
          .statusCode(409)
          .body("code", equalTo("START_CANCELLED"));
    }

    alice.get("/runs?q=" + startId).body("", empty());
    state(cancelId)
        .body("cancel_status", equalTo("confirmed"))
        .body("run_id", nullValue())
        .body("terminal_persisted", equalTo(true));
  }

  @Test
  void aCancelThatRacesItsStartLeavesNothingRunning() {
    IntStream.range(0, 20).forEach(this::race);
  }

  private void race(int round) {
    var start = startId + "-" + round;
    var cancel = cancelId + "-" + round;
    var goal = "race-" + start;
    var body = "{'goal':'" + goal + "','start_request_id':'" + start + "'," + SLOW;
    var starting = CompletableFuture.supplyAsync(() -> alice.post("/run", body));
    var cancelling =
        CompletableFuture.supplyAsync(() -> cancelStart(cancel, start), delayed(round));

    var answer = starting.join().extract();
    cancelling.join().extract();

    awaitConfirmed(cancel);
    if (answer.statusCode() == 200) {
      String runId = answer.path("runId");
      state(cancel).body("run_id", equalTo(runId)).body("status", equalTo("CANCELLED"));
      assertThat(alice.types(runId)).doesNotContain("complete").endsWith("error");
      alice.post("/run", body).statusCode(200).body("runId", equalTo(runId));
    } else {
      assertThat(answer.statusCode()).isEqualTo(409);
      assertThat(answer.<String>path("code")).isEqualTo("START_CANCELLED");
      alice.get("/runs?q=" + goal).body("", empty());
      alice.post("/run", body).statusCode(409);
    }
  }

  private static Executor delayed(int round) {
    return CompletableFuture.delayedExecutor(round * 2L, TimeUnit.MILLISECONDS);
  }

  @Test
  void withoutAnAnswerOfTheDatabaseTheWorkHereStopsAndNothingIsClaimed() throws SQLException {
    String runId =
        alice
            .post("/run", "{'start_request_id':'" + startId + "'," + SLOW)
            .statusCode(200)
            .extract()
            .path("runId");
    await().until(() -> !StoryTools.calls(runId).isEmpty());

    try (var connection = PostgresServer.shared().connect();
        var statement = connection.createStatement()) {
      connection.setAutoCommit(false);
      statement.execute("LOCK TABLE agent.cancel_request IN ACCESS EXCLUSIVE MODE");
      cancelStart(cancelId, startId).statusCode(503).body("code", equalTo("CANCEL_NOT_CONFIRMED"));
      assertThat(alice.types(runId)).doesNotContain("complete").endsWith("error");
      connection.rollback();
    }

    cancelStart(cancelId, startId).body("run_id", equalTo(runId));
    awaitConfirmed(cancelId);
  }

  @Test
  void nothingIsTakenWhileTheCapabilityIsOff() {
    var off = new CancelRequests(pool, store, starts, branches, false);
    var target = new CancelTarget(cancelId, null, startId);

    assertThatThrownBy(() -> off.request("alice", target)).hasMessage("CAPABILITY_DISABLED");
    assertThatThrownBy(() -> off.find("alice", cancelId)).hasMessage("CAPABILITY_DISABLED");
  }

  @Test
  void manyCancelsOfOneRunAgree() {
    var runId = alice.start("{" + SLOW);
    var cancels =
        IntStream.range(0, 8)
            .mapToObj(i -> CompletableFuture.supplyAsync(() -> cancelRun(cancelId, runId)))
            .toList();

    cancels.forEach(cancel -> assertThat(cancel.join().extract().statusCode()).isBetween(200, 202));

    awaitConfirmed(cancelId);
    alice
        .get("/runs/" + runId)
        .body("events.findAll { it.type == 'cancel_requested' }", hasSize(1));
  }

  @Test
  void refusalsSpeakChinese() {
    given()
        .header("X-FengYu-Token", PostgresResource.ALICE_TOKEN)
        .header("Accept-Language", "zh")
        .get("/api/agent/cancel/" + cancelId)
        .then()
        .statusCode(404)
        .body("title", equalTo("取消请求不存在"));
  }
}
