package io.fengyu.webhook.delivery;

import static io.restassured.RestAssured.given;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.hamcrest.Matchers.contains;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.hasSize;
import static org.hamcrest.Matchers.nullValue;

import io.fengyu.contract.testing.PostgresResource;
import io.fengyu.contract.testing.PostgresServer;
import io.fengyu.webhook.testing.Neighbours;
import io.quarkus.test.common.http.TestHTTPResource;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.http.ContentType;
import io.restassured.path.json.JsonPath;
import io.restassured.response.Response;
import io.restassured.response.ValidatableResponse;
import java.io.IOException;
import java.net.Socket;
import java.net.URI;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@QuarkusTest
class DeliveryStoryTest {

  private static final Duration SOON = Duration.ofSeconds(30);
  private static final String TRIGGERS = "/api/agent/webhook-triggers";

  private final String workflow = UUID.randomUUID().toString().replace("-", "");

  @SuppressWarnings("NullAway.Init") // set by Quarkus
  @TestHTTPResource
  URI base;

  @AfterEach
  void asItWas() {
    Neighbours.get().unsandboxed(false);
    sql("SELECT pg_notify('fengyu_settings', '')");
    Neighbours.get().tasksAre(workflow, "completed", null, "done");
  }

  private static String sql(String statement) {
    try (var connection = PostgresServer.shared().connect();
        var prepared = connection.createStatement();
        var rows = prepared.executeQuery(statement)) {
      return rows.next() ? String.valueOf(rows.getString(1)) : "";
    } catch (SQLException failed) {
      throw new IllegalStateException(failed);
    }
  }

  private static io.restassured.specification.RequestSpecification alice() {
    return given()
        .header("X-FengYu-Token", PostgresResource.ALICE_TOKEN)
        .contentType(ContentType.JSON);
  }

  private ValidatableResponse create(String fields) {
    return alice()
        .body(("{'workflowId':'" + workflow + "'" + fields + "}").replace('\'', '"'))
        .post(TRIGGERS)
        .then();
  }

  private JsonPath made(String fields) {
    return create(fields).statusCode(201).extract().jsonPath();
  }

  private static Response deliver(JsonPath trigger, String eventId, String body) {
    return deliver(trigger.getString("triggerId"), trigger.getString("secret"), eventId, body);
  }

  private static Response deliver(String id, String secret, String eventId, String body) {
    var request = given().header("X-FengYu-Webhook-Secret", secret).body(body.getBytes(UTF_8));
    return (eventId.isEmpty() ? request : request.header("X-FengYu-Event-Id", eventId))
        .post("/api/workflow-hooks/" + id);
  }

  private static JsonPath audit(JsonPath trigger) {
    return alice()
        .get(TRIGGERS + "/" + trigger.getString("triggerId") + "/deliveries?limit=100")
        .then()
        .statusCode(200)
        .extract()
        .jsonPath();
  }

  private JsonPath shown(JsonPath trigger) {
    var all = alice().get(TRIGGERS).jsonPath();
    return new JsonPath(
        io.vertx.core.json.Json.encode(
            all.getMap("find { it.triggerId == '" + trigger.getString("triggerId") + "' }")));
  }

  @Test
  void theSecretIsShownOnceAndStoredNowhere() {
    var trigger = made(",'defaultInputs':{'region':'canary-value'}");
    var secret = trigger.getString("secret");

    assertThat(secret).hasSize(43);
    assertThat(trigger.getString("name")).isEqualTo("Webhook " + workflow);
    assertThat(trigger.getList("defaultInputKeys")).containsExactly("region");
    assertThat(trigger.getString("secretHeader")).isEqualTo("X-FengYu-Webhook-Secret");
    var list = alice().get(TRIGGERS).asString();
    assertThat(list)
        .contains(trigger.getString("triggerId"))
        .doesNotContain(secret, "canary-value");
    assertThat(sql("SELECT count(*) FROM webhook.trigger t WHERE t::text LIKE '%" + secret + "%'"))
        .isEqualTo("0");
    given()
        .header("X-FengYu-Token", PostgresResource.BOB_TOKEN)
        .post(TRIGGERS + "/" + trigger.getString("triggerId") + "/rotate-secret")
        .then()
        .statusCode(404);
  }

