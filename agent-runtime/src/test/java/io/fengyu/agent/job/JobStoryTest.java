package io.fengyu.agent.job;

import static io.restassured.RestAssured.given;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.hamcrest.Matchers.contains;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.hasSize;
import static org.hamcrest.Matchers.nullValue;

import io.fengyu.contract.testing.PostgresResource;
import io.fengyu.contract.testing.PostgresServer;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.response.ValidatableResponse;
import jakarta.inject.Inject;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a tool has only accepted is followed to what really came of it. */
@QuarkusTest
class JobStoryTest {

  private static final Duration PATIENCE = Duration.ofSeconds(20);
  private static final String RUNNING = "{'status':'running'}";

  @Inject JobStore store;

  private final String job = "j-" + UUID.randomUUID();
  private final String child = "k-" + UUID.randomUUID();

  private static ValidatableResponse get(String token, String path) {
    return given().header("X-FengYu-Token", token).get("/api/agent" + path).then();
  }

  private static ValidatableResponse get(String path) {
    return get(PostgresResource.ALICE_TOKEN, path);
  }

  private static ValidatableResponse post(String path, String body) {
    return given()
        .header("X-FengYu-Token", PostgresResource.ALICE_TOKEN)
        .contentType("application/json")
        .body(body.replace('\'', '"'))
        .post("/api/agent" + path)
        .then();
  }

  /** A run whose step accepts the job, and one that depends on it. */
  private String start() {
    return post(
            "/run",
            "{'config':{'permissionMode':'full-access'},'workflow':{'steps':["
                + "{'toolName':'test_job','args':{'job_id':'"
                + job
                + "'}},{'toolName':'echo','args':{'of':'{{steps.0.result}}'}}]}}")
        .statusCode(200)
        .extract()
        .path("runId");
  }

  private static ValidatableResponse ended(String runId, String status) {
    await()
        .atMost(PATIENCE)
        .untilAsserted(() -> get("/runs/" + runId).body("status", equalTo(status)));
    return get("/runs/" + runId);
  }

  private static List<String> events(String runId) {
    return get("/runs/" + runId + "/events").extract().path("events.type");
  }

  @Test
  void theStepEndsWithTheResultOfTheJobAndItsWayIsShown() {
    ScriptedJobs.job(
        job,
        "{'status':'queued'}",
        "{'status':'running','progress':[{'progress_seq':1,'stage':'fit','progress':0.4,"
            + "'message':'on it'},{'progress_seq':3}],'progress_cursor':5}",
        "lost",
        "lost",
        "{'status':'done','progress':[{'progress_seq':6}],'progress_has_more':true,'result':{'n':1}}",
        "{'status':'done','progress':[{'progress_seq':7}],'result':{'n':7}}");

    var runId = start();

    ended(runId, "COMPLETED")
        .body("executions[0].result", containsString("\"n\":7"))
        .body("executions[0].result", containsString("\"async\":false"))
        .body("executions[1].result", containsString("\"n\":7"));
    assertThat(events(runId))
        .containsSubsequence(
            "step_start",
            "job_progress",
            "job_progress",
            "job_progress",
            "job_progress",
            "step_complete",
            "complete");
    get("/runs/" + runId + "/events")
        .body("events[2].data.tool_call_id", equalTo(runId + ":step:0"))
        .body("events[2].data.job_id", equalTo(job))
        .body("events[2].data.progress_seq", equalTo(1))
        .body("events[2].data.stage", equalTo("fit"))
        .body("events[2].data.progress", equalTo(0.4f))
        .body("events[2].data.message", equalTo("on it"));
    assertThat(ScriptedJobs.asked(job))
        .containsExactly(
            "call", "status 0", "status 0", "status 5", "status 5", "status 5", "status 6");
    get("/jobs/" + job)
        .statusCode(200)
        .body("job_id", equalTo(job))
        .body("status", equalTo("done"))
        .body("progress.progress_seq", contains(1, 3, 6, 7))
        .body("progress_cursor", equalTo(7))
        .body("progress_has_more", equalTo(false))
        .body("result.n", equalTo(7))
        .body("next_job_id", nullValue())
        .body("followed", equalTo(false));
    get("/jobs/" + job + "?after_seq=3").body("progress.progress_seq", contains(6, 7));
    get("/jobs/" + job + "?after_seq=x").statusCode(400);
    get("/jobs/" + job + "?after_seq=-1").statusCode(400);
    get("/jobs/nothing").statusCode(404).body("code", equalTo("JOB_NOT_FOUND"));
    get(PostgresResource.BOB_TOKEN, "/jobs/" + job).statusCode(404);
  }

