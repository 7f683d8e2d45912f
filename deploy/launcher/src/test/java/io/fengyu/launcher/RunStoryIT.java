package io.fengyu.launcher;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fengyu.testing.model.Answer;
import io.fengyu.testing.model.ModelServer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Runs on the packaged system with two executing processes, which are killed and frozen. */
class RunStoryIT {

  private static final Duration SOON = Duration.ofSeconds(60);
  private static final List<String> EXECUTORS = List.of("agent-runtime", "agent-runtime-2");
  private static final String TWO_FILES =
      """
      {'steps':[
        {'toolName':'write_file','args':{'path':'a.txt','content':'one'},'dependsOn':[]},
        {'toolName':'echo','args':{'text':'between'},'dependsOn':[]},
        {'toolName':'write_file','args':{'path':'b.txt','content':'two'},'dependsOn':[0]}]}"""
          .replace('\'', '"');

  @TempDir static Path folder;

  private static final ModelServer MODEL = ModelServer.start();
  private static RunningSystem system = RunningSystem.NONE;
  private static Person person;

  @BeforeAll
  static void start() throws Exception {
    system =
        RunningSystem.start(
            folder.resolve("data"), Map.of("LEASE_TTL", "4s", "HEARTBEAT_INTERVAL", "1s"));
    system.command("scale", "agent-runtime", "2");
    person = Person.at(system.port(), system);
    var models =
        person.put(
            "/api/ai/config",
            "{'mode':'local','ollama':{'model':'scripted','baseUrl':'%s'}}"
                .formatted(MODEL.address()));
    assertThat(models.status()).as("%s", models).isEqualTo(200);
  }

  @AfterAll
  static void stop() throws Exception {
    system.kill();
    MODEL.close();
    await().atMost(SOON).until(() -> system.leftovers().isEmpty());
  }

  @BeforeEach
  void forget() {
    MODEL.reset();
  }

  @Test
  void aGoalIsPlannedApprovedAsEditedAndExecutedStepByStep() {
    MODEL.next(Answer.saying("Here it is: ", TWO_FILES.substring(0, 40), TWO_FILES.substring(40)));
    var run = person.start("{'goal':'write two files'}");

    var planned = person.watchUntil(run, "plan_approval_requested");
    var gate = planned.getLast().data();
    assertThat(planned).extracting(Person.Event::type).contains("plan_token", "plan_ready");
    assertThat(MODEL.request(1).json().has("tools")).isFalse();
    var edited = (ObjectNode) gate.path("plan").deepCopy();
    ((ArrayNode) edited.path("steps")).remove(1);
    assertThat(person.post("/api/agent/" + run + "/approve", edited.toString()).status())
        .isEqualTo(200);
    approveStep(run);
    approveStep(run);
    var all = person.watchUntil(run, "complete");

    assertThat(all)
        .extracting(Person.Event::type)
        .filteredOn(type -> !type.equals("plan_token"))
        .containsExactly(
            "plan_ready",
            "plan_approval_requested",
            "step_approval_requested",
            "step_start",
            "step_complete",
            "step_approval_requested",
            "step_start",
            "step_complete",
            "complete");
    assertThat(person.detail(run).path("plan").path("steps")).hasSize(2);
    assertThat(person.detail(run).path("execution_generation").asInt()).isEqualTo(4);
  }

  private static void approveStep(String run) {
    var gate = person.awaits(run, "AWAITING_STEP_APPROVAL").path("pendingGate");
    var decision = "{'decision':'approve','gateId':'" + gate.path("gateId").asText() + "'}";
    assertThat(person.post("/api/agent/" + run + "/approve", decision).status()).isEqualTo(200);
  }

  @Test
  void aHundredStartsWithOneIdAreOneRunAlsoAfterTheProcessesWereKilled() throws Exception {
    var body =
        """
        {'start_request_id':'once','config':{'permissionMode':'full-access'},
         'workflow':{'goal':'only once','steps':[
           {'toolName':'write_file','args':{'path':'once.txt','content':'x'}}]}}""";

    var replies = together(100, () -> person.post("/api/agent/run", body));
    var ids = new HashSet<String>();
    replies.forEach(reply -> ids.add(reply.status() + " " + reply.text("runId")));

    assertThat(ids).hasSize(1).allMatch(id -> id.startsWith("200 "));
    assertThat(replies).filteredOn(reply -> !reply.body().path("replayed").asBoolean()).hasSize(1);
    kill();
    var again = person.post("/api/agent/run", body);
    assertThat(again.body().path("replayed").asBoolean()).isTrue();
    assertThat(again.text("runId")).isEqualTo(replies.getFirst().text("runId"));
    assertThat(person.get("/api/agent/runs?q=only+once").body()).hasSize(1);
  }

