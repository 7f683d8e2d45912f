package io.fengyu.scheduler.schedule;

import static io.fengyu.scheduler.schedule.ScheduleRows.count;
import static io.fengyu.scheduler.schedule.ScheduleRows.id;
import static io.fengyu.scheduler.schedule.ScheduleRows.sql;
import static io.fengyu.scheduler.schedule.ScheduleRows.tasksOf;
import static io.fengyu.scheduler.schedule.ScheduleRows.wake;
import static io.restassured.RestAssured.given;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.hasItem;
import static org.hamcrest.Matchers.hasSize;
import static org.hamcrest.Matchers.not;
import static org.hamcrest.Matchers.nullValue;

import io.fengyu.contract.testing.PostgresResource;
import io.fengyu.scheduler.queue.Turns;
import io.fengyu.scheduler.testing.Neighbours;
import io.fengyu.scheduler.testing.SettableClock;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.http.ContentType;
import io.restassured.path.json.JsonPath;
import io.restassured.response.ValidatableResponse;
import io.restassured.specification.RequestSpecification;
import jakarta.inject.Inject;
import java.time.Duration;
import java.time.Instant;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@QuarkusTest
class ScheduleStoryTest {

  private static final Duration SOON = Duration.ofSeconds(30);

  private final String workflow = UUID.randomUUID().toString().replace("-", "");

  @Inject Turns turns;

  @BeforeEach
  void theQueueIsOpen() {
    turns.open();
  }

  @AfterEach
  void asItWas() {
    SettableClock.get().ahead(Duration.ZERO);
    Neighbours.get().unsandboxed(false);
    sql("SELECT pg_notify('fengyu_settings', '')");
    sql(
        "UPDATE scheduler.schedule SET status = 'cancelled', ended_at = now() WHERE workflow_id = ?"
            + " AND status = 'active'",
        workflow);
  }

  private static RequestSpecification as(String token) {
    return given().header("X-FengYu-Token", token).contentType(ContentType.JSON);
  }

  private static RequestSpecification alice() {
    return as(PostgresResource.ALICE_TOKEN);
  }

  private ValidatableResponse create(String fields) {
    return alice().body(body(fields)).post("/api/agent/schedules").then();
  }

  private String body(String fields) {
    return ("{'workflowId':'" + workflow + "'" + fields + "}").replace('\'', '"');
  }

  private JsonPath made(String fields) {
    return create(fields).statusCode(200).extract().jsonPath();
  }

  private JsonPath listed(String scheduleId) {
    var all = alice().get("/api/agent/schedules?includeInactive=true").then().extract().jsonPath();
    return new JsonPath(
        io.vertx.core.json.Json.encode(
            all.getMap("find { it.scheduleId == '" + scheduleId + "' }")));
  }

  private static JsonPath fires(String scheduleId) {
    return alice()
        .get("/api/agent/schedules/" + scheduleId + "/fires")
        .then()
        .statusCode(200)
        .extract()
        .jsonPath();
  }

  private static void timePasses(Duration by) {
    SettableClock.get().ahead(by);
    wake();
  }

  @Test
  void aScheduleShowsWhatItWillDo() {
    var made = made("");

    assertThat(made.getString("status")).isEqualTo("ACTIVE");
    assertThat(made.getLong("intervalSeconds")).isEqualTo(3600);
    assertThat(made.getBoolean("recurring")).isTrue();
    assertThat(made.getBoolean("persistent")).isTrue();
    assertThat(made.getString("permissionMode")).isEqualTo("ask-for-approval");
    assertThat(made.getString("sandboxProfile")).isEqualTo("sandboxed");
    assertThat(made.getString("calendar")).isNull();
    assertThat(made.getString("lastFireAt")).isNull();
    var created = Instant.parse(made.getString("createdAt"));
    assertThat(made.getString("nextFireAt")).isEqualTo(text(created.plusSeconds(3600)));
    assertThat(made.getString("expiresAt")).isEqualTo(text(created.plus(Duration.ofDays(7))));
    assertThat(listed(made.getString("scheduleId")).getMap("")).isEqualTo(made.getMap(""));
  }

  private static String text(Instant moment) {
    return java.time.format.DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss.SSS'Z'")
        .withZone(java.time.ZoneOffset.UTC)
        .format(moment);
  }

