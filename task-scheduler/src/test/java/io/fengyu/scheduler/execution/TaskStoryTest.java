package io.fengyu.scheduler.execution;

import static io.restassured.RestAssured.given;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.hamcrest.Matchers.contains;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.greaterThanOrEqualTo;
import static org.hamcrest.Matchers.hasItems;
import static org.hamcrest.Matchers.hasSize;
import static org.hamcrest.Matchers.nullValue;

import io.fengyu.contract.problem.ProblemException;
import io.fengyu.contract.testing.PostgresResource;
import io.fengyu.contract.testing.PostgresServer;
import io.fengyu.scheduler.queue.NewTask;
import io.fengyu.scheduler.queue.Priority;
import io.fengyu.scheduler.queue.Turns;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.specification.RequestSpecification;
import jakarta.inject.Inject;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@QuarkusTest
class TaskStoryTest {

  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final String TASKS = "/api/agent/tasks";

  @Inject Turns turns;
  @Inject HeldBody bodies;

  private final List<UUID> mine = new ArrayList<>();

  @BeforeEach
  void ready() {
    await().atMost(PATIENCE).until(turns::isOpen);
  }

  @AfterEach
  void leaveNothing() {
    for (var id : mine) {
      for (var owner : List.of("alice", "bob")) {
        turns.kill(owner, id).await().atMost(PATIENCE);
      }
    }
    for (var id : mine) {
      await()
          .atMost(PATIENCE)
          .until(
              () -> {
                var status =
                    as("alice").get(TASKS + "/" + id).statusCode() == 200
                        ? as("alice").get(TASKS + "/" + id).path("completedAt")
                        : as("bob").get(TASKS + "/" + id).path("completedAt");
                return status != null;
              });
    }
  }

  @Test
  void aTaskIsSeenFromAdmissionToItsEndByItsOwnerOnly() {
    var id = submit("alice", Priority.NORMAL);
    await().atMost(PATIENCE).until(() -> bodies.runs(id));

    as("alice")
        .get(TASKS + "/" + id)
        .then()
        .statusCode(200)
        .body("status", equalTo("running"))
        .body("output", nullValue())
        .body("errorCode", nullValue())
        .body("cancelRequested", equalTo(false))
        .body("runDurationMs", greaterThanOrEqualTo(0));
    as("bob").get(TASKS + "/" + id).then().statusCode(404).body("code", equalTo("TASK_NOT_FOUND"));
    as("bob").delete(TASKS + "/" + id).then().statusCode(200).body("ok", equalTo(false));

    bodies.end(id, BodyEnd.completed("x".repeat(100_005)));

    var output =
        as("alice")
            .get(TASKS + "/" + id + "?timeoutMs=30000")
            .then()
            .body("status", equalTo("completed"))
            .extract()
            .<String>path("output");
    assertThat(output).hasSize(100_001).endsWith("…");
    as("alice").delete(TASKS + "/" + id).then().body("ok", equalTo(false));
  }

  @Test
  void aWaitEndsWithTheTaskAndUnknownIdsBlockNothing() {
    var first = submit("alice", Priority.NORMAL);
    var second = submit("alice", Priority.NORMAL);
    await().atMost(PATIENCE).until(() -> bodies.runs(first) && bodies.runs(second));
    var body =
        "{\"taskIds\":[\"%s\",\"none\",\"%s\"],\"mode\":\"any\",\"timeoutMs\":60000}"
            .formatted(first, second);

    var waiting =
        CompletableFuture.supplyAsync(
            () -> as("alice").contentType("application/json").body(body).post(TASKS + "/wait"));
    bodies.end(second, BodyEnd.failed("SOME_CODE", "it went wrong"));

    waiting
        .orTimeout(30, java.util.concurrent.TimeUnit.SECONDS)
        .join()
        .then()
        .statusCode(200)
        .body("taskId", contains(first.toString(), "none", second.toString()))
        .body("[0].status", equalTo("running"))
        .body("[1].error", equalTo("unknown task"))
        .body("[2].status", equalTo("failed"))
        .body("[2].errorCode", equalTo("SOME_CODE"))
        .body("[2].output", equalTo("it went wrong"));
  }

  @Test
  void moreThanTwentyAreTooManyToWaitFor() {
    var ids = "\"x\",".repeat(20) + "\"x\"";
    as("alice")
        .contentType("application/json")
        .body("{\"taskIds\":[" + ids + "]}")
        .post(TASKS + "/wait")
        .then()
        .statusCode(400)
        .body("code", equalTo("TASK_WAIT_LIMIT"))
        .body("params.max", equalTo(20));
  }

  @Test
  void whatIsKilledWithoutAPauseEndsCancelledWhateverItsBodyCameTo() {
    for (var i = 0; i < 50; i++) {
      var id = submit("alice", Priority.NORMAL);
      as("alice").delete(TASKS + "/" + id).then().statusCode(200).body("ok", equalTo(true));
    }

    for (var id : mine) {
      as("alice")
          .get(TASKS + "/" + id + "?timeoutMs=30000")
          .then()
          .body("status", equalTo("cancelled"))
          .body("cancelRequested", equalTo(true))
          .body("output", nullValue());
    }
  }

