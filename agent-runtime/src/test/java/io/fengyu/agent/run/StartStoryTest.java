package io.fengyu.agent.run;

import static io.restassured.RestAssured.given;
import static org.assertj.core.api.Assertions.assertThat;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.hasSize;
import static org.hamcrest.Matchers.not;
import static org.hamcrest.Matchers.nullValue;

import io.fengyu.contract.testing.PostgresResource;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.response.Response;
import io.vertx.mutiny.sqlclient.Pool;
import io.vertx.mutiny.sqlclient.Tuple;
import jakarta.inject.Inject;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

@QuarkusTest
class StartStoryTest {

  @Inject Pool pool;

  private final RunClient alice = RunClient.alice();
  private final String key = "key-" + UUID.randomUUID();
  private final String goal = "goal-" + key;
  private final String body = "{'goal':'" + goal + "','workflow':{'steps':[]}}";

  private static Response start(String token, String path, String key, String body) {
    return given()
        .header("X-FengYu-Token", token)
        .header("Idempotency-Key", key)
        .contentType("application/json")
        .body(body.replace('\'', '"'))
        .post("/api/agent" + path);
  }

  private static Response start(String path, String key, String body) {
    return start(PostgresResource.ALICE_TOKEN, path, key, body);
  }

  private static Response operation(String id, String body) {
    return given()
        .header("X-Internal-Secret", PostgresResource.INTERNAL_SECRET)
        .header("X-User-ID", "alice")
        .header("X-Operation-ID", id)
        .contentType("application/json")
        .body(body.replace('\'', '"'))
        .post("/api/agent/run");
  }

  private static List<Response> atOnce(int many, java.util.function.Supplier<Response> call) {
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      return IntStream.range(0, many)
          .mapToObj(i -> CompletableFuture.supplyAsync(call, threads))
          .toList()
          .stream()
          .map(CompletableFuture::join)
          .toList();
    }
  }

  @Test
  void aHundredStartsWithOneKeyAreOneRunAndOneAnswer() {
    var answers = atOnce(100, () -> start("/run", key, body));

    assertThat(answers).extracting(Response::statusCode).containsOnly(200);
    assertThat(answers.stream().map(Response::asString).distinct()).hasSize(1);
    assertThat(answers.stream().filter(a -> "true".equals(a.header("Idempotent-Replayed"))))
        .hasSize(99);
    alice.get("/runs?q=" + goal).body("", hasSize(1));
  }

  @Test
  void theFirstAnswerStaysTheAnswerWhateverBecameOfTheRun() {
    var first = start("/run", key, body);
    alice.watch(first.path("runId"));

    var again = start("/run", key, "{'workflow':{'steps':[]},  'goal':'" + goal + "'}");

    assertThat(again.asString()).isEqualTo(first.asString());
    assertThat(again.contentType()).isEqualTo(first.contentType());
    again.then().statusCode(200).header("Idempotent-Replayed", "true");
    first.then().header("Idempotent-Replayed", nullValue());
  }

  @Test
  void aKeyStandsForOneContentOfOneOwnerAtOneAddress() {
    String run = start("/run", key, body).then().statusCode(200).extract().path("runId");

    start("/run", key, body.replace("'steps'", "'x':1,'steps'"))
        .then()
        .statusCode(409)
        .body("code", equalTo("START_IDEMPOTENCY_CONFLICT"))
        .body("params.idempotencyKey", equalTo(key));
    start(PostgresResource.BOB_TOKEN, "/run", key, body)
        .then()
        .statusCode(200)
        .header("Idempotent-Replayed", nullValue())
        .body("runId", not(equalTo(run)));
    start("/batch", key, "{'goals':['" + goal + "']}").then().statusCode(not(409));
  }

  @Test
  void aKeyHasUpToTwoHundredCharacters() {
    start("/run", key + "x".repeat(200 - key.length()), body).then().statusCode(200);

    start("/run", "x".repeat(201), body)
        .then()
        .statusCode(400)
        .body("code", equalTo("IDEMPOTENCY_KEY_INVALID"))
        .body("params.max", equalTo(200));
  }

  @Test
  void aRefusalIsNotRemembered() {
    var refused = "{'files':[{'name':'x'}],'goal':'" + goal + "','workflow':{'steps':[]}}";
    start("/run", key, refused).then().statusCode(400);

    start("/run", key, refused).then().statusCode(400).header("Idempotent-Replayed", nullValue());
    start("/run", key, body).then().statusCode(200);
  }

  @Test
  void aKeyWhoseHolderDiedIsTakenOver() {
    start("/run", key, body).then().statusCode(200);
    var orphaned =
        """
        UPDATE agent.start_claim
           SET status = NULL, answer = NULL, subject = NULL,
               claimed_at = now() - interval '1 minute'
         WHERE key_digest = sha256(convert_to($1, 'UTF8'))""";
    pool.preparedQuery(orphaned).execute(Tuple.of(key)).await().atMost(Duration.ofSeconds(10));

    start("/run", key, body).then().statusCode(200).header("Idempotent-Replayed", nullValue());
    start("/run", key, body).then().statusCode(200).header("Idempotent-Replayed", "true");
    alice.get("/runs?q=" + goal).body("", hasSize(2));
  }

  @Test
  void aStartIdInsideARepeatedCallIsTheSameStart() {
    var withId = body.replaceFirst("\\{", "{'start_request_id':'" + key + "',");
    String run = start("/run", key, withId).then().statusCode(200).extract().path("runId");

    start("/run", key, withId).then().body("replayed", equalTo(false)).body("runId", equalTo(run));
    alice
        .post("/run", withId)
        .header("Idempotent-Replayed", nullValue())
        .body("replayed", equalTo(true))
        .body("runId", equalTo(run));
    start("/run", key + "-2", withId).then().body("replayed", equalTo(true));
    alice.get("/runs?q=" + goal).body("", hasSize(1));
  }

  @Test
  void anOperationOfAnotherServiceIsOneStartWhateverItSays() {
    String run = operation(key, body).then().statusCode(200).extract().path("runId");

    operation(key, body.replace(goal, goal + " again"))
        .then()
        .statusCode(200)
        .header("Idempotent-Replayed", "true")
        .body("runId", equalTo(run));
    operation(key + "-2", body).then().body("runId", not(equalTo(run)));
  }

  @Test
  void noKeyIsKeptAsItCame() {
    start("/run", key, body).then().statusCode(200);
    var rows =
        pool.query("SELECT c::text FROM agent.start_claim c")
            .execute()
            .await()
            .atMost(Duration.ofSeconds(10));

    rows.forEach(row -> assertThat(row.getString(0)).doesNotContain(key));
  }
}
