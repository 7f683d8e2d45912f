package io.fengyu.agent.run;

import static io.restassured.RestAssured.given;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.hamcrest.Matchers.empty;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.hasSize;
import static org.hamcrest.Matchers.notNullValue;
import static org.hamcrest.Matchers.nullValue;

import io.fengyu.agent.run.InboxReader.Frame;
import io.fengyu.contract.testing.PostgresResource;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.path.json.JsonPath;
import io.restassured.response.ValidatableResponse;
import io.vertx.mutiny.sqlclient.Pool;
import io.vertx.mutiny.sqlclient.Tuple;
import jakarta.inject.Inject;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

@QuarkusTest
class InboxStoryTest {

  private static final String ASKS =
      "{'goal':'%s','workflow':{'steps':[{'toolName':'test_note','args':{'n':1,'password':'x'},"
          + "'description':'Note it'}]}}";

  private static final String OF_ANOTHER_PROCESS =
      """
      WITH made AS (
        INSERT INTO agent.run (id, owner, goal, status, config, sandbox_profile, executor)
        SELECT gen_random_uuid(), $1, 'elsewhere', 'EXECUTING', '{}', 'sandboxed', gen_random_uuid()
          FROM generate_series(1, $2)
        RETURNING id)
      SELECT id FROM made""";

  private static final String PAUSE =
      """
      UPDATE agent.run
         SET status = 'AWAITING_STEP_APPROVAL', gate_id = 'g-1-' || id, executor = NULL,
             pending_gate = '{"toolName":"test_note","kind":"step"}'
       WHERE id = ANY ($1::uuid[])""";

  @Inject Pool pool;

  private final RunClient alice = RunClient.alice();
  private final List<InboxReader> readers = new ArrayList<>();

  /** An inbox of its own for each test. */
  private final String owner = "inbox-" + UUID.randomUUID().toString().substring(0, 8);

  @BeforeEach
  void nobodyElseWaits() {
    execute("UPDATE agent.run SET gate_id = NULL, status = 'CANCELLED' WHERE gate_id IS NOT NULL");
  }

  @AfterEach
  void close() {
    readers.forEach(InboxReader::close);
  }

  private void execute(String sql, Object... values) {
    pool.preparedQuery(sql)
        .execute(Tuple.wrap(new ArrayList<>(List.of(values))))
        .await()
        .atMost(Duration.ofSeconds(20));
  }

  private InboxReader watch(@Nullable String cursor) {
    var reader = InboxReader.open(PostgresResource.ALICE_TOKEN, cursor);
    readers.add(reader);
    return reader;
  }

  private String asks(String goal) {
    var runId = alice.start(ASKS.formatted(goal));
    alice.gate(runId);
    return runId;
  }

  private static String gateOf(String runId) {
    return "g-1-" + runId;
  }

  private ValidatableResponse decide(String gate, String body) {
    return alice.post("/approvals/" + gate, body);
  }

  /** As another service sees the owner of this test. */
  private io.restassured.response.Response list(String query) {
    return given()
        .header("X-Internal-Secret", PostgresResource.INTERNAL_SECRET)
        .header("X-User-ID", owner)
        .get("/api/agent/approvals" + query);
  }

  private UUID[] pausedElsewhere(String owner, int many) {
    var ids = new ArrayList<UUID>();
    pool.preparedQuery(OF_ANOTHER_PROCESS)
        .execute(Tuple.of(owner, many))
        .await()
        .atMost(Duration.ofSeconds(20))
        .forEach(row -> ids.add(row.getUUID(0)));
    var runs = ids.toArray(UUID[]::new);
    pool.preparedQuery(PAUSE)
        .execute(Tuple.tuple().addArrayOfUUID(runs))
        .await()
        .atMost(Duration.ofSeconds(20));
    return runs;
  }

  @Test
  void openGatesAreListedOldestFirstWithWhatADecisionNeeds() {
    var first = asks("first");
    var second = alice.start("{'config':{'requirePlanApproval':true}," + ASKS.substring(1));
    alice.gate(second);

    alice
        .get("/approvals")
        .statusCode(200)
        .body("", hasSize(2))
        .body("[0].gateId", equalTo(gateOf(first)))
        .body("[0].kind", equalTo("step"))
        .body("[0].source", equalTo("run"))
        .body("[0].runId", equalTo(first))
        .body("[0].title", equalTo("Note it"))
        .body("[0].tool", equalTo("test_note"))
        .body("[0].effect", notNullValue())
        .body("[0].args", equalTo(Map.of("n", 1, "password", "***")))
        .body("[0].alreadyDone", empty())
        .body("[0].openedAt", notNullValue())
        .body("[0].expiresAt", nullValue())
        .body("[1].kind", equalTo("plan"))
        .body("[1].runId", equalTo(second))
        .body("[1].tool", nullValue());
    alice
        .get("/approvals?limit=1")
        .body("", hasSize(1))
        .header("X-Next-Cursor", notNullValue())
        .header("Link", notNullValue());
    RunClient.bob().get("/approvals").statusCode(200).body("", empty());
  }

