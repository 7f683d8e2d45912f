package io.fengyu.agent.process;

import static io.restassured.RestAssured.given;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.hasSize;
import static org.hamcrest.Matchers.not;

import io.fengyu.agent.run.InboxReader;
import io.fengyu.contract.testing.PostgresResource;
import io.fengyu.contract.testing.PostgresServer;
import io.restassured.response.Response;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.io.TempDir;

/** Two processes over one database answer starts and decisions as one: a story in order. */
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class StartsOnReplicasIT {

  private static final Duration SOON = Duration.ofSeconds(60);
  private static final String ROLE = "pair";
  private static final String KEY = "key-" + UUID.randomUUID();
  private static final String ID = "id-" + UUID.randomUUID();
  private static final String ASKS =
      """
      {"goal": "%s", "start_request_id": "%s",
       "workflow": {"steps": [{"toolName": "write_file", "args": {"path": "a", "content": "b"}}]}}""";

  @TempDir static Path folder;

  private static PackagedService one;
  private static PackagedService two;
  private static String run = "";
  private static String answer = "";

  @BeforeAll
  static void start() throws IOException, SQLException {
    try (var connection = PostgresServer.shared().connect();
        var statement = connection.createStatement()) {
      statement.execute(
          "CREATE ROLE %s LOGIN PASSWORD '%s'".formatted(ROLE, PostgresResource.PASSWORD));
      statement.execute("CREATE DATABASE %1$s OWNER %1$s".formatted(ROLE));
    }
    one = begin();
    two = begin();
  }

  @AfterAll
  static void stop() {
    one.close();
    two.close();
  }

  private static PackagedService begin() throws IOException {
    var environment = PackagedService.environment(folder, ROLE, ROLE);
    environment.put("FENGYU_TOKENS", "erin:tok-erin");
    environment.put("AGENT_RUN_CANCEL_ENABLED", "true");
    var begun = PackagedService.start(folder, environment);
    await()
        .atMost(SOON)
        .ignoreExceptions()
        .until(() -> given().get(begun.url("/q/health/ready")).statusCode() == 200);
    return begun;
  }

  private static Response start(PackagedService at, String token, String key, String body) {
    return given()
        .header("X-FengYu-Token", token)
        .header("Idempotency-Key", key)
        .contentType("application/json")
        .body(body)
        .post(at.url("/api/agent/run"));
  }

  private static Response start(PackagedService at, String body) {
    return start(at, PostgresResource.ADMIN_TOKEN, KEY, body);
  }

  private static Response withId(PackagedService at, String id, String goal) {
    return given()
        .header("X-FengYu-Token", PostgresResource.ADMIN_TOKEN)
        .contentType("application/json")
        .body(ASKS.formatted(goal, id))
        .post(at.url("/api/agent/run"));
  }

  private static void oneRun(String goal) {
    given()
        .header("X-FengYu-Token", PostgresResource.ADMIN_TOKEN)
        .get(one.url("/api/agent/runs?q=" + goal))
        .then()
        .statusCode(200)
        .body("", hasSize(1));
  }

  private static Response result(Future<Response> call) {
    assertThat(call).succeedsWithin(SOON);
    return call.resultNow();
  }

  private interface Call {
    Response at(PackagedService service);
  }

  private static java.util.List<Response> hundred(Call call) {
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      return IntStream.range(0, 100)
          .mapToObj(i -> threads.submit(() -> call.at(i % 2 == 0 ? one : two)))
          .toList()
          .stream()
          .map(StartsOnReplicasIT::result)
          .toList();
    }
  }

  @Test
  @Order(1)
  void aHundredStartsWithOneKeyAtBothAreOneRun() {
    var body = ASKS.formatted("keyed", "inside-" + KEY);

    var answers = hundred(at -> start(at, body));

    assertThat(answers).extracting(Response::statusCode).containsOnly(200);
    assertThat(answers.stream().map(Response::asString).distinct()).hasSize(1);
    assertThat(answers.stream().filter(a -> a.header("Idempotent-Replayed") == null)).hasSize(1);
    answer = answers.getFirst().asString();
    run = answers.getFirst().path("runId");
    oneRun("keyed");
  }

  @Test
  @Order(1)
  void aHundredStartsWithOneIdAtBothAreOneRun() {
    var answers = hundred(at -> withId(at, ID, "identified"));

    assertThat(answers).extracting(Response::statusCode).containsOnly(200);
    assertThat(answers.stream().map(a -> a.<String>path("runId")).distinct()).hasSize(1);
    assertThat(answers.stream().filter(a -> !a.<Boolean>path("replayed"))).hasSize(1);
    oneRun("identified");
  }

  @Test
  @Order(2)
  void theAnswerStaysTheSameWhenBothWereKilled() throws Exception {
    one.process().destroyForcibly().waitFor();
    two.process().destroyForcibly().waitFor();
    one = begin();
    two = begin();

    var again = start(two, ASKS.formatted("keyed", "inside-" + KEY));

    again.then().statusCode(200).header("Idempotent-Replayed", "true");
    assertThat(again.asString()).isEqualTo(answer);
    withId(one, ID, "identified").then().statusCode(200).body("replayed", equalTo(true));
    oneRun("keyed");
    oneRun("identified");
  }

  @Test
  @Order(3)
  void otherContentIsAConflictAndAnotherOwnerIsNobodysConcern() {
    start(two, ASKS.formatted("something else", "inside-" + KEY))
        .then()
        .statusCode(409)
        .body("code", equalTo("START_IDEMPOTENCY_CONFLICT"));
    start(one, "tok-erin", KEY, ASKS.formatted("keyed", "inside-" + KEY))
        .then()
        .statusCode(200)
        .body("runId", not(equalTo(run)));
  }

  @Test
  @Order(4)
  void aGateOpenedByOneProcessReachesAReaderOfTheOtherAndIsDecidedThere() throws Exception {
    var url = "/api/agent/approvals/stream";
    var cursor = "";
    String first;
    try (var inbox = InboxReader.open(two.url(url), PostgresResource.ADMIN_TOKEN, null)) {
      inbox.next(frame -> frame.type().equals("ready"));
      first = withId(one, "gate-1" + KEY, "gated").then().extract().path("runId");
      var opened = inbox.next(frame -> frame.data().path("runId").asText().equals(first));
      assertThat(opened.type()).isEqualTo("opened");
      cursor = opened.id();
      decide(two, opened.gate(), "approve").then().statusCode(200);
      var closed = inbox.next("closed", opened.gate());
      assertThat(closed.data().path("outcome").asText()).isEqualTo("approve");
    }

    two.process().destroyForcibly().waitFor();
    String later = withId(one, "gate-2" + KEY, "gated").then().extract().path("runId");
    two = begin();

    try (var inbox = InboxReader.open(two.url(url), PostgresResource.ADMIN_TOKEN, cursor)) {
      var numbers = Long.parseLong(cursor);
      var missed = inbox.next();
      assertThat(missed.id()).isEqualTo(Long.toString(numbers + 1));
      assertThat(missed.type()).isEqualTo("closed");
      var opened = inbox.next(frame -> frame.data().path("runId").asText().equals(later));
      assertThat(opened.id()).isEqualTo(Long.toString(numbers + 2));
      decide(one, opened.gate(), "reject").then().statusCode(200);
      decide(two, opened.gate(), "reject").then().statusCode(200).body("already", equalTo(true));
      assertThat(inbox.next("closed", opened.gate()).data().path("outcome").asText())
          .isEqualTo("reject");
    }
  }

  private static Response decide(PackagedService at, String gate, String decision) {
    return given()
        .header("X-FengYu-Token", PostgresResource.ADMIN_TOKEN)
        .contentType("application/json")
        .body("{\"decision\":\"" + decision + "\"}")
        .post(at.url("/api/agent/approvals/" + gate));
  }
}
