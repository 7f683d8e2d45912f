package io.fengyu.agent.process;

import static io.restassured.RestAssured.given;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fengyu.contract.testing.PostgresResource;
import io.fengyu.contract.testing.PostgresServer;
import io.restassured.path.json.JsonPath;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import org.awaitility.core.ConditionTimeoutException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The program is killed at every bad moment of a call; what it says afterwards is true. */
class KilledProcessIT {

  private static final Duration SOON = Duration.ofSeconds(60);
  private static final Duration BEGINS_WITHIN = Duration.ofMinutes(2);
  private static final String ROLE = "drills";

  @TempDir static Path folder;

  private static PackagedService service;

  @BeforeAll
  static void start() throws IOException, SQLException {
    try (var connection = PostgresServer.shared().connect();
        var statement = connection.createStatement()) {
      statement.execute(
          "CREATE ROLE %s LOGIN PASSWORD '%s'".formatted(ROLE, PostgresResource.PASSWORD));
      statement.execute("CREATE DATABASE %1$s OWNER %1$s".formatted(ROLE));
    }
    service = begin();
  }

  @AfterAll
  static void stop() {
    service.close();
  }

  private static PackagedService begin() throws IOException {
    var environment = PackagedService.environment(folder, ROLE, ROLE);
    environment.put("LEASE_TTL", "4s");
    environment.put("HEARTBEAT_INTERVAL", "1s");
    environment.put("AGENT_RUN_CANCEL_ENABLED", "true");
    var begun = PackagedService.start(folder, environment);
    try {
      await()
          .atMost(BEGINS_WITHIN)
          .ignoreExceptions()
          .until(() -> given().get(begun.url("/q/health/ready")).statusCode() == 200);
    } catch (ConditionTimeoutException late) {
      begun.close();
      throw new AssertionError("It does not begin: " + begun.said(), late);
    }
    return begun;
  }

  /** Ends the program without a word, and begins it anew. */
  private static void kill() throws Exception {
    service.process().destroyForcibly().waitFor();
    service = begin();
  }

  private static void signal(String name) throws Exception {
    var pid = Long.toString(service.process().pid());
    assertThat(new ProcessBuilder("kill", "-" + name, pid).start().waitFor()).isZero();
  }

  private static Connection database() throws SQLException {
    var server = PostgresServer.shared();
    return DriverManager.getConnection(
        "jdbc:postgresql://%s:%d/%s".formatted(server.host(), server.port(), ROLE),
        ROLE,
        PostgresResource.PASSWORD);
  }

  private static JsonPath post(String path, String body) {
    return given()
        .header("X-FengYu-Token", PostgresResource.ADMIN_TOKEN)
        .contentType("application/json")
        .body(body)
        .post(service.url("/api/agent" + path))
        .then()
        .statusCode(200)
        .extract()
        .jsonPath();
  }

  private static JsonPath get(String path) {
    return given()
        .header("X-FengYu-Token", PostgresResource.ADMIN_TOKEN)
        .get(service.url("/api/agent" + path))
        .then()
        .statusCode(200)
        .extract()
        .jsonPath();
  }

  private static JsonPath awaits(String run, String status) {
    return await("run " + run + " is " + status)
        .atMost(SOON)
        .ignoreExceptions()
        .until(() -> get("/runs/" + run), detail -> status.equals(detail.getString("status")));
  }

  private static String begun(String mode, String command) {
    return post("/run", plan(mode, "", command)).getString("runId");
  }

  /** Ends with a command of its own, so that what was called before is told apart. */
  private static String plan(String mode, String before, String command) {
    return """
        {"goal": "drill", "config": {"permissionMode": "%s"},
         "workflow": {"steps": [%s
           {"toolName": "execute_command", "args": {"command": "%s"}%s}]}}"""
        .formatted(mode, before, command, before.isEmpty() ? "" : ", \"dependsOn\": [0]");
  }

  private static String approvedCommand(String command) {
    var run = begun("ask-for-approval", command);
    awaits(run, "AWAITING_STEP_APPROVAL");
    post("/" + run + "/approve", "{}");
    return run;
  }

  private static Path file(String run, String name) {
    return folder.resolve("runs").resolve(run).resolve("workspace").resolve(name);
  }

  private static List<String> lines(String run, String name) throws IOException {
    var file = file(run, name);
    return Files.exists(file) ? Files.readAllLines(file) : List.of();
  }

  private static void awaitLine(String run, String name) {
    await().atMost(SOON).until(() -> lines(run, name).size() == 1);
  }

  private static void interrupted(String run) {
    var detail = awaits(run, "FAILED");
    assertThat(detail.getBoolean("interrupted")).isTrue();
    assertThat(detail.getString("error")).contains("restart");
    assertThat(detail.getBoolean("execution_stopped")).isTrue();
    await().atMost(SOON).until(() -> get("/runs/" + run).getBoolean("terminal_persisted"));
    assertThat(detail.getList("executions.status")).doesNotContain("RUNNING");
    assertThat(get("/runs/" + run + "/receipts").getList("state")).containsExactly("unknown");
  }

  /** Nothing is repeated until a person, who is shown the receipt, has agreed. */
  private static void isRepeatedKnowinglyOnly(String run, String name) throws IOException {
    var second = post("/runs/" + run + "/resume", "{}").getString("runId");
    var gate = awaits(second, "AWAITING_PLAN_APPROVAL");
    assertThat(gate.getList("pendingGate.alreadyDone.state")).containsExactly("unknown");
    assertThat(gate.getString("pendingGate.alreadyDone[0].runId")).isEqualTo(run);
    post("/" + second + "/approve", "{}");
    var step = awaits(second, "AWAITING_STEP_APPROVAL");
    assertThat(step.getString("pendingGate.alreadyDone[0].runId")).isEqualTo(run);
    assertThat(lines(run, name)).hasSize(1);

    post("/" + second + "/approve", "{\"decision\":\"reject\"}");

    awaits(second, "FAILED");
    assertThat(lines(run, name)).hasSize(1);
    assertThat(get("/runs/" + second + "/receipts").getList("")).isEmpty();
  }