  @Test
  void theIdOfAGateIsTheSameEverywhere() {
    var runId = asks("same");

    assertThat(alice.gate(runId).path("gateId").asText()).isEqualTo(gateOf(runId));
    alice.detail(runId).body("pendingGate.gateId", equalTo(gateOf(runId)));
  }

  @Test
  void aDecisionFromTheInboxIsADecisionAboutTheRun() {
    var runId = asks("approved");

    decide(gateOf(runId), "{'decision':'approve'}")
        .statusCode(200)
        .body("ok", equalTo(true))
        .body("already", nullValue())
        .body("gateId", equalTo(gateOf(runId)))
        .body("runId", equalTo(runId))
        .body("execution_generation", equalTo(2));

    assertThat(alice.end(runId).type()).isEqualTo("complete");
    decide(gateOf(runId), "{'decision':'approve'}").statusCode(200).body("already", equalTo(true));
    decide(gateOf(runId), "{'decision':'reject'}")
        .statusCode(409)
        .body("code", equalTo("STALE_APPROVAL"));
    alice.get("/approvals").body("", empty());
  }

  @Test
  void aCallRunsWithTheArgumentsOfTheDecisionOrNotAtAll() {
    var changed = asks("changed");
    var refused = asks("refused");

    decide(gateOf(changed), "{'decision':'modify','patched_args':{'n':2}}").statusCode(200);
    decide(gateOf(refused), "{'decision':'reject'}").statusCode(200);

    alice.watch(changed);
    assertThat(StoryTools.calls(changed).toString()).contains("2").doesNotContain("password");
    assertThat(alice.end(refused).type()).isEqualTo("error");
    assertThat(StoryTools.calls(refused)).isEmpty();
  }

  @Test
  void whatIsNoDecisionApprovesNothing() {
    var runId = asks("careful");

    for (var body : List.of("", "{}", "[]", "{'decision':null}", "{'steps':[]}")) {
      decide(gateOf(runId), body).statusCode(400).body("code", equalTo("DECISION_MISSING"));
    }
    decide(gateOf(runId), "{'decision':'maybe'}").statusCode(400);
    alice.detail(runId).body("status", equalTo("AWAITING_STEP_APPROVAL"));
  }

  @Test
  void aForeignGateIsLikeNone() {
    var runId = asks("mine");
    var body = "{'decision':'approve'}";

    for (var gate :
        List.of(gateOf(runId), gateOf(UUID.randomUUID().toString()), "g-1", "nonsense")) {
      RunClient.bob()
          .post("/approvals/" + gate, body)
          .statusCode(404)
          .body("code", equalTo("GATE_NOT_FOUND"))
          .body("params.gateId", equalTo(gate));
    }
    alice.detail(runId).body("status", equalTo("AWAITING_STEP_APPROVAL"));
  }

  @Test
  void aReaderFirstSeesWhatIsOpenAndThenWhatHappens() {
    var before = asks("before");
    var inbox = watch(null);

    assertThat(inbox.next().type()).isEqualTo("snapshot");
    assertThat(inbox.next("opened", gateOf(before)).id()).isEmpty();
    var ready = inbox.next();
    assertThat(ready.type()).isEqualTo("ready");
    assertThat(ready.id()).isEqualTo(ready.data().path("cursor").asText());

    var after = asks("after");
    var opened = inbox.next();
    assertThat(opened.type()).isEqualTo("opened");
    assertThat(opened.gate()).isEqualTo(gateOf(after));
    assertThat(opened.data().path("tool").asText()).isEqualTo("test_note");
    alice.cancel(after);
    decide(gateOf(before), "{'decision':'approve'}").statusCode(200);

    var cancelled = inbox.next("closed", gateOf(after));
    assertThat(cancelled.data().path("outcome").asText()).isEqualTo("cancelled");
    var approved = inbox.next("closed", gateOf(before));
    assertThat(approved.data().path("outcome").asText()).isEqualTo("approve");
  }

