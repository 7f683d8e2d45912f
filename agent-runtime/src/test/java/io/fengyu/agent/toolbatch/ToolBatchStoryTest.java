package io.fengyu.agent.toolbatch;

import static io.restassured.RestAssured.given;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.hamcrest.Matchers.contains;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.hasItem;
import static org.hamcrest.Matchers.hasSize;
import static org.hamcrest.Matchers.notNullValue;
import static org.hamcrest.Matchers.nullValue;

import io.fengyu.agent.journal.Change.ReceiptState;
import io.fengyu.contract.testing.PostgresResource;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.response.ValidatableResponse;
import io.vertx.mutiny.sqlclient.Pool;
import io.vertx.mutiny.sqlclient.Tuple;
import jakarta.inject.Inject;
import java.time.Duration;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

@QuarkusTest
class ToolBatchStoryTest {

  @Inject BatchReceipts receipts;
  @Inject Pool pool;

  @BeforeEach
  void forget() {
    BatchTools.CALLS.clear();
  }

  @Test
  void aFailedCallBlocksWhatDependsOnItAndNothingElse() {
    alice(
            "'permissionMode':'full-access','calls':["
                + "{'id':'c1','name':'batch_load','arguments':{'dataset_id':'7','fail':true}},"
                + "{'id':'c2','name':'batch_degree','arguments':{}},"
                + "{'id':'c3','name':'echo','arguments':'{\\'n\\': 1.50}'}]")
        .statusCode(200)
        .body("results.id", contains("c1", "c2", "c3"))
        .body("results.success", contains(false, false, true))
        .body("results[0].output", equalTo("no such dataset"))
        .body("results[0].code", nullValue())
        .body("results[1].code", equalTo("TOOL_DEPENDENCY_BLOCKED"))
        .body("results[1].blocked_by", contains("c1"))
        .body("results[2].output", equalTo("{\"n\":1.50}"))
        .body("results[2].name", equalTo("echo"))
        .body("results[2].startedAt", notNullValue())
        .body("results[2].completedAt", notNullValue());
    assertThat(BatchTools.CALLS).hasSize(1);
  }

  @Test
  void aCallThatNeedsAgreementCountsAsPaused() {
    var batch =
        alice(
                "'calls':[{'id':'c1','name':'batch_load','arguments':{}},"
                    + "{'id':'c2','name':'batch_degree','arguments':{}},"
                    + "{'id':'c3','name':'echo','arguments':{}}]")
            .statusCode(200)
            .body("results[0].code", equalTo("APPROVAL_REQUIRED"))
            .body("results[0].success", equalTo(false))
            .body("results[1].code", equalTo("TOOL_DEPENDENCY_BLOCKED"))
            .body("results[2].success", equalTo(true))
            .extract()
            .<String>path("batchId");
    assertThat(BatchTools.CALLS).isEmpty();
    receiptsOf(batch).body("", hasSize(0));
  }

  @Test
  void onlyAServiceMaySayThatAPersonAgreed() {
    var calls = "'calls':[{'id':'c1','name':'batch_load','arguments':{},'approved':true}]";

    alice(calls).statusCode(403).body("code", equalTo("APPROVED_FROM_OUTSIDE"));
    assertThat(BatchTools.CALLS).isEmpty();

    var turn = UUID.randomUUID().toString();
    var batch =
        given()
            .contentType("application/json")
            .header("X-Internal-Secret", PostgresResource.INTERNAL_SECRET)
            .header("X-User-ID", "alice")
            .header("X-Run-ID", turn)
            .body(("{'session_id':'s-1'," + calls + "}").replace('\'', '"'))
            .post("/api/agent/tools/batch")
            .then()
            .statusCode(200)
            .body("results[0].success", equalTo(true))
            .extract()
            .<String>path("batchId");
    var call = BatchTools.CALLS.getFirst();
    assertThat(call.owner()).isEqualTo("alice");
    assertThat(call.sessionId()).isEqualTo("s-1");
    assertThat(call.runId()).hasToString(turn);
    receiptsOf(batch)
        .body("", hasSize(1))
        .body("[0].invocationId", equalTo(call.invocationId()))
        .body("[0].tool", equalTo("batch_load"))
        .body("[0].effect", equalTo("write"))
        .body("[0].state", equalTo("done"));
    given()
        .header("X-FengYu-Token", PostgresResource.BOB_TOKEN)
        .get("/api/agent/tools/batch/" + batch + "/receipts")
        .then()
        .statusCode(200)
        .body("", hasSize(0));
  }

  @Test
  void whatAModelGetsWrongIsTheResultOfTheCall() {
    alice("'calls':[{'id':'c1','name':'no_such_tool','arguments':{}}]")
        .body("results[0].code", equalTo("TOOL_UNKNOWN"));
    alice("'calls':[{'id':'c1','name':'echo','arguments':'{broken'}]")
        .body("results[0].code", equalTo("TOOL_ARGUMENTS_INVALID"));
  }