  @Test
  void aJobThatHandsOverIsFollowedToTheLastOne() {
    ScriptedJobs.job(
        job, "{'status':'done','result':{'handed':'over'},'next_job_id':'" + child + "'}");
    ScriptedJobs.job(
        child,
        "{'status':'running','progress':[{'progress_seq':1}]}",
        "{'status':'done','result':'really'}");

    var runId = start();

    ended(runId, "COMPLETED").body("executions[0].result", containsString("\"result\":\"really\""));
    assertThat(ScriptedJobs.asked(child)).startsWith("status 0");
    get("/jobs/" + job).body("next_job_id", equalTo(child));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          {'status':'failed','error':'no graph'}                             | JOB_FAILED: no graph
          {'status':'cancelled'}                                             | JOB_CANCELLED
          {'status':'done'}                                                  | JOB_RESULT_UNAVAILABLE
          {'status':'done','result':{'progress':100,'status':'done'}}        | JOB_RESULT_UNAVAILABLE
          {'status':'done','result':'100%'}                                  | JOB_RESULT_UNAVAILABLE
          {'status':'done','result':{'async':true,'job_id':'x'}}             | JOB_RESULT_UNAVAILABLE
          {'status':'weird'}                                                 | JOB_PROTOCOL_ERROR
          {'status':'running','job_id':'another'}                            | JOB_PROTOCOL_ERROR
          {'status':'running','progress':[{'progress_seq':0}]}               | JOB_PROTOCOL_ERROR
          {'status':'running','progress':[{'progress_seq':2},{'progress_seq':2}]} | JOB_PROTOCOL_ERROR
          {'status':'running','progress':[{'progress_seq':2}],'progress_cursor':1} | JOB_PROTOCOL_ERROR
          {'status':'done','next_job_id':''}                                 | JOB_CHAIN_INVALID
          {'status':'done','result':{'success':false,'error':'bad sheet'}}   | bad sheet
          lost                                                               | JOB_STATUS_UNAVAILABLE
          """)
  void whatIsNoResultIsAFailureAndBlocksWhatDependsOnIt(String answer, String told) {
    ScriptedJobs.job(job, RUNNING, answer);

    var runId = start();

    ended(runId, "FAILED")
        .body("executions[0].error", containsString(told))
        .body("executions.status", contains("FAILED", "PENDING"));
    assertThat(ScriptedJobs.asked(job)).containsOnlyOnce("call");
  }

  @Test
  void aCircleOfJobsIsNoEnd() {
    ScriptedJobs.job(job, "{'status':'done','next_job_id':'" + child + "'}");
    ScriptedJobs.job(child, "{'status':'done','next_job_id':'" + job + "'}");

    ended(start(), "FAILED").body("executions[0].error", containsString("JOB_CHAIN_INVALID"));
  }

  @Test
  void stoppingAJobStopsWhatItHandedOverTo() {
    ScriptedJobs.job(job, "{'status':'done','next_job_id':'" + child + "'}");
    ScriptedJobs.job(child, RUNNING);
    var runId = start();
    await().atMost(PATIENCE).until(() -> ScriptedJobs.asked(child).size() > 2);

    post("/jobs/" + job + "/cancel", "").statusCode(202).body("job_id", equalTo(job));

    ended(runId, "FAILED").body("executions[0].error", containsString("JOB_CANCELLED"));
    assertThat(ScriptedJobs.asked(child)).containsOnlyOnce("cancel");
    get("/jobs/" + child).body("status", equalTo("cancelled"));
    post("/jobs/nothing/cancel", "").statusCode(404);
  }

  @Test
  void stoppingTheRunStopsItsJobBeforeThatIsConfirmed() {
    ScriptedJobs.job(job, RUNNING);
    var runId = start();
    await().atMost(PATIENCE).until(() -> ScriptedJobs.asked(job).size() > 2);
    var cancel = "c-" + job;

    post("/cancel", "{'cancel_request_id':'" + cancel + "','run_id':'" + runId + "'}");

    await()
        .atMost(PATIENCE)
        .untilAsserted(() -> get("/cancel/" + cancel).body("cancel_status", equalTo("confirmed")));
    assertThat(ScriptedJobs.asked(job)).containsOnlyOnce("cancel");
    get("/cancel/" + cancel)
        .body("branches.findAll { it.kind == 'job' }", hasSize(1))
        .body("branches.find { it.kind == 'job' }.id", equalTo(job))
        .body("branches.find { it.kind == 'job' }.state", equalTo("ended"));
    get("/jobs/" + job).body("status", equalTo("cancelled"));
    assertThat(events(runId)).doesNotContain("complete").endsWith("error");
  }

  @Test
  void onlyThePresentStageOfALivingRunTakesJobsOnAndWritesThemDown() {
    ScriptedJobs.job(job, RUNNING);
    var runId = start();
    await().atMost(PATIENCE).until(() -> ScriptedJobs.asked(job).size() > 2);

    assertThat(registers(runId, 0)).isFalse();
    assertThat(registers(runId, 2)).isFalse();
    assertThat(registers(runId, 1)).isTrue();
    assertThat(registers(UUID.randomUUID().toString(), 1)).isFalse();
    var old = new JobStore.Key(UUID.fromString(runId), "test_job", job, UUID.randomUUID(), 0);
    var status = new JobStatus(JobStatus.State.DONE, List.of(), 9, false, null, null, null);
    assertThat(store.update(old, status, List.of()).await().atMost(PATIENCE)).isEmpty();
    get("/jobs/" + job).body("status", equalTo("running")).body("followed", equalTo(true));

    post("/" + runId + "/cancel", "");
    ended(runId, "CANCELLED");
    assertThat(registers(runId, 1)).isFalse();
  }

  private boolean registers(String runId, int generation) {
    var key =
        new JobStore.Key(
            UUID.fromString(runId), "test_other", child, UUID.randomUUID(), generation);
    return store.register(key, null).await().atMost(PATIENCE);
  }

  @Test
  void aJobWhoseExecutorDiedGoesOnUntilSomebodyEndsIt() {
    leftBehind();

    get("/jobs/" + job).body("status", equalTo("running")).body("followed", equalTo(false));
    post("/jobs/" + job + "/cancel", "").statusCode(202).body("job_id", equalTo(job));

    awaitJob("cancelled").body("result", nullValue());
    assertThat(ScriptedJobs.asked(job)).contains("cancel");
  }

  @Test
  void stoppingARunWhoseExecutorDiedEndsItsJob() {
    var runId = leftBehind();

    post("/" + runId + "/cancel", "").statusCode(200).body("ok", equalTo(false));

    awaitJob("cancelled");
  }

  @Test
  void resumingARunWhoseExecutorDiedEndsItsJobFirst() {
    var runId = leftBehind();

    String second =
        post("/runs/" + runId + "/resume", "{}").statusCode(200).extract().path("runId");

    awaitJob("cancelled");
    assertThat(ScriptedJobs.asked(job)).doesNotContain("call");
    post("/" + second + "/cancel", "").statusCode(200);
  }

  @Test
  void aJobThatWasDoneInTheMeantimeKeepsItsResult() {
    leftBehind();
    ScriptedJobs.silence(job);
    ScriptedJobs.job(job, "{'status':'done','result':{'n':7}}");

    post("/jobs/" + job + "/cancel", "").statusCode(202);

    awaitJob("done").body("result.n", equalTo(7));
  }

  @Test
  void aJobThatNobodyTellsAboutHasNoGoodEnd() {
    leftBehind();
    ScriptedJobs.silence(job);

    post("/jobs/" + job + "/cancel", "").statusCode(202);

    awaitJob("failed").body("result.code", equalTo("JOB_OUTCOME_UNKNOWN"));
  }

  private ValidatableResponse awaitJob(String status) {
    await()
        .atMost(PATIENCE)
        .untilAsserted(() -> get("/jobs/" + job).body("status", equalTo(status)));
    return get("/jobs/" + job).body("followed", equalTo(false));
  }

  /** What another process leaves when it dies while it follows a job; the job goes on. */
  private String leftBehind() {
    ScriptedJobs.job(job, RUNNING);
    var runId = start();
    await().atMost(PATIENCE).until(() -> ScriptedJobs.asked(job).size() > 2);
    post("/" + runId + "/cancel", "");
    ended(runId, "CANCELLED");
    execute(
        "UPDATE agent.job SET ended_at = NULL, status = 'running' WHERE job_id = '" + job + "'");
    execute(
        "UPDATE agent.run SET status = 'FAILED', interrupted = true WHERE id = '" + runId + "'");
    ScriptedJobs.job(job, RUNNING);
    ScriptedJobs.forget(job);
    return runId;
  }

  private static void execute(String sql) {
    try (var connection = PostgresServer.shared().connect();
        var statement = connection.createStatement()) {
      statement.execute(sql);
    } catch (SQLException failed) {
      throw new IllegalStateException(failed);
    }
  }
}