  @Test
  void anImmediateFireBecomesAnOrdinaryBatchTask() {
    var id =
        made(",'intervalSeconds':600,'fireImmediately':true,'inputs':{'n':1}")
            .getString("scheduleId");

    await().atMost(SOON).until(() -> listed(id).getLong("fires") == 1);

    var now = listed(id);
    var created = Instant.parse(now.getString("createdAt"));
    assertThat(Instant.parse(now.getString("lastFireAt"))).isBefore(created.plusSeconds(20));
    assertThat(now.getString("nextFireAt")).isEqualTo(text(created.plusSeconds(600)));
    assertThat(now.getLong("missedFires")).isZero();
    assertThat(
            sql(
                "SELECT kind || ' ' || priority || ' ' || owner FROM scheduler.task WHERE id = ?",
                id(now.getString("lastTaskId"))))
        .isEqualTo("workflow-schedule batch alice");
    assertThat(fires(id).getList("outcome")).containsExactly("submitted");
    assertThat(fires(id).getString("[0].taskId")).isEqualTo(now.getString("lastTaskId"));
    assertThat(fires(id).getString("[0].dueAt")).isEqualTo(now.getString("createdAt"));
  }

  @Test
  void dueTimesThatPassedBecomeOneFireAndTheGridStays() {
    var made = made(",'intervalSeconds':60");
    var id = made.getString("scheduleId");
    var first = Instant.parse(made.getString("nextFireAt"));

    timePasses(Duration.ofSeconds(60 + 185));

    await().atMost(SOON).until(() -> listed(id).getLong("fires") == 1);
    assertThat(listed(id).getLong("missedFires")).isEqualTo(3);
    assertThat(listed(id).getString("nextFireAt")).isEqualTo(text(first.plusSeconds(240)));
    assertThat(tasksOf(workflow)).isOne();
  }

  @Test
  void aClockThatIsSetBackFiresNothingTwice() {
    var made = made(",'intervalSeconds':60");
    var id = made.getString("scheduleId");
    var first = Instant.parse(made.getString("nextFireAt"));

    timePasses(Duration.ofSeconds(70));
    await().atMost(SOON).until(() -> listed(id).getLong("fires") == 1);
    timePasses(Duration.ZERO);
    var other = made(",'intervalSeconds':60,'fireImmediately':true").getString("scheduleId");
    await().atMost(SOON).until(() -> listed(other).getLong("fires") == 1);
    assertThat(listed(id).getLong("fires")).isOne();

    timePasses(Duration.ofSeconds(70));
    wake();
    assertThat(listed(id).getString("nextFireAt")).isEqualTo(text(first.plusSeconds(60)));
    timePasses(Duration.ofSeconds(130));
    await().atMost(SOON).until(() -> listed(id).getLong("fires") == 2);
    assertThat(fires(id).getList("dueAt"))
        .containsExactly(text(first.plusSeconds(60)), text(first));
    assertThat(listed(id).getLong("missedFires")).isZero();
  }

  @Test
  void aSingleFireIsOverAfterIt() {
    var id = made(",'intervalSeconds':120,'recurring':false").getString("scheduleId");

    timePasses(Duration.ofSeconds(125));

    await().atMost(SOON).until(() -> listed(id).getString("status").equals("COMPLETED"));
    assertThat(listed(id).getLong("fires")).isOne();
    alice().get("/api/agent/schedules").then().body("scheduleId", not(hasItem(id)));
  }

  @Test
  void anIntervalExpiresAfterSevenDaysAndCatchesNothingUp() {
    var id = made(",'intervalSeconds':3600").getString("scheduleId");

    timePasses(Duration.ofDays(7).plusSeconds(1));

    await().atMost(SOON).until(() -> listed(id).getString("status").equals("EXPIRED"));
    assertThat(listed(id).getLong("fires")).isZero();
    assertThat(tasksOf(workflow)).isZero();
    alice().get("/api/agent/schedules").then().body("scheduleId", not(hasItem(id)));
  }

