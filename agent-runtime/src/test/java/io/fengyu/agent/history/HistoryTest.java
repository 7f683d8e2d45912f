package io.fengyu.agent.history;

import static io.restassured.RestAssured.given;
import static org.assertj.core.api.Assertions.assertThat;
import static org.hamcrest.Matchers.contains;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.hasSize;
import static org.hamcrest.Matchers.matchesPattern;
import static org.hamcrest.Matchers.nullValue;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fengyu.agent.journal.Change;
import io.fengyu.agent.journal.EventType;
import io.fengyu.agent.journal.NewRun;
import io.fengyu.agent.journal.RunLog;
import io.fengyu.agent.journal.RunStatus;
import io.fengyu.agent.journal.RunStore;
import io.fengyu.agent.tool.Effect;
import io.fengyu.contract.testing.PostgresResource;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.specification.RequestSpecification;
import jakarta.inject.Inject;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

@QuarkusTest
class HistoryTest {

  private static final Duration PATIENCE = Duration.ofSeconds(20);
  private static final String TIME = "\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{3}Z";

  @Inject RunStore store;

  @Test
  void theDetailTellsWhatBecameOfEveryStep() {
    var log = start("split the workbook", null);
    log.append(
        List.of(event(EventType.PLAN_READY, json().put("goal", "split the workbook"))),
        List.of(new Change.Status(RunStatus.EXECUTING)));
    log.append(List.of(step(EventType.STEP_START, 0), step(EventType.STEP_START, 1)), List.of());
    log.append(
        List.of(
            event(EventType.STEP_RETRY, json().put("index", 1).put("nextAttempt", 2)),
            event(
                EventType.STEP_COMPLETE,
                json().put("index", 0).put("result", "3 parts").put("attempts", 1)),
            event(EventType.STEP_FAILED, json().put("index", 1).put("error", "no such sheet")),
            event(EventType.ERROR, json().put("message", "Step 1 failed: no such sheet"))),
        List.of(new Change.End(RunStatus.FAILED, null, "Step 1 failed: no such sheet", false)));
    durable(log);

    alice()
        .get("/api/agent/runs/" + log.runId())
        .then()
        .statusCode(200)
        .body("id", equalTo(log.runId().toString()))
        .body("status", equalTo("FAILED"))
        .body("run_status", equalTo("error"))
        .body("config.permissionMode", equalTo("full-access"))
        .body("plan.goal", equalTo("split the workbook"))
        .body("error", equalTo("Step 1 failed: no such sheet"))
        .body("summary", nullValue())
        .body("interrupted", equalTo(false))
        .body("pendingGate", nullValue())
        .body("executions", hasSize(2))
        .body("executions[0].status", equalTo("COMPLETED"))
        .body("executions[0].result", equalTo("3 parts"))
        .body("executions[0].startedAt", matchesPattern(TIME))
        .body("executions[0].completedAt", matchesPattern(TIME))
        .body("executions[1].status", equalTo("FAILED"))
        .body("executions[1].result", equalTo("no such sheet"))
        .body("executions[1].error", equalTo("no such sheet"))
        .body("executions[1].attempts", equalTo(2))
        .body("execution_generation", equalTo(1))
        .body("cancel_status", equalTo("none"))
        .body("last_event_seq", equalTo(6))
        .body("events.seq", contains(0, 1, 2, 3, 4, 5, 6, 7))
        .body("events[0].type", equalTo("created"))
        .body("events[0].data.goal", equalTo("split the workbook"))
        .body("events[0].data.resumedFrom", equalTo(""))
        .body("createdAt", matchesPattern(TIME))
        .body("completedAt", matchesPattern(TIME));
  }

  @Test
  void aPausedRunShowsItsGate() {
    var log = start("ask first", null);
    log.append(
        List.of(step(EventType.STEP_APPROVAL_REQUESTED, 0)),
        List.of(
            new Change.Gate(
                RunStatus.AWAITING_STEP_APPROVAL,
                "g-1",
                json().put("gateId", "g-1").put("kind", "step"))));
    durable(log);

    alice()
        .get("/api/agent/runs/" + log.runId())
        .then()
        .body("run_status", equalTo("paused"))
        .body("pendingGate.gateId", equalTo("g-1"))
        .body("execution_stopped", equalTo(true))
        .body("can_send", equalTo(false))
        .body("executions[0].status", equalTo("AWAITING_APPROVAL"));
  }

  @Test
  void theListIsNewestFirstAndSearchTakesSignsLiterally() {
    var word = UUID.randomUUID().toString();
    var first = ended("100% of " + word, "all_done");
    var second = ended("half of " + word, "allXdone");

    list("q", word).body("id", contains(second, first));
    list("q", "100% OF " + word).body("id", contains(first));
    list("q", "100_ of " + word).body("", hasSize(0));
    list("q", "l_d").body("summary", org.hamcrest.Matchers.hasItem("all_done"));
    alice()
        .queryParam("q", word)
        .queryParam("limit", 1)
        .get("/api/agent/runs")
        .then()
        .body("id", contains(second));
    alice()
        .queryParam("q", word)
        .queryParam("cursor", second)
        .get("/api/agent/runs")
        .then()
        .body("id", contains(first));
    given()
        .header("X-FengYu-Token", PostgresResource.BOB_TOKEN)
        .queryParam("q", word)
        .get("/api/agent/runs")
        .then()
        .statusCode(200)
        .body("", hasSize(0));
    alice().queryParam("limit", "many").get("/api/agent/runs").then().statusCode(400);
  }