  @Test
  void aReaderGoesOnBehindItsCursorWithoutAHole() {
    var cursor = watch(null).next(frame -> frame.type().equals("ready")).id();
    var one = asks("one");
    var two = asks("two");
    alice.cancel(one).statusCode(200);

    var frames = new ArrayList<Frame>();
    try (var again = InboxReader.open(PostgresResource.ALICE_TOKEN, cursor)) {
      for (var i = 0; i < 3; i++) {
        frames.add(again.next());
      }
    }

    var first = Long.parseLong(cursor) + 1;
    assertThat(frames)
        .extracting(Frame::id)
        .containsExactly("" + first, "" + (first + 1), "" + (first + 2));
    assertThat(frames).extracting(Frame::type).containsExactly("opened", "opened", "closed");
    assertThat(frames)
        .extracting(Frame::gate)
        .containsExactly(gateOf(one), gateOf(two), gateOf(one));
    assertThat(watch("" + (first + 1)).next().gate()).isEqualTo(gateOf(one));
  }

  @Test
  void aCursorThatIsNotKeptBeginsAnew() {
    var open = asks("open");

    for (var cursor : List.of("999999999", "-7", "x")) {
      var inbox = watch(cursor);
      assertThat(inbox.next().type()).isEqualTo("snapshot");
      assertThat(inbox.next().gate()).isEqualTo(gateOf(open));
    }
  }

  @Test
  void aGateThatAnotherProcessOpensReachesReadersHere() {
    var inbox = watch(null);
    inbox.next(frame -> frame.type().equals("ready"));

    var run = pausedElsewhere("alice", 1)[0];

    var opened = inbox.next();
    assertThat(opened.gate()).isEqualTo(gateOf(run.toString()));
    assertThat(opened.data().path("title").asText()).isEqualTo("test_note");
  }

  @Test
  void openGatesAreCountedInTheMetrics() {
    asks("counted");
    pausedElsewhere(owner, 2);

    await().atMost(Duration.ofSeconds(15)).until(() -> metric("fengyu_approvals_pending") == 3);
  }

  private static double metric(String name) {
    return given()
        .get("/q/metrics")
        .asString()
        .lines()
        .filter(line -> line.startsWith(name))
        .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1)))
        .sum();
  }

  @Test
  void aTicketOpensOneStreamAndATokenInTheAddressNone() {
    String ticket =
        alice.post("/approvals/stream-ticket", "").statusCode(200).extract().path("ticket");
    var base = io.restassured.RestAssured.baseURI + ":" + io.restassured.RestAssured.port;
    var url = base + "/api/agent/approvals/stream?";

    var inbox = InboxReader.open(url + "ticket=" + ticket, "", null);
    readers.add(inbox);
    assertThat(inbox.next().type()).isEqualTo("snapshot");
    given().get(url + "ticket=" + ticket).then().statusCode(401);
    given().get(url + "token=" + PostgresResource.ALICE_TOKEN).then().statusCode(401);
    given().get(url + "after_seq=0").then().statusCode(401);
  }

  @Test
  void aThousandOpenGatesAreListedPageByPageFromTheirIndex() {
    pausedElsewhere(owner, 1000);
    pausedElsewhere(owner + "-other", 1000);
    execute("ANALYZE agent.run");

    var seen = new ArrayList<String>();
    var cursor = "";
    var begun = System.nanoTime();
    do {
      var page = list("?limit=300" + (cursor.isEmpty() ? "" : "&cursor=" + cursor));
      seen.addAll(new JsonPath(page.asString()).getList("gateId"));
      cursor = page.header("X-Next-Cursor") == null ? "" : page.header("X-Next-Cursor");
    } while (!cursor.isEmpty());

    assertThat(Duration.ofNanos(System.nanoTime() - begun)).isLessThan(Duration.ofSeconds(5));
    assertThat(seen).hasSize(1000).doesNotHaveDuplicates();
    assertThat(plan()).contains("run_open_gate").doesNotContain("Seq Scan");
  }

  private String plan() {
    var plan = new StringBuilder();
    pool.query(
            """
            EXPLAIN SELECT r.id FROM agent.run r
             WHERE r.owner = '%s' AND r.gate_id IS NOT NULL AND r.gate_opened_at >= 'epoch'
               AND (r.gate_opened_at > 'epoch' OR r.id::text > '')
             ORDER BY r.gate_opened_at, r.id
             LIMIT 300"""
                .formatted(owner))
        .execute()
        .await()
        .atMost(Duration.ofSeconds(10))
        .forEach(row -> plan.append(row.getString(0)).append('\n'));
    return plan.toString();
  }
}