  @Test
  void aBodyThatIsNoBatchIsRefusedWhole() {
    var many =
        IntStream.range(0, 151)
            .mapToObj(i -> "{'id':'c" + i + "','name':'echo'}")
            .collect(Collectors.joining(","));
    for (var body :
        new String[] {
          "'calls':[]",
          "'calls':7",
          "'calls':[" + many + "]",
          "'calls':[{'id':'c1'}]",
          "'calls':[{'name':'echo'}]",
          "'calls':[{'id':'a','name':'echo'},{'id':'a','name':'echo'}]",
          "'calls':[{'id':'a','name':'echo','approved':'yes'}]"
        }) {
      alice(body).statusCode(400).body("code", equalTo("TOOL_BATCH_INVALID"));
    }
    alice("'permissionMode':'all','calls':[{'id':'a','name':'echo'}]")
        .statusCode(400)
        .body("code", equalTo("PERMISSION_MODE_UNKNOWN"));
    given().post("/api/agent/tools/batch").then().statusCode(401);
  }

  @Test
  void aCallThatTakesTooLongIsStoppedAndItsEffectUnknown() {
    var batch =
        alice("'permissionMode':'full-access','calls':[{'id':'c1','name':'batch_slow'}]")
            .statusCode(200)
            .body("results[0].success", equalTo(false))
            .body("results[0].output", equalTo("Cancelled"))
            .body("results[0].code", equalTo("OUTCOME_UNKNOWN"))
            .extract()
            .<String>path("batchId");
    receiptsOf(batch).body("[0].state", equalTo("unknown"));
  }

  @Test
  void aCallThatDoesNotListenIsAnsweredAllTheSameAndItsLateEndIsKept() {
    var batch =
        alice(
                "'permissionMode':'full-access','calls':["
                    + "{'id':'c1','name':'batch_slow','arguments':{'deaf':true}}]")
            .statusCode(200)
            .body("results[0].code", equalTo("TOOL_TIMEOUT"))
            .extract()
            .<String>path("batchId");

    BatchTools.DEAF.release();

    await()
        .atMost(Duration.ofSeconds(5))
        .untilAsserted(() -> receiptsOf(batch).body("[0].state", equalTo("done")));
  }

  @Test
  void receiptsOfADeadProcessAreUnknown() {
    var batch = UUID.randomUUID();
    var row = new BatchReceipts.Batch(batch, "alice", null, Duration.ofMinutes(5));
    var tool = new BatchTools.Load().spec();
    var lost = UUID.randomUUID();
    receipts.intend(row, lost, 0, tool, "0").await().indefinitely();
    receipts.giveUpLost().await().indefinitely();
    receiptsOf(batch.toString()).body("[0].state", equalTo("intended"));

    pool.preparedQuery("UPDATE agent.tool_batch SET instance = $1 WHERE id = $2")
        .execute(Tuple.of(UUID.randomUUID(), batch))
        .await()
        .indefinitely();
    receipts.giveUpLost().await().indefinitely();
    receiptsOf(batch.toString()).body("[0].state", equalTo("unknown"));

    receipts.settle(lost, ReceiptState.DONE).await().indefinitely();
    receiptsOf(batch.toString()).body("[0].state", equalTo("done"));
  }

  @Test
  void whatWasNotSettledWhenABatchEndsIsUnknown() {
    var batch = UUID.randomUUID();
    var row = new BatchReceipts.Batch(batch, "alice", null, Duration.ofMinutes(5));
    var open = UUID.randomUUID();
    var known = UUID.randomUUID();
    var tool = new BatchTools.Load().spec();
    receipts.intend(row, open, 0, tool, "0").await().indefinitely();
    receipts.intend(row, known, 1, tool, "0").await().indefinitely();
    receipts.settle(known, ReceiptState.FAILED).await().indefinitely();

    receipts.end(batch).await().indefinitely();

    receiptsOf(batch.toString()).body("state", contains("unknown", "failed"));
  }

  @Test
  void theCatalogShowsWhatToolsTouch() {
    given()
        .header("X-FengYu-Token", PostgresResource.ALICE_TOKEN)
        .get("/api/agent/tools")
        .then()
        .body(
            "findAll { it.name == 'batch_load' }.resources.reads.flatten()",
            hasItem(containsString("dataset:{dataset_id}")));
  }

  private static ValidatableResponse alice(String members) {
    return given()
        .contentType("application/json")
        .header("X-FengYu-Token", PostgresResource.ALICE_TOKEN)
        .body(
            ("{" + members + "}")
                .replace("\\'", "\u0001")
                .replace('\'', '"')
                .replace("\u0001", "\\\""))
        .post("/api/agent/tools/batch")
        .then();
  }

  private static ValidatableResponse receiptsOf(String batch) {
    return given()
        .header("X-FengYu-Token", PostgresResource.ALICE_TOKEN)
        .get("/api/agent/tools/batch/" + batch + "/receipts")
        .then()
        .statusCode(200);
  }
}