  @Test
  void aDeliveryBecomesOneTaskWithDefaultsBelowTheBody() {
    var trigger = made(",'defaultInputs':{'region':'east','cfg':{'a':1,'b':2},'n':1}");

    deliver(trigger, "", "{\"n\":null,\"cfg\":{\"a\":9},\"id\":1.5}")
        .then()
        .statusCode(202)
        .body("accepted", equalTo(true))
        .body("duplicate", equalTo(false))
        .body("deliveryStatus", equalTo("QUEUED"))
        .body("error", nullValue());

    var task = Neighbours.get().tasksOf(workflow).getFirst();
    assertThat(task.getJsonObject("inputs").encode())
        .isEqualTo("{\"region\":\"east\",\"cfg\":{\"a\":9},\"n\":null,\"id\":1.5}");
    assertThat(task.getString("origin")).isEqualTo("webhook");
    assertThat(shown(trigger).getLong("fires")).isOne();
    assertThat(shown(trigger).getString("lastTaskId")).isEqualTo(task.getString("taskId"));
    Neighbours.get().tasksAre(workflow, "running", null, null);
    await().atMost(SOON).until(() -> audit(trigger).getString("[0].status").equals("SUBMITTED"));
    Neighbours.get().tasksAre(workflow, "completed", null, "done");
    await().atMost(SOON).until(() -> audit(trigger).getString("[0].status").equals("COMPLETED"));
    assertThat(audit(trigger).getBoolean("[0].idempotencyKeyPresent")).isFalse();
    assertThat(audit(trigger).getString("[0].completedAt")).isNotNull();
  }

  @Test
  void fiftyDeliveriesOfOneEventAreOneTask() throws Exception {
    var trigger = made("");
    List<Future<Response>> calls = new ArrayList<>();
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      for (int i = 0; i < 50; i++) {
        calls.add(threads.submit(() -> deliver(trigger, " order-42 ", "{}")));
      }
    }

    var created = 0;
    var id = Neighbours.get().tasksOf(workflow).getFirst().getString("taskId");
    for (var call : calls) {
      var answer = call.get();
      assertThat(answer.statusCode()).isIn(200, 202);
      assertThat(answer.jsonPath().getString("taskId")).isEqualTo(id);
      assertThat(answer.jsonPath().getBoolean("duplicate")).isEqualTo(answer.statusCode() == 200);
      created += answer.statusCode() == 202 ? 1 : 0;
    }
    assertThat(created).isOne();
    assertThat(Neighbours.get().tasksOf(workflow)).hasSize(1);
    assertThat(audit(trigger).getList("")).hasSize(1);