  @Test
  void aStartThatWasCancelledBeforeItArrivedIsNotExecuted() {
    var cancel =
        person.post(
            "/api/agent/cancel", "{'cancel_request_id':'c-early','start_request_id':'late'}");
    assertThat(cancel.status()).isIn(200, 202);

    var start =
        person.post(
            "/api/agent/run", "{'start_request_id':'late','workflow':{'goal':'never','steps':[]}}");

    assertThat(start.status()).isEqualTo(409);
    assertThat(start.text("code")).isEqualTo("START_CANCELLED");
    assertThat(person.get("/api/agent/runs?q=never").body()).isEmpty();
  }

  @Test
  void approvingThePlanManyTimesDoesNotReleaseTheStepBehindIt() throws Exception {
    MODEL.next(Answer.saying(TWO_FILES));
    var run = person.start("{'goal':'approved in a hurry'}");
    var gate = person.awaits(run, "AWAITING_PLAN_APPROVAL").path("pendingGate");
    var decision = "{'decision':'approve','gateId':'" + gate.path("gateId").asText() + "'}";

    var replies = together(16, () -> person.post("/api/agent/" + run + "/approve", decision));

    assertThat(replies).allMatch(reply -> reply.status() == 200);
    assertThat(replies).filteredOn(reply -> !reply.body().path("already").asBoolean()).hasSize(1);
    var paused = person.awaits(run, "AWAITING_STEP_APPROVAL");
    assertThat(paused.path("execution_generation").asInt()).isEqualTo(2);
    assertThat(person.stored(run)).doesNotContain("step_complete");
  }

  @Test
  void aRunWhoseProcessDiesWhilePlanningSaysSoAndIsNotPlannedAgain() {
    MODEL.next(Answer.stream().text("{\"steps\"").hang());
    var run = person.start("{'goal':'planned by a process that dies'}");
    assertThat(person.watchUntil(run, "plan_token")).isNotEmpty();

    kill();

    var ended = person.awaits(run, "FAILED");
    assertThat(ended.path("interrupted").asBoolean()).isTrue();
    assertThat(ended.path("error").asText()).contains("restart");
    assertThat(MODEL.requests()).hasSize(1);
    MODEL.requests().getFirst().awaitClosed();
    assertThat(person.stored(run)).doesNotContain("step_start").endsWith("error");
  }

  @Test
  void aGateSurvivesTheDeathOfAllProcessesAndIsReleasedOnce() {
    var run =
        person.start(
            """
            {'workflow':{'goal':'wait for me','steps':[
              {'toolName':'write_file','args':{'path':'gate.txt','content':'x'}}]}}""");
    person.awaits(run, "AWAITING_STEP_APPROVAL");

    kill();

    assertThat(person.detail(run).path("status").asText()).isEqualTo("AWAITING_STEP_APPROVAL");
    approveStep(run);
    var done = person.awaits(run, "COMPLETED");
    assertThat(done.path("execution_generation").asInt()).isEqualTo(2);
    assertThat(person.stored(run))
        .containsExactly(
            "plan_ready", "step_approval_requested", "step_start", "step_complete", "complete");
  }

  @Test
  void aProcessThatWasFrozenPastItsLeaseChangesNothingWhenItWakes() throws Exception {
    var second = Person.at(system.port("agent-runtime-2"), system);
    var frozen = system.pid("agent-runtime");
    var first = Person.at(system.port("agent-runtime"), system);
    var run =
        first.start(
            """
            {'config':{'permissionMode':'full-access'},'workflow':{'goal':'frozen','steps':[
              {'toolName':'delay','args':{'ms':1500}},
              {'toolName':'write_file','args':{'path':'late.txt','content':'x'},
               'dependsOn':[0]}]}}""");
    second.watchUntil(run, "step_start");

    signal("STOP", frozen);
    var ended = second.awaits(run, "FAILED");
    var told = second.stored(run);
    signal("CONT", frozen);

    await()
        .atMost(SOON)
        .ignoreExceptions()
        .until(() -> first.get("/api/agent/runs/" + run).status() == 200);
    var next = first.start("{'workflow':{'goal':'goes on','steps':[]}}");
    first.awaits(next, "COMPLETED");
    assertThat(ended.path("interrupted").asBoolean()).isTrue();
    assertThat(second.stored(run)).isEqualTo(told).doesNotContain("step_complete", "complete");
    assertThat(second.get("/api/agent/runs/" + run + "/files").body()).isEmpty();
  }

