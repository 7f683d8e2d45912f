package io.fengyu.launcher;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Background tasks on the packaged system with two schedulers, whose processes are killed. */
class BackgroundTaskIT {

  private static final Duration SOON = Duration.ofSeconds(60);
  private static final String TASKS = "/api/agent/tasks";

  @TempDir static Path folder;

  private static RunningSystem system = RunningSystem.NONE;
  private static Person person;

  @BeforeAll
  static void start() throws Exception {
    system =
        RunningSystem.start(
            folder.resolve("data"),
            Map.of(
                "LEASE_TTL", "4s",
                "HEARTBEAT_INTERVAL", "1s",
                "FENGYU_AGENT_HEADLESS_APPROVAL_TIMEOUT_SECONDS", "3"));
    system.command("scale", "task-scheduler", "2");
    person = Person.at(system.port(), system);
  }

  @AfterAll
  static void stop() throws Exception {
    system.kill();
    await().atMost(SOON).until(() -> system.leftovers().isEmpty());
  }

  @Test
  void aPublishedWorkflowRunsInTheBackgroundAndLeavesItsResult() {
    var workflow = published("echo", "'text':'{{inputs.word}}'");

    var submitted = submit(workflow, "'inputs':{'word':'hello'}");
    assertThat(submitted.path("kind").asText()).isEqualTo("workflow");
    assertThat(submitted.path("priority").asText()).isEqualTo("normal");
    assertThat(submitted.path("steps")).hasSize(1);
    var ended = ended(submitted);

    assertThat(ended.path("status").asText()).as("%s", ended).isEqualTo("completed");
    assertThat(ended.path("output").asText()).contains("hello");
    assertThat(ended.path("startedAt").isTextual()).isTrue();
    assertThat(person.detail(ended.path("runId").asText()).path("status").asText())
        .isEqualTo("COMPLETED");
    assertThat(person.get(TASKS).body().findValuesAsText("taskId"))
        .contains(ended.path("taskId").asText());
  }

  @Test
  void whatCannotRunMakesNoTask() {
    assertThat(person.post(TASKS, "{'workflowId':'none'}").status()).isEqualTo(404);
    var draft = created("echo", "'text':'x'");
    assertThat(person.post(TASKS, "{'workflowId':'" + draft + "'}").status()).isEqualTo(409);
  }

  @Test
  void aKeyIsOneTaskAndSubmissionsThatAreKilledAtOnceNeverStay() {
    var workflow = published("delay", "'ms':20000");
    var ids = new ArrayList<String>();
    for (var i = 0; i < 20; i++) {
      var id = submit(workflow, "'permissionMode':'full-access'").path("taskId").asText();
      assertThat(kill(id).path("ok").asBoolean()).isTrue();
      ids.add(id);
    }

    for (var id : ids) {
      assertThat(person.get(TASKS + "/" + id + "?timeoutMs=20000").text("status"))
          .isEqualTo("cancelled");
      assertThat(kill(id).path("ok").asBoolean()).isFalse();
    }
  }

  @Test
  void aGateThatNobodyDecidesAboutEndsTheTask() {
    var workflow = published("write_file", "'path':'a.txt','content':'x'");

    var ended = ended(submit(workflow, "'permissionMode':'ask-for-approval'"));

    assertThat(ended.path("status").asText()).as("%s", ended).isEqualTo("failed");
    assertThat(ended.path("errorCode").asText()).isEqualTo("APPROVAL_TIMEOUT");
  }

  @Test
  void onlyTheTasksOfAKilledSchedulerFailAndTheirRunsStop() throws Exception {
    var workflow = published("delay", "'ms':15000");
    var tasks = new ArrayList<JsonNode>();
    for (var i = 0; i < 8; i++) {
      tasks.add(submit(workflow, "'permissionMode':'full-access'"));
    }
    await().atMost(SOON).until(() -> running() == tasks.size());

    ProcessHandle.of(system.pid("task-scheduler-2")).orElseThrow().destroyForcibly();

    var states = new ArrayList<String>();
    for (var task : tasks) {
      var ended = ended(task);
      states.add(ended.path("status").asText());
      if (ended.path("status").asText().equals("failed")) {
        assertThat(ended.path("errorCode").asText()).isEqualTo("INTERRUPTED_BY_RESTART");
        person.awaits(ended.path("runId").asText(), "CANCELLED", "COMPLETED");
      }
    }
    assertThat(states).as("both had some").contains("completed", "failed");
    assertThat(states).isSubsetOf(List.of("completed", "failed"));
  }

  @Test
  void toolsSubmitAndWait() {
    var workflow = published("echo", "'text':'inner'");
    var run =
        person.start(
            """
            {'config':{'permissionMode':'full-access'},'workflow':{'steps':[
              {'toolName':'task_submit_workflow','args':{'workflowId':'%s'}},
              {'toolName':'task_wait','args':{'ids':['{{steps.0.result.taskId}}'],'mode':'all'},
               'dependsOn':[0]},
              {'toolName':'task_capacity','args':{},'dependsOn':[1]}]}}"""
                .formatted(workflow));

    var detail = person.awaits(run, "COMPLETED", "FAILED");

    assertThat(detail.path("status").asText()).as("%s", detail).isEqualTo("COMPLETED");
    var tasks = person.get(TASKS).body();
    assertThat(tasks.path(0).path("output").asText()).contains("inner");
  }

  private static long running() {
    return person.get(TASKS + "/capacity").body().path("running").asLong();
  }

  private static String created(String tool, String args) {
    var reply =
        person.post(
            "/api/workflows",
            """
            {'name':'%1$s','plan':{'goal':'%1$s','steps':[{'toolName':'%1$s','args':{%2$s}}]},
             'inputSchema':{'type':'object','properties':{'word':{'type':'string'}}}}"""
                .formatted(tool, args));
    assertThat(reply.status()).as("%s", reply).isBetween(200, 201);
    return reply.text("id");
  }

  private static String published(String tool, String args) {
    var id = created(tool, args);
    var reply = person.post("/api/workflows/" + id + "/publish", "{}");
    assertThat(reply.status()).as("%s", reply).isEqualTo(200);
    return id;
  }

  private static JsonNode submit(String workflow, String more) {
    var reply = person.post(TASKS, "{'workflowId':'" + workflow + "'," + more + "}");
    assertThat(reply.status()).as("%s", reply).isEqualTo(202);
    return reply.body();
  }

  private static JsonNode ended(JsonNode task) {
    var id = task.path("taskId").asText();
    return await("task " + id + " has ended")
        .atMost(SOON)
        .ignoreExceptions()
        .until(
            () -> person.get(TASKS + "/" + id + "?timeoutMs=5000").body(),
            now -> now.has("completedAt"));
  }

  private static JsonNode kill(String id) {
    return person.delete(TASKS + "/" + id).body();
  }
}