  @Test
  void whoWaitsIsToldForWhatAndThereIsNoRoomForMoreThanTheLimits() {
    for (var i = 0; i < 16; i++) {
      submit("bob", Priority.NORMAL);
    }
    var waiting = new ArrayList<UUID>();
    for (var i = 0; i < 24; i++) {
      waiting.add(submit("alice", Priority.NORMAL));
    }

    as("alice")
        .get(TASKS + "/capacity")
        .then()
        .body("running", equalTo(16))
        .body("queued", equalTo(24))
        .body("available", equalTo(104))
        .body("ownedQueued", equalTo(24))
        .body("ownedQueueAvailable", equalTo(8))
        .body("queuedNormal", equalTo(24))
        .body("activeOwners", equalTo(2))
        .body("saturated", equalTo(false))
        .body("schedulingPolicy", equalTo("owner-round-robin-weighted-priority"));
    as("alice")
        .get(TASKS + "/" + waiting.get(3))
        .then()
        .body("status", equalTo("queued"))
        .body("waiting.position", equalTo(4))
        .body("waiting.ahead.own", equalTo(3))
        .body("waiting.ahead.others", equalTo(0))
        .body("waiting.limit", equalTo("running"))
        .body("waiting.runningLimit", equalTo(16))
        .body("waiting.class", equalTo("normal"));
    var refused = refusal("alice", Priority.NORMAL);
    assertThat(refused.problem().status()).isEqualTo(429);
    assertThat(refused.problem().code()).isEqualTo("BACKGROUND_CAPACITY");
    assertThat(refused.problem().members())
        .containsEntry("capacityScope", "owner-priority")
        .containsEntry("capacityPriority", "normal");

    as("alice").delete(TASKS + "/" + waiting.getFirst()).then().body("ok", equalTo(true));
    as("alice")
        .get(TASKS + "/" + waiting.getFirst())
        .then()
        .body("status", equalTo("cancelled"))
        .body("startedAt", nullValue());
    submit("alice", Priority.NORMAL);
    given()
        .get("/actuator/metrics/fengyu.bg.queue.inqueue?tag=priority:normal")
        .then()
        .statusCode(200);
    given()
        .get("/q/metrics")
        .then()
        .body(containsString("fengyu_bg_tasks_rejected_total{"))
        .body(containsString("fengyu_bg_task_queue_wait_seconds_bucket{"))
        .body(containsString("fengyu_bg_queue_oldest_wait_ms{"));
  }

  @Test
  void theNewestHundredThatEndedAreKept() {
    var all = new ArrayList<UUID>();
    for (var i = 0; i < 105; i++) {
      var id = submit("bob", Priority.INTERACTIVE);
      await().atMost(PATIENCE).until(() -> bodies.runs(id));
      bodies.end(id, BodyEnd.completed(""));
      as("bob")
          .get(TASKS + "/" + id + "?timeoutMs=30000")
          .then()
          .body("status", equalTo("completed"));
      all.add(id);
    }

    as("bob")
        .get(TASKS)
        .then()
        .body("", hasSize(100))
        .body("[0].taskId", equalTo(all.getLast().toString()))
        .body("taskId", hasItems(all.get(5).toString()));
    await()
        .atMost(PATIENCE)
        .until(() -> as("bob").get(TASKS + "/" + all.getFirst()).statusCode() == 404);
    mine.removeAll(all);
  }

  @ParameterizedTest
  @CsvSource({"false, failed", "true, cancelled"})
  void whatADeadProcessWasRunningHasFailed(boolean killed, String status) throws SQLException {
    var id = UUID.randomUUID();
    try (var connection = PostgresServer.shared().connect();
        var statement = connection.createStatement()) {
      statement.execute(
          """
          INSERT INTO scheduler.task (id, owner, kind, priority, status, workflow_id, description,
                                      created_at, started_at, executor, cancel_requested)
          VALUES ('%s', 'alice', 'held', 'normal', 'running', 'w', 'd', now(), now(),
                  gen_random_uuid(), %s)"""
              .formatted(id, killed));
    }

    as("alice")
        .get(TASKS + "/" + id + "?timeoutMs=60000")
        .then()
        .body("status", equalTo(status))
        .body("errorCode", equalTo(killed ? null : "INTERRUPTED_BY_RESTART"));
  }

  private UUID submit(String owner, Priority priority) {
    var id = UUID.randomUUID();
    turns.submit(task(id, owner, priority)).await().atMost(PATIENCE);
    mine.add(id);
    return id;
  }

  private ProblemException refusal(String owner, Priority priority) {
    try {
      turns.submit(task(UUID.randomUUID(), owner, priority)).await().atMost(PATIENCE);
    } catch (ProblemException refused) {
      return refused;
    }
    throw new AssertionError("there was room");
  }

  private static NewTask task(UUID id, String owner, Priority priority) {
    return new NewTask(id, owner, HeldBody.KIND, priority, "w", "a test", "{}");
  }

  private static RequestSpecification as(String owner) {
    return given()
        .header(
            "X-FengYu-Token",
            owner.equals("alice") ? PostgresResource.ALICE_TOKEN : PostgresResource.BOB_TOKEN);
  }
}