    Neighbours.get().tasksAre(workflow, "failed", "STEP_FAILED", "no such file");
    await().atMost(SOON).until(() -> audit(trigger).getString("[0].status").equals("FAILED"));
    deliver(trigger, "order-42", "{\"other\":1}")
        .then()
        .statusCode(200)
        .body("accepted", equalTo(false))
        .body("deliveryStatus", equalTo("FAILED"))
        .body("error", equalTo("no such file"));
    assertThat(sql("SELECT count(*) FROM webhook.delivery d WHERE d::text LIKE '%order-42%'"))
        .isEqualTo("0");
  }

  @Test
  void withoutAnEventIdEveryCallIsADelivery() {
    var trigger = made("");

    deliver(trigger, "", "{}").then().statusCode(202);
    deliver(trigger, "", " \n").then().statusCode(202);

    assertThat(Neighbours.get().tasksOf(workflow)).hasSize(2);
    assertThat(audit(trigger).getList("")).hasSize(2);
  }

  @Test
  void aRefusalOfTheQueueFreesTheEvent() {
    var trigger = made("");
    Neighbours.get()
        .admission(
            workflow,
            429,
            """
            {"code":"BACKGROUND_CAPACITY","params":{"limit":32},"capacityScope":"owner",
             "detail":"Full."}""");

    deliver(trigger, "E", "{}")
        .then()
        .statusCode(429)
        .header("Retry-After", "1")
        .body("code", equalTo("BACKGROUND_CAPACITY"))
        .body("capacityScope", equalTo("owner"))
        .body("retryable", equalTo(true));
    assertThat(audit(trigger).getList("")).isEmpty();
    assertThat(shown(trigger).getString("lastError")).isEqualTo("Full.");

    Neighbours.get().admission(workflow, 0, "");
    deliver(trigger, "E", "{}").then().statusCode(202).body("duplicate", equalTo(false));
    assertThat(shown(trigger).getString("lastError")).isNull();
  }

  @Test
  void anUnknownOutcomeIsNotSubmittedAgain() {
    var trigger = made("");
    Neighbours.get().admission(workflow, 500, "{}");
    deliver(trigger, "E", "{}")
        .then()
        .statusCode(503)
        .body("code", equalTo("ADMISSION_UNAVAILABLE"));
    Neighbours.get().admission(workflow, 0, "");

    deliver(trigger, "E", "{}").then().statusCode(503).body("code", equalTo("DELIVERY_PENDING"));

    await()
        .atMost(Duration.ofSeconds(60))
        .until(() -> deliver(trigger, "E", "{}").statusCode() == 202);
    assertThat(Neighbours.get().tasksOf(workflow)).hasSize(1);
  }

  @Test
  void aClaimOfADeadGatewayIsInterrupted() {
    var trigger = made("");
    var event = "dead";
    deliver(trigger, event, "{}").then().statusCode(202);
    var id = Neighbours.get().tasksOf(workflow).getFirst().getString("taskId");
    sql(
        "WITH d AS (INSERT INTO webhook.delivery (id, trigger_id, owner, gateway, keyed) SELECT"
            + " gen_random_uuid(), trigger_id, owner, gen_random_uuid(), true FROM webhook.delivery"
            + " WHERE id = '"
            + id
            + "' RETURNING id) SELECT id FROM d");

    deliver(trigger, "", "{}").then().statusCode(202);

    await().atMost(SOON).until(() -> audit(trigger).getList("status").contains("INTERRUPTED"));
    assertThat(Neighbours.get().tasksOf(workflow)).hasSize(2);
  }

  @Test
  void fourWrongDoorsLookTheSame() {
    var trigger = made("");
    var disabled = made("");
    alice()
        .body("{\"enabled\":false}")
        .patch(TRIGGERS + "/" + disabled.getString("triggerId"))
        .then()
        .statusCode(200)
        .body("enabled", equalTo(false))
        .body("secret", nullValue());
    var deleted = made("");
    alice()
        .delete(TRIGGERS + "/" + deleted.getString("triggerId"))
        .then()
        .body("ok", equalTo(true));
    alice()
        .delete(TRIGGERS + "/" + deleted.getString("triggerId"))
        .then()
        .body("ok", equalTo(false));

    var answers =
        List.of(
            deliver(trigger.getString("triggerId"), "wrong", "", "{}"),
            deliver(trigger.getString("triggerId"), " ", "", "{}"),
            deliver(UUID.randomUUID().toString(), "wrong", "", "{}"),
            deliver("nothing", "wrong", "", "{}"),
            deliver(disabled, "", "{}"),
            deliver(deleted, "", "{}"));

    for (var answer : answers) {
      assertThat(answer.statusCode()).isEqualTo(401);
      assertThat(answer.asString().replaceAll("\"(instance|traceId)\":\"[^\"]*\"", ""))
          .isEqualTo(
              answers.getFirst().asString().replaceAll("\"(instance|traceId)\":\"[^\"]*\"", ""));
    }
    alice()
        .body("{\"enabled\":true}")
        .patch(TRIGGERS + "/" + disabled.getString("triggerId"))
        .then()
        .statusCode(200);
    deliver(disabled, "", "{}").then().statusCode(202);
  }

  @Test
  void anOldSecretIsWorthlessOnceTheNewOneIsTold() {
    var trigger = made("");
    var fresh =
        alice()
            .post(TRIGGERS + "/" + trigger.getString("triggerId") + "/rotate-secret")
            .then()
            .statusCode(200)
            .extract()
            .jsonPath();

    deliver(trigger, "", "{}").then().statusCode(401);
    deliver(fresh, "", "{}").then().statusCode(202);
  }

  @Test
  void aWrongSecretIsAnsweredBeforeTheBodyComes() throws IOException {
    try (var socket = new Socket(base.getHost(), base.getPort())) {
      socket.setSoTimeout(30_000);
      socket
          .getOutputStream()
          .write(
              String.join(
                      "\r\n",
                      "POST /api/workflow-hooks/x HTTP/1.1",
                      "Host: localhost",
                      "X-FengYu-Webhook-Secret: w",
                      "Content-Length: 1000000000",
                      "",
                      "")
                  .getBytes(UTF_8));
      var head = new String(socket.getInputStream().readNBytes(12), UTF_8);
      assertThat(head).isEqualTo("HTTP/1.1 401");
    }
  }

  @Test
  void aBodyOf256KiBIsTakenAndOneByteMoreIsNot() {
    var trigger = made("");
    var frame = "{\"a\":\"\"}".length();

    deliver(trigger, "", "{\"a\":\"" + "x".repeat(262_144 - frame) + "\"}").then().statusCode(202);
    deliver(trigger, "", "{\"a\":\"" + "x".repeat(262_145 - frame) + "\"}")
        .then()
        .statusCode(413)
        .body("code", equalTo("WEBHOOK_BODY_TOO_LARGE"))
        .body("params.maxBytes", equalTo(262_144));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "[]|WEBHOOK_BODY_NOT_OBJECT",
        "'text'|WEBHOOK_BODY_NOT_OBJECT",
        "{|WEBHOOK_BODY_NOT_OBJECT",
        "{} {}|WEBHOOK_BODY_NOT_OBJECT",
        "{\"a\":1,\"a\":2}|WEBHOOK_BODY_NOT_OBJECT",
        "{\"a\":{\"b\":1,\"b\":2}}|WEBHOOK_BODY_NOT_OBJECT",
        "{\"a\":\"\\ud800\"}|WEBHOOK_BODY_NOT_OBJECT",
        "{\"\\udc00\":1}|WEBHOOK_BODY_NOT_OBJECT",
        "{\"a\":\"\\u0000\"}|WEBHOOK_BODY_NOT_OBJECT",
        "{\"a\":1e400}|WEBHOOK_BODY_NOT_OBJECT",
      })
  void whatIsNoObjectIsRefused(String body, String code) {
    var trigger = made("");

    deliver(trigger, "E", body).then().statusCode(400).body("code", equalTo(code));

    deliver(trigger, "E", "{\"a\":\"\\ud83d\\ude00\"}").then().statusCode(202);
  }

  @Test
  void bytesThatAreNoUtf8AndDepthsWithoutEndAreRefused() {
    var trigger = made("");
    given()
        .header("X-FengYu-Webhook-Secret", trigger.getString("secret"))
        .body(new byte[] {'{', '"', (byte) 0xC3, '"', ':', '1', '}'})
        .post("/api/workflow-hooks/" + trigger.getString("triggerId"))
        .then()
        .statusCode(400)
        .body("code", equalTo("WEBHOOK_BODY_NOT_OBJECT"));
    var deep = "{\"a\":" + "[".repeat(64) + "]".repeat(64) + "}";
    deliver(trigger, "", deep).then().statusCode(413).body("code", equalTo("JSON_TOO_DEEP"));
    var fits = "{\"a\":" + "[".repeat(63) + "]".repeat(63) + "}";
    deliver(trigger, "", fits).then().statusCode(202);
    deliver(trigger, "e".repeat(201), "{}")
        .then()
        .statusCode(400)
        .body("code", equalTo("EVENT_ID_TOO_LONG"));
  }

  @Test
  void aWeakenedSandboxPausesAndComesBack() {
    var trigger = made("");
    Neighbours.get().unsandboxed(true);
    sql("SELECT pg_notify('fengyu_settings', '')");

    await()
        .atMost(SOON)
        .until(
            () ->
                deliver(trigger, "E", "{}").jsonPath().getString("code") != null
                    && deliver(trigger, "E", "{}")
                        .jsonPath()
                        .getString("code")
                        .equals("SANDBOX_POSTURE_WEAKENED"));
    assertThat(shown(trigger).getString("lastError")).isNotNull();

    Neighbours.get().unsandboxed(false);
    sql("SELECT pg_notify('fengyu_settings', '')");
    await().atMost(SOON).until(() -> deliver(trigger, "F", "{}").statusCode() < 300);
  }

  @Test
  void whatWouldAskAPersonIsRefusedAtCreation() {
    Neighbours.get()
        .unattended(
            workflow,
            200,
            """
            {"unattendedOk":false,"steps":[{"index":0,"tool":"write_file","verdict":"ask"}]}""");
    create("")
        .statusCode(400)
        .body("code", equalTo("UNATTENDED_APPROVAL_REQUIRED"))
        .body("params.tool", equalTo("write_file"))
        .body("steps", hasSize(1));
    create(",'permissionMode':'full-access'").statusCode(201);
    create(",'name':'" + "n".repeat(161) + "'")
        .statusCode(400)
        .body("code", equalTo("TRIGGER_NAME_TOO_LONG"));
    Neighbours.get().unattended(workflow, 400, "{\"code\":\"EPHEMERAL_FILE_INPUT\"}");
    create("").statusCode(400).body("code", equalTo("EPHEMERAL_FILE_INPUT"));
  }

  @Test
  void aSignatureIsAProofAndItsIdTheEvent() {
    var secret = "a secret to everybody";
    var trigger = made(",\"signature\":{\"scheme\":\"github\",\"secret\":\"" + secret + "\"}");
    assertThat(trigger.getString("signatureScheme")).isEqualTo("github");
    assertThat(alice().get(TRIGGERS).asString()).doesNotContain(secret);
    var body = "{\"zen\":\"Design for failure.\"}";
    var signature =
        "sha256="
            + java.util.HexFormat.of()
                .formatHex(hmac(secret.getBytes(UTF_8), body.getBytes(UTF_8)));

    for (var status : new int[] {202, 200}) {
      given()
          .header("X-Hub-Signature-256", signature)
          .header("X-GitHub-Delivery", "72d3162e")
          .body(body)
          .post("/api/workflow-hooks/" + trigger.getString("triggerId"))
          .then()
          .statusCode(status);
    }
    given()
        .header("X-Hub-Signature-256", signature)
        .body(body + " ")
        .post("/api/workflow-hooks/" + trigger.getString("triggerId"))
        .then()
        .statusCode(401)
        .body("code", equalTo("WEBHOOK_UNAUTHORIZED"));
    alice()
        .body("{\"signature\":null}")
        .patch(TRIGGERS + "/" + trigger.getString("triggerId"))
        .then()
        .body("signatureScheme", nullValue());
  }

  private static byte[] hmac(byte[] key, byte[] body) {
    try {
      var mac = javax.crypto.Mac.getInstance("HmacSHA256");
      mac.init(new javax.crypto.spec.SecretKeySpec(key, "HmacSHA256"));
      return mac.doFinal(body);
    } catch (java.security.GeneralSecurityException impossible) {
      throw new IllegalStateException(impossible);
    }
  }

  @Test
  void theAuditIsBoundedAndReadOnly() {
    var trigger = made("");
    deliver(trigger, "", "{}");
    var path = TRIGGERS + "/" + trigger.getString("triggerId") + "/deliveries";
    alice().get(path + "?limit=0").then().statusCode(400).body("code", equalTo("DELIVERY_LIMIT"));
    alice().get(path + "?limit=101").then().statusCode(400);
    assertThat(alice().post(path).statusCode()).isIn(404, 405);
    sql(
        "WITH d AS (INSERT INTO webhook.delivery (id, trigger_id, owner, gateway, keyed, state,"
            + " accepted_at, completed_at) SELECT gen_random_uuid(), '"
            + trigger.getString("triggerId")
            + "', 'alice', gen_random_uuid(), false, 'COMPLETED', now() - n * interval '1 s',"
            + " now() FROM generate_series(1, 1004) n RETURNING 1) SELECT count(*) FROM d");

    Neighbours.get().tasksAre(workflow, "completed", null, "done");

    await()
        .atMost(SOON)
        .until(
            () ->
                sql("SELECT count(*) FROM webhook.delivery WHERE trigger_id = '"
                        + trigger.getString("triggerId")
                        + "'")
                    .equals("1000"));
    alice().get(path + "?limit=1").then().body("status", contains("COMPLETED"));
  }
}