  @Test
  void aCalendarLivesUntilItIsDeleted() {
    var made =
        made(",'calendar':{'frequency':'MONTHLY','monthDay':-1,'time':'09:00','zoneId':'UTC'}");
    var id = made.getString("scheduleId");
    var next = Instant.parse(made.getString("nextFireAt"));
    assertThat(made.getString("expiresAt")).isNull();
    assertThat(made.getString("calendar.frequency")).isEqualTo("MONTHLY");

    timePasses(Duration.between(Instant.now(), next).plusSeconds(1));
    await().atMost(SOON).until(() -> listed(id).getLong("fires") == 1);
    assertThat(listed(id).getString("status")).isEqualTo("ACTIVE");

    alice().delete("/api/agent/schedules/" + id).then().body("ok", equalTo(true));
    assertThat(listed(id).getString("status")).isEqualTo("CANCELLED");
    timePasses(Duration.between(Instant.now(), next).plus(Duration.ofDays(40)));
    var other = made(",'intervalSeconds':60,'fireImmediately':true").getString("scheduleId");
    await().atMost(SOON).until(() -> listed(other).getLong("fires") == 1);
    assertThat(listed(id).getLong("fires")).isOne();
  }

  @Test
  void deletingIsForTheOwnerAndOnce() {
    var id = made("").getString("scheduleId");

    as(PostgresResource.BOB_TOKEN)
        .delete("/api/agent/schedules/" + id)
        .then()
        .statusCode(200)
        .body("ok", equalTo(false));
    as(PostgresResource.BOB_TOKEN)
        .get("/api/agent/schedules/" + id + "/fires")
        .then()
        .statusCode(404)
        .body("code", equalTo("SCHEDULE_NOT_FOUND"));
    alice()
        .delete("/api/agent/schedules/" + id)
        .then()
        .body("ok", equalTo(true))
        .body("scheduleId", equalTo(id));
    alice().delete("/api/agent/schedules/" + id).then().body("ok", equalTo(false));
    alice().delete("/api/agent/schedules/nothing").then().body("ok", equalTo(false));
    alice().get("/api/agent/schedules/" + id + "/fires?limit=101").then().statusCode(400);
  }

  @Test
  void aRefusedFireSaysWhyAndWaitsForTheNextTime() {
    var made = made(",'intervalSeconds':60");
    var single = made(",'intervalSeconds':60,'recurring':false").getString("scheduleId");
    var id = made.getString("scheduleId");
    Neighbours.get()
        .unattended(
            workflow,
            409,
            "{\"code\":\"WORKFLOW_NOT_PUBLISHED\",\"params\":{},\"detail\":\"Not published.\"}");

    timePasses(Duration.ofSeconds(65));

    await().atMost(SOON).until(() -> listed(single).getString("status").equals("FAILED"));
    await().atMost(SOON).until(() -> listed(id).getString("lastErrorCode") != null);
    assertThat(listed(id).getString("lastErrorCode")).isEqualTo("WORKFLOW_NOT_PUBLISHED");
    assertThat(listed(id).getString("lastError")).isEqualTo("Not published.");
    assertThat(listed(id).getLong("fires")).isZero();
    assertThat(listed(id).getString("lastFireAt")).isNull();
    assertThat(fires(id).getList("outcome")).containsExactly("refused");
    assertThat(fires(id).getString("[0].taskId")).isNull();
    assertThat(tasksOf(workflow)).isZero();

    Neighbours.get().unattended(workflow, 200, "{}");
    timePasses(Duration.ofSeconds(125));
    await().atMost(SOON).until(() -> listed(id).getLong("fires") == 1);
    assertThat(listed(id).getString("lastError")).isNull();
  }