  @Test
  void aCommandUnderWayWhenItsProcessDiesEndsWithItAndIsNotRepeatedUnasked() {
    var run = person.start(sleeping("ask-for-approval", "sleep 287.25"));
    approveStep(run);
    await().atMost(SOON).until(() -> alive("sleep 287.25"));

    kill();

    var ended = person.awaits(run, "FAILED");
    assertThat(ended.path("interrupted").asBoolean()).isTrue();
    await().atMost(SOON).until(() -> !alive("sleep 287.25"));
    var receipts = person.get("/api/agent/runs/" + run + "/receipts").body();
    assertThat(receipts).hasSize(1);
    assertThat(receipts.path(0).path("state").asText()).isEqualTo("unknown");

    var resumed = person.post("/api/agent/runs/" + run + "/resume", "");
    assertThat(resumed.status()).as("%s", resumed).isEqualTo(200);
    var again = resumed.text("runId");
    var plan = person.awaits(again, "AWAITING_PLAN_APPROVAL").path("pendingGate");
    assertThat(plan.path("alreadyDone").path(0).path("state").asText()).isEqualTo("unknown");
    person.post("/api/agent/" + again + "/approve", "");
    var step = person.awaits(again, "AWAITING_STEP_APPROVAL").path("pendingGate");
    assertThat(step.path("alreadyDone").path(0).path("invocationId"))
        .isEqualTo(receipts.path(0).path("invocationId"));
    person.post("/api/agent/" + again + "/approve", "{'decision':'reject'}");
    person.awaits(again, "FAILED");
    assertThat(person.get("/api/agent/runs/" + again + "/receipts").body()).isEmpty();
    assertThat(alive("sleep 287.25")).isFalse();
  }

  @Test
  void aRunWhoseProcessWasKilledGoesOnWhereItWasThroughTheOtherOne() throws Exception {
    var first = Person.at(system.port("agent-runtime"), system);
    var run =
        first.start(
            """
            {'config':{'permissionMode':'full-access'},'workflow':{'goal':'survive','steps':[
              {'toolName':'write_file','args':{'path':'kept.txt','content':'x'}},
              {'toolName':'delay','args':{'ms':60000},'dependsOn':[0]},
              {'toolName':'glob','args':{'pattern':'*.txt'},'dependsOn':[1]}]}}""");
    await().atMost(SOON).until(() -> states(run).contains("RUNNING"));

    signal("KILL", system.pid("agent-runtime"));

    assertThat(person.awaits(run, "FAILED").path("interrupted").asBoolean()).isTrue();
    assertThat(states(run)).containsExactly("COMPLETED", "FAILED", "PENDING");
    var again = person.post("/api/agent/runs/" + run + "/resume", "").text("runId");
    var plan = person.awaits(again, "AWAITING_PLAN_APPROVAL").path("pendingGate").path("plan");
    var shorter = (ObjectNode) plan.deepCopy();
    ((ObjectNode) shorter.at("/steps/1/args")).put("ms", 1);
    person.post("/api/agent/" + again + "/approve", shorter.toString());
    var done = person.awaits(again, "COMPLETED");
    assertThat(states(again)).containsOnly("COMPLETED");
    assertThat(done.at("/executions/0/inheritedFrom").asText()).isEqualTo(run);
    assertThat(done.at("/executions/2/result").asText()).contains("kept.txt");
    assertThat(person.get("/api/agent/runs/" + again + "/receipts").body()).isEmpty();
    await().atMost(SOON).ignoreExceptions().until(() -> ready(0));
  }

  private static List<String> states(String run) {
    return person.detail(run).path("executions").findValuesAsText("status");
  }

  private static String sleeping(String mode, String... commands) {
    var steps =
        Stream.of(commands)
            .map(
                command ->
                    "{'toolName':'execute_command','args':{'command':'%s','timeoutSeconds':300}}"
                        .formatted(command))
            .collect(Collectors.joining(","));
    return "{'config':{'permissionMode':'%s'},'workflow':{'goal':'sleep','steps':[%s]}}"
        .formatted(mode, steps);
  }