  @Test
  void storedEventsCanBeReadPageByPage() {
    var log = start("count", null);
    for (var i = 0; i < 5; i++) {
      log.append(List.of(step(EventType.STEP_START, i)), List.of());
    }
    durable(log);
    var path = "/api/agent/runs/" + log.runId() + "/events";

    alice()
        .get(path + "?limit=3")
        .then()
        .body("events.seq", contains(0, 1, 2))
        .body("events[1].data.seq", equalTo(1))
        .body("events[1].data.index", equalTo(1))
        .body("events[1].createdAt", matchesPattern(TIME))
        .body("next_after_seq", equalTo(2))
        .body("has_more", equalTo(true));
    alice()
        .get(path + "?after_seq=2")
        .then()
        .body("events.seq", contains(3, 4))
        .body("has_more", equalTo(false));
    alice()
        .get(path + "?after_seq=5")
        .then()
        .statusCode(409)
        .body("code", equalTo("REPLAY_UNAVAILABLE"));
    alice().get(path + "?after_seq=x").then().statusCode(409);
  }

  @Test
  void receiptsAreListedInOrder() {
    var log = start("write", null);
    var first = UUID.randomUUID();
    var second = UUID.randomUUID();
    log.append(List.of(), List.of(intended(first, 0)));
    durable(log);
    log.append(List.of(), List.of(new Change.Outcome(first, Change.ReceiptState.DONE)));
    log.append(List.of(), List.of(intended(second, 1)));
    durable(log);

    alice()
        .get("/api/agent/runs/" + log.runId() + "/receipts")
        .then()
        .body("invocationId", contains(first.toString(), second.toString()))
        .body("state", contains("done", "intended"))
        .body("[0].tool", equalTo("write_file"))
        .body("[0].effect", equalTo("write"))
        .body("[0].runId", equalTo(log.runId().toString()))
        .body("[0].at", matchesPattern(TIME));
  }

  @Test
  void aConversationShowsItsActiveRunAndItsLastOnes() {
    var session = UUID.randomUUID().toString();
    alice()
        .get("/api/agent/sessions/" + session)
        .then()
        .statusCode(200)
        .body("can_send", equalTo(true))
        .body("active_run", nullValue())
        .body("runs", hasSize(0));
    var log = start("talk", session);

    alice()
        .get("/api/agent/sessions/" + session)
        .then()
        .body("session_id", equalTo(session))
        .body("can_send", equalTo(false))
        .body("active_run.run_id", equalTo(log.runId().toString()))
        .body("active_run.run_status", equalTo("preparing"))
        .body("runs[0].session_id", equalTo(session));
  }

  @Test
  void whatBelongsToSomebodyElseIsUnknown() {
    var log = start("secret", null);
    for (var path : List.of("", "/events", "/receipts")) {
      given()
          .header("X-FengYu-Token", PostgresResource.BOB_TOKEN)
          .get("/api/agent/runs/" + log.runId() + path)
          .then()
          .statusCode(404)
          .body("code", equalTo("RUN_NOT_FOUND"));
    }
  }

  private String ended(String goal, String summary) {
    var log = start(goal, null);
    log.append(
        List.of(event(EventType.COMPLETE, json())),
        List.of(new Change.End(RunStatus.COMPLETED, summary, null, false)));
    durable(log);
    return log.runId().toString();
  }

  private RunLog start(String goal, @Nullable String session) {
    var run =
        new NewRun(
            UUID.randomUUID(),
            "alice",
            session,
            goal,
            json().put("permissionMode", "full-access"),
            json().put("goal", goal),
            null,
            null,
            "sandboxed",
            false,
            null);
    return store.create(run).await().atMost(PATIENCE);
  }

  private static Change.Intended intended(UUID id, int step) {
    return new Change.Intended(id, step, 1, "write_file", Effect.WRITE, "00");
  }

  private static ObjectNode json() {
    return JsonNodeFactory.instance.objectNode();
  }

  private static RunLog.Entry event(EventType type, ObjectNode data) {
    return new RunLog.Entry(type, data);
  }

  private static RunLog.Entry step(EventType type, int index) {
    return event(type, json().put("index", index));
  }

  private static void durable(RunLog log) {
    assertThat(log.durable().toCompletableFuture()).succeedsWithin(PATIENCE);
  }

  private static io.restassured.response.ValidatableResponse list(String name, String value) {
    return alice().queryParam(name, value).get("/api/agent/runs").then().statusCode(200);
  }

  private static RequestSpecification alice() {
    return given().header("X-FengYu-Token", PostgresResource.ALICE_TOKEN);
  }
}