  @Test
  void aSandboxedSchedulePausesWhileTheHostIsNot() {
    var id = made(",'intervalSeconds':60").getString("scheduleId");
    Neighbours.get().unsandboxed(true);
    sql("SELECT pg_notify('fengyu_settings', '')");
    var weak = made(",'intervalSeconds':60");
    assertThat(weak.getString("sandboxProfile")).isEqualTo("unsandboxed");
    var weakId = weak.getString("scheduleId");

    timePasses(Duration.ofSeconds(130));

    await().atMost(SOON).until(() -> listed(id).getBoolean("paused"));
    await().atMost(SOON).until(() -> listed(weakId).getLong("fires") == 1);
    assertThat(listed(id).getString("lastErrorCode")).isEqualTo("SANDBOX_POSTURE_WEAKENED");
    assertThat(listed(id).getLong("fires")).isZero();
    assertThat(Instant.parse(listed(id).getString("nextFireAt")))
        .isBefore(SettableClock.get().instant());

    Neighbours.get().unsandboxed(false);
    sql("SELECT pg_notify('fengyu_settings', '')");
    await().atMost(SOON).until(() -> listed(id).getLong("fires") == 1);
    assertThat(listed(id).getBoolean("paused")).isFalse();
    assertThat(listed(id).getLong("missedFires")).isPositive();
    assertThat(listed(id).getString("lastErrorCode")).isNull();
  }

  @Test
  void aClaimOfADeadProcessIsToldAndNotReplayed() {
    var made = made(",'intervalSeconds':3600");
    var id = made.getString("scheduleId");
    var single = made(",'intervalSeconds':3600,'recurring':false").getString("scheduleId");
    var live = sql("SELECT id FROM platform.instances WHERE service = 'task-scheduler' LIMIT 1");
    for (var schedule : new String[] {id, single}) {
      sql(
          """
          WITH claim AS (
            UPDATE scheduler.schedule
               SET claimed_by = '00000000-0000-7000-8000-000000000000',
                   claimed_task = gen_random_uuid()
             WHERE id = ?
            RETURNING id, next_fire_at, claimed_by, claimed_task)
          INSERT INTO scheduler.schedule_fire
                 (schedule_id, due_at, claimed_at, claimed_by, task_id, missed)
          SELECT id, next_fire_at, now(), claimed_by, claimed_task, 0 FROM claim""",
          id(schedule));
    }
    assertThat(live).isNotEmpty();

    wake();

    await().atMost(SOON).until(() -> listed(id).getString("lastErrorCode") != null);
    assertThat(listed(id).getString("lastErrorCode")).isEqualTo("SCHEDULE_FIRE_INTERRUPTED");
    assertThat(listed(id).getString("status")).isEqualTo("ACTIVE");
    await().atMost(SOON).until(() -> listed(single).getString("status").equals("FAILED"));
    assertThat(fires(id).getList("outcome")).containsExactly("interrupted");
    assertThat(tasksOf(workflow)).isZero();
  }

  @Test
  void aDeletedWorkflowTakesItsSchedulesAlong() {
    var id = made(",'intervalSeconds':60").getString("scheduleId");

    sql("SELECT scheduler.cancel_for_workflow(?)", workflow);
    timePasses(Duration.ofSeconds(65));

    var other = UUID.randomUUID().toString().replace("-", "");
    var witness =
        alice()
            .body("{\"workflowId\":\"" + other + "\",\"fireImmediately\":true}")
            .post("/api/agent/schedules")
            .jsonPath()
            .getString("scheduleId");
    await().atMost(SOON).until(() -> listed(witness).getLong("fires") == 1);
    assertThat(listed(id).getString("status")).isEqualTo("CANCELLED");
    assertThat(tasksOf(workflow)).isZero();
    alice().delete("/api/agent/schedules/" + witness);
  }

  @Test
  void fiftyAreActiveAtMostAlsoWhenTheyComeAtOnce() {
    try (var threads = java.util.concurrent.Executors.newVirtualThreadPerTaskExecutor()) {
      for (int i = 0; i < 60; i++) {
        threads.execute(
            () ->
                as(PostgresResource.BOB_TOKEN)
                    .body(body(",'intervalSeconds':86400"))
                    .post("/api/agent/schedules"));
      }
    }

    assertThat(count("SELECT count(*) FROM scheduler.schedule WHERE workflow_id = ?", workflow))
        .isEqualTo(50);
    var refused = as(PostgresResource.BOB_TOKEN).body(body("")).post("/api/agent/schedules").then();
    refused
        .statusCode(409)
        .body("code", equalTo("SCHEDULE_LIMIT_REACHED"))
        .body("params.max", equalTo(50));
    as(PostgresResource.BOB_TOKEN).get("/api/agent/schedules").then().body("", hasSize(50));
    var one = sql("SELECT id FROM scheduler.schedule WHERE workflow_id = ? LIMIT 1", workflow);
    as(PostgresResource.BOB_TOKEN).delete("/api/agent/schedules/" + one);
    as(PostgresResource.BOB_TOKEN)
        .body(body(""))
        .post("/api/agent/schedules")
        .then()
        .statusCode(200);
  }