  @Test
  void duringACall() throws Exception {
    var run = approvedCommand("echo x >> during.txt; sleep 12");
    awaitLine(run, "during.txt");

    kill();

    interrupted(run);
    isRepeatedKnowinglyOnly(run, "during.txt");
  }

  @Test
  void betweenTheResultAndTheJournal() throws Exception {
    var run = approvedCommand("echo x >> after.txt; sleep 1");
    awaitLine(run, "after.txt");
    try (var lock = lockedExecutors()) {
      var writer = awaitBlockedWriter(lock);

      service.process().destroyForcibly().waitFor();
      terminate(lock, writer);
      lock.commit();
    }
    service = begin();

    interrupted(run);
    assertThat(lines(run, "after.txt")).hasSize(1);
    isRepeatedKnowinglyOnly(run, "after.txt");
  }

  @Test
  void betweenTheReceiptAndTheCall() throws Exception {
    var run =
        post(
                "/run",
                plan(
                    "full-access",
                    "{\"toolName\": \"delay\", \"args\": {\"ms\": 2500}},",
                    "echo x >> before.txt"))
            .getString("runId");
    await()
        .atMost(SOON)
        .until(() -> get("/runs/" + run).getList("executions.status").contains("RUNNING"));
    try (var lock = lockedExecutors()) {
      awaitBlockedWriter(lock);
      signal("STOP");
      lock.commit();
      await().atMost(SOON).until(() -> receipts(lock, run) == 1);
    }

    kill();

    interrupted(run);
    assertThat(lines(run, "before.txt")).isEmpty();
    var second = post("/runs/" + run + "/resume", "{}").getString("runId");
    awaits(second, "AWAITING_PLAN_APPROVAL");
    post("/" + second + "/approve", "{}");
    var done = awaits(second, "COMPLETED");
    assertThat(done.getList("executions.inherited")).containsExactly(true, null);
    assertThat(lines(run, "before.txt")).hasSize(1);
    assertThat(
            done.<String>getList(
                "events.findAll { it.type == 'step_start' }.data.alreadyDone.runId.flatten()"))
        .containsExactly(run);
  }

  @Test
  void duringACancel() throws Exception {
    var run = approvedCommand("trap '' TERM; echo x >> cancel.txt; sleep 12");
    awaitLine(run, "cancel.txt");
    post("/" + run + "/cancel", "{}");

    kill();

    interrupted(run);
    var detail = get("/runs/" + run);
    assertThat(detail.getString("cancel_status")).isEqualTo("confirmed");
    assertThat(detail.getList("events.type")).doesNotContain("complete");
    isRepeatedKnowinglyOnly(run, "cancel.txt");
  }

  @Test
  void atAGate() throws Exception {
    var run = begun("ask-for-approval", "echo x >> gate.txt");
    awaits(run, "AWAITING_STEP_APPROVAL");
    refusesToResume(run);

    kill();

    assertThat(get("/runs/" + run).getString("status")).isEqualTo("AWAITING_STEP_APPROVAL");
    var second =
        await()
            .atMost(SOON)
            .ignoreExceptionsMatching(AssertionError.class::isInstance)
            .until(() -> post("/runs/" + run + "/resume", "{}").getString("runId"), id -> true);
    var old = get("/runs/" + run);
    assertThat(old.getString("status")).isEqualTo("CANCELLED");
    assertThat(old.getString("cancel_status")).isEqualTo("confirmed");
    awaits(second, "AWAITING_PLAN_APPROVAL");
    post("/" + second + "/approve", "{}");
    awaits(second, "AWAITING_STEP_APPROVAL");
    post("/" + second + "/approve", "{}");
    awaits(second, "COMPLETED");
    assertThat(lines(run, "gate.txt")).hasSize(1);
  }

  private static void refusesToResume(String run) {
    given()
        .header("X-FengYu-Token", PostgresResource.ADMIN_TOKEN)
        .post(service.url("/api/agent/runs/" + run + "/resume"))
        .then()
        .statusCode(409);
  }

  /** Nothing can be written to a journal until this transaction ends. */
  private static Connection lockedExecutors() throws SQLException {
    var connection = database();
    connection.setAutoCommit(false);
    try (var statement = connection.createStatement()) {
      statement.execute("SELECT id FROM agent.executor FOR UPDATE");
    }
    return connection;
  }

  private static int awaitBlockedWriter(Connection lock) {
    return await().atMost(SOON).until(() -> blockedWriter(lock), pid -> pid > 0);
  }

  private static int blockedWriter(Connection lock) throws SQLException {
    return number(
        lock,
        "SELECT coalesce(max(pid), 0) FROM pg_stat_activity WHERE wait_event_type = 'Lock'"
            + " AND query LIKE '%INSERT INTO agent.run_event%' AND datname = current_database()");
  }

  private static int receipts(Connection lock, String run) throws SQLException {
    return number(
        lock,
        "SELECT count(*)::int FROM agent.receipt WHERE run_id = '" + UUID.fromString(run) + "'");
  }

  private static int number(Connection connection, String query) throws SQLException {
    try (var statement = connection.createStatement();
        var rows = statement.executeQuery(query)) {
      rows.next();
      return rows.getInt(1);
    }
  }

  private static void terminate(Connection lock, int pid) throws SQLException {
    try (var statement = lock.createStatement()) {
      statement.execute("SELECT pg_terminate_backend(" + pid + ")");
    }
  }
}