  private static boolean alive(String command) {
    return ProcessHandle.allProcesses()
        .map(process -> process.info().commandLine().orElse(""))
        .anyMatch(line -> line.endsWith(command));
  }

  @Test
  void aStopIsConfirmedOnlyWhenEveryBranchHasEnded() {
    var stubborn = "trap : TERM; sleep 288.25; sleep 288.5";
    var run = person.start(sleeping("full-access", stubborn, "sleep 289.25"));
    await().atMost(SOON).until(() -> alive("sleep 288.25") && alive("sleep 289.25"));

    var asked =
        person.post("/api/agent/cancel", "{'cancel_request_id':'c-two','run_id':'" + run + "'}");
    assertThat(asked.status()).isEqualTo(202);
    assertThat(asked.body().path("branches")).hasSizeGreaterThanOrEqualTo(2);
    var state =
        await()
            .atMost(SOON)
            .until(
                () -> person.get("/api/agent/cancel/c-two"),
                reply -> reply.text("cancel_status").equals("confirmed"));

    assertThat(alive("sleep 288.25") || alive("sleep 288.5") || alive("sleep 289.25")).isFalse();
    assertThat(state.body().path("branches").findValuesAsText("state")).containsOnly("ended");
    assertThat(state.body().path("branches").findValuesAsText("kind")).contains("process");
    assertThat(state.body().path("terminal_persisted").asBoolean()).isTrue();
    assertThat(person.stored(run)).doesNotContain("complete").endsWith("error");
  }

  @Test
  void aProcessThatDiesWhileItStopsARunLeavesAStopThatIsTrue() {
    var run = person.start(sleeping("full-access", "trap : TERM; sleep 290.25; sleep 290.5"));
    await().atMost(SOON).until(() -> alive("sleep 290.25"));
    var asked = person.post("/api/agent/" + run + "/cancel", "");
    assertThat(asked.status()).isEqualTo(200);

    kill();

    // It did not stop as it was asked to, and nobody saw how the command ended.
    var ended = person.awaits(run, "FAILED");
    assertThat(ended.path("interrupted").asBoolean()).isTrue();
    assertThat(
            person
                .get("/api/agent/runs/" + run + "/receipts")
                .body()
                .path(0)
                .path("state")
                .asText())
        .isEqualTo("unknown");
    assertThat(ended.path("cancel_status").asText()).isEqualTo("confirmed");
    assertThat(alive("sleep 290.25") || alive("sleep 290.5")).isFalse();
    assertThat(person.stored(run)).doesNotContain("complete").endsWith("error");
  }

  @Test
  void aStopWhileTheModelThinksEndsTheRequestToItsProvider() {
    MODEL.next(Answer.stream().text("{\"steps\"").hang());
    var run = person.start("{'goal':'think for ever'}");
    assertThat(person.watchUntil(run, "plan_token")).isNotEmpty();

    assertThat(person.post("/api/agent/" + run + "/cancel", "").status()).isEqualTo(200);

    var ended = person.awaits(run, "CANCELLED");
    MODEL.requests().getFirst().awaitClosed();
    assertThat(ended.path("cancel_status").asText()).isEqualTo("confirmed");
    assertThat(person.stored(run)).doesNotContain("complete", "plan_ready").endsWith("error");
  }

  private static void signal(String name, long pid) throws Exception {
    var done = new ProcessBuilder("kill", "-" + name, Long.toString(pid)).start().waitFor();
    assertThat(done).isZero();
  }

  /** Ends all executing processes at once and waits until others are in their place. */
  private static void kill() {
    var before = EXECUTORS.stream().map(system::pid).toList();
    before.forEach(pid -> ProcessHandle.of(pid).orElseThrow().destroyForcibly());
    await()
        .atMost(SOON)
        .ignoreExceptions()
        .until(
            () ->
                IntStream.range(0, 2)
                    .allMatch(i -> system.pid(EXECUTORS.get(i)) != before.get(i) && ready(i)));
  }

  private static boolean ready(int executor) {
    return Http.get(system.port(EXECUTORS.get(executor)), "/q/health/ready") == 200;
  }

  private static <T> List<T> together(int times, Callable<T> call) throws Exception {
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      var all = IntStream.range(0, times).mapToObj(i -> threads.submit(call)).toList();
      var results = new ArrayList<T>();
      for (var each : all) {
        results.add(each.get());
      }
      return results;
    }
  }
}