  @Test
  void whatNeedsAPersonIsRefusedUnlessItWasChosenOtherwise() {
    Neighbours.get()
        .unattended(
            workflow,
            200,
            """
            {"valid":true,"unattendedOk":false,"steps":[
              {"index":0,"tool":"read_file","verdict":"allow"},
              {"index":1,"tool":"execute_command","verdict":"ask"}]}""");

    create("")
        .statusCode(400)
        .body("code", equalTo("UNATTENDED_APPROVAL_REQUIRED"))
        .body("params.step", equalTo(1))
        .body("params.tool", equalTo("execute_command"))
        .body("steps", hasSize(2));
    create(",'permissionMode':'ask-for-approval'").statusCode(400);
    create(",'permissionMode':'full-access'").statusCode(200);
    create(",'permissionMode':'approve-for-me'").statusCode(200);
  }

  @Test
  void checksComeInTheirOrder() {
    var bad = ",'intervalSeconds':5,'permissionMode':'never'";
    Neighbours.get().publication(workflow, 404, "{\"code\":\"WORKFLOW_NOT_FOUND\"}");
    create(bad).statusCode(404).body("code", equalTo("WORKFLOW_NOT_FOUND"));

    Neighbours.get().publication(workflow, 409, "{\"code\":\"WORKFLOW_NOT_PUBLISHED\"}");
    create(bad).statusCode(400).body("code", equalTo("SCHEDULE_INTERVAL_TOO_SHORT"));
    create(",'permissionMode':'never'")
        .statusCode(409)
        .body("code", equalTo("WORKFLOW_NOT_PUBLISHED"));

    Neighbours.get().publication(workflow, 200, "{}");
    create(",'permissionMode':'never'")
        .statusCode(400)
        .body("code", equalTo("PERMISSION_MODE_UNKNOWN"));
    Neighbours.get().unattended(workflow, 400, "{\"code\":\"EPHEMERAL_FILE_INPUT\"}");
    create("").statusCode(400).body("code", equalTo("EPHEMERAL_FILE_INPUT"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{}|INVALID_REQUEST",
        "{'workflowId':7}|INVALID_REQUEST",
        "{'workflowId':'a/b'}|INVALID_REQUEST",
        "{'workflowId':'w','inputs':[]}|INVALID_REQUEST",
        "{'workflowId':'w','intervalSeconds':59}|SCHEDULE_INTERVAL_TOO_SHORT",
        "{'workflowId':'w','intervalSeconds':604800}|SCHEDULE_INTERVAL_TOO_LONG",
        "{'workflowId':'w','recurring':false,'fireImmediately':true}|SCHEDULE_CONTRADICTION",
        "{'workflowId':'w','calendar':{'frequency':'DAILY','time':'9','zoneId':'UTC'}}|SCHEDULE_CALENDAR_INVALID",
      })
  void whatMeansNothingIsRefused(String body, String code) {
    alice()
        .body(body.replace('\'', '"'))
        .post("/api/agent/schedules")
        .then()
        .statusCode(400)
        .body("code", equalTo(code));
  }

  @Test
  void oneKeyIsOneSchedule() {
    var key = UUID.randomUUID().toString();
    var first = alice().header("Idempotency-Key", key).body(body("")).post("/api/agent/schedules");
    first.then().statusCode(200).header("Idempotent-Replayed", nullValue());

    alice()
        .header("Idempotency-Key", key)
        .body(body(""))
        .post("/api/agent/schedules")
        .then()
        .statusCode(200)
        .header("Idempotent-Replayed", equalTo("true"))
        .body("scheduleId", equalTo(first.jsonPath().getString("scheduleId")));
    alice()
        .header("Idempotency-Key", key)
        .body(body(",'intervalSeconds':60"))
        .post("/api/agent/schedules")
        .then()
        .statusCode(409);
    assertThat(count("SELECT count(*) FROM scheduler.schedule WHERE workflow_id = ?", workflow))
        .isOne();
  }
}
