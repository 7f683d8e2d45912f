package io.fengyu.workflow.story;

import static io.fengyu.workflow.story.Owner.ALICE;
import static io.fengyu.workflow.story.Owner.BOB;
import static io.restassured.RestAssured.given;
import static org.assertj.core.api.Assertions.assertThat;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.hasKey;
import static org.hamcrest.Matchers.not;
import static org.hamcrest.Matchers.nullValue;

import io.quarkus.test.junit.QuarkusTest;
import io.restassured.response.Response;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.Executors;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

@QuarkusTest
class RunTest {

  private static final String SCHEMA =
      """
      {"type":"object","required":["count","cfg"],"properties":{
        "count":{"type":"integer"},
        "cfg":{"type":"object","required":["mode"],"properties":{
          "mode":{"type":"string","default":"fast"},"dry":{"type":"boolean"}}},
        "note":{"type":"string","default":""},
        "tag":{"type":["string","integer"]},
        "book":{"type":"string","format":"fengyu-file"},
        "out":{"type":"string","x-fengyu-auto":"shared-directory"}}}""";

  private static final String STEPS =
      """
      [{"index":0,"toolName":"json_format","args":{"n":"{{inputs.count}}", "exact": 1.50}}]""";

  @SuppressWarnings("NullAway.Init") // set by FakeRuntimeResource
  FakeRuntime runtime;

  @BeforeEach
  void freshRuntime() {
    runtime.reset();
  }

  @Test
  void aRunGetsThePlanAsSavedAndTheCompletedInputs() {
    var id = ALICE.created(Drafts.of(STEPS, SCHEMA));

    ALICE
        .post(
            "/api/workflows/" + id + "/run", "{\"inputs\":{\"count\":3.0,\"cfg\":{\"dry\":true}}}")
        .then()
        .statusCode(200)
        .body("runId", equalTo(FakeRuntime.RUN_ID));

    var start = theOnlyStart();
    assertThat(start.headers())
        .containsEntry("X-User-ID", "alice")
        .containsEntry("X-Internal-Secret", "test-internal-secret-0123456789abcdef");
    assertThat(start.text()).contains(STEPS);
    assertThat(start.body().path("inputs").toString())
        .isEqualTo(
            """
            {"count":3.0,"cfg":{"dry":true,"mode":"fast"},"out":"@file:out","note":"",\
            "tag":null,"book":null}""");
    assertThat(start.body().path("files").toString())
        .isEqualTo("[{\"name\":\"out\",\"createSharedDirectory\":true}]");
  }

  @Test
  void aRunByHandAsksForApprovalOfFlaggedStepsUnlessToldOtherwise() {
    var id = ALICE.created(Drafts.of("[{\"toolName\":\"t\"}]", "{}"));

    ALICE.post("/api/workflows/" + id + "/run").then().statusCode(200);
    ALICE
        .post("/api/workflows/" + id + "/run", "{\"config\":{\"permissionMode\":\"full-access\"}}")
        .then()
        .statusCode(200);

    assertThat(runtime.starts())
        .extracting(start -> start.body().path("config").toString())
        .containsExactly(
            """
            {"requirePlanApproval":false,"requireStepApproval":true,"replanOnFailure":false,\
            "maxReplans":0,"permissionMode":"ask-for-approval"}""",
            "{\"permissionMode\":\"full-access\"}");
  }

  @Test
  void filesAndTheStartIdGoAlong() {
    var id = ALICE.created(Drafts.of(STEPS, SCHEMA));
    var files =
        """
        [{"name":"book","refs":[{"pluginId":"fan.summer.excel","ref":{"id":"g1","size":4096}}]}]""";

    ALICE
        .post(
            "/api/workflows/" + id + "/run",
            """
            {"inputs":{"count":1,"cfg":{}},"start_request_id":"s-1","session_id":"c-1","files":%s}"""
                .formatted(files))
        .then()
        .statusCode(200);

    var start = theOnlyStart().body();
    assertThat(start.path("files").get(0)).isEqualTo(Owner.parsed(files).get(0));
    assertThat(start.path("inputs").path("book").textValue()).isEqualTo("@file:book");
    assertThat(start.path("start_request_id").textValue()).isEqualTo("s-1");
    assertThat(start.path("session_id").textValue()).isEqualTo("c-1");
  }

  @Test
  void allMissingInputsAreNamedAtOnceAndNothingStarts() {
    var id = ALICE.created(Drafts.of(STEPS, SCHEMA.replace("\"default\":\"fast\"", "\"x\":1")));

    refused(id, "{}", "WORKFLOW_INPUT_MISSING", "names", List.of("count", "cfg"));
    refused(
        id,
        "{\"count\":null,\"cfg\":{}}",
        "WORKFLOW_INPUT_MISSING",
        "names",
        List.of("count", "cfg.mode"));
  }

  @Test
  void aWrongTypeIsNamedWithWhatWasExpected() {
    var id = ALICE.created(Drafts.of(STEPS, SCHEMA));

    refusedType(id, "{\"count\":\"3\",\"cfg\":{}}", "count", "integer", "string");
    refusedType(id, "{\"count\":3.5,\"cfg\":{}}", "count", "integer", "number");
    refusedType(id, "{\"count\":3,\"cfg\":[]}", "cfg", "object", "array");
    refusedType(id, "{\"count\":3,\"cfg\":{\"dry\":\"no\"}}", "cfg.dry", "boolean", "string");
    refusedType(id, "{\"count\":3,\"cfg\":{},\"tag\":true}", "tag", "string|integer", "boolean");
  }

  @Test
  void aValueThatTheSchemaForbidsIsNamedWithTheKeyword() {
    var schema =
        """
        {"additionalProperties":false,"properties":{
          "e":{"enum":["a",3]},"s":{"minLength":2,"maxLength":3},"l":{"minItems":1,"maxItems":2,
          "items":{"type":"integer","maximum":9}},"n":{"minimum":0.5,"exclusiveMaximum":2}}}""";
    var id = ALICE.created(Drafts.of("[{\"toolName\":\"t\"}]", schema));

    refusedValue(id, "{\"e\":\"b\"}", "e", "enum");
    refusedValue(id, "{\"s\":\"x\"}", "s", "minLength");
    refusedValue(id, "{\"s\":\"wxyz\"}", "s", "maxLength");
    refusedValue(id, "{\"l\":[]}", "l", "minItems");
    refusedValue(id, "{\"l\":[1,2,3]}", "l", "maxItems");
    refusedValue(id, "{\"l\":[1,10]}", "l[1]", "maximum");
    refusedValue(id, "{\"n\":0.49}", "n", "minimum");
    refusedValue(id, "{\"n\":2}", "n", "exclusiveMaximum");
    refusedValue(id, "{\"other\":1}", "other", "additionalProperties");
    assertThat(runtime.starts()).isEmpty();
    ALICE
        .post(
            "/api/workflows/" + id + "/run",
            "{\"inputs\":{\"e\":3.0,\"s\":\"\\ud83d\\ude00\\ud83d\\ude00\",\"l\":[9],\"n\":0.5}}")
        .then()
        .statusCode(200);
  }

  @Test
  void whatCannotBeARunIsRefused() {
    var id = ALICE.created(Drafts.of("[{\"toolName\":\"t\"}]", "{}"));
    var empty = ALICE.created("{\"name\":\"E\",\"plan\":{\"steps\":[]}}");

    code(empty, "{}", "WORKFLOW_EMPTY");
    code(id, "{\"config\":{\"permissionMode\":\"yolo\"}}", "PERMISSION_MODE_UNKNOWN");
    code(id, "{\"files\":[{\"name\":\"a/b\"}]}", "RUN_FILE_INVALID");
    code(id, "{\"files\":{}}", "INVALID_REQUEST");
    code(id, "{\"inputs\":[]}", "INVALID_REQUEST");
    code(id, "{\"config\":7}", "INVALID_REQUEST");
    code(id, "{\"inputs\":", "MALFORMED_JSON");
    BOB.post("/api/workflows/" + id + "/run", "{}").then().statusCode(404);
    assertThat(runtime.starts()).isEmpty();
  }

  @Test
  void whatTheRuntimeRefusesIsPassedOn() {
    var id = ALICE.created(Drafts.of("[{\"toolName\":\"t\"}]", "{}"));
    runtime.answers(
        400,
        """
        {"type":"urn:fengyu:problem:RUN_FILE_INVALID","title":"No","status":400,"detail":"Grant gone",
         "code":"RUN_FILE_INVALID","params":{"name":"book","reason":"unknown_grant"},
         "success":false,"error":"Grant gone"}""");

    ALICE
        .post("/api/workflows/" + id + "/run", "{}")
        .then()
        .statusCode(400)
        .contentType("application/problem+json")
        .body("code", equalTo("RUN_FILE_INVALID"))
        .body("params.reason", equalTo("unknown_grant"))
        .body("error", equalTo("Grant gone"))
        .body("instance", equalTo("/api/workflows/" + id + "/run"));
  }

  @Test
  void aStartWhoseAnswerIsLostIsRepeatedAsTheSameOperationOnly() {
    var id = ALICE.created(Drafts.of("[{\"toolName\":\"t\"}]", "{}"));
    runtime.hangsUp();
    var begun = System.nanoTime();

    ALICE
        .post("/api/workflows/" + id + "/run", "{}")
        .then()
        .statusCode(503)
        .body("code", equalTo("DEPENDENCY_UNAVAILABLE"))
        .body("params.service", equalTo("agent-runtime"))
        .header("Retry-After", org.hamcrest.Matchers.notNullValue());

    assertThat(Duration.ofNanos(System.nanoTime() - begun)).isLessThan(Duration.ofSeconds(6));
    assertThat(operations()).hasSize(1);
  }

  private Set<String> operations() {
    return runtime.starts().stream()
        .map(start -> start.headers().get("X-Operation-ID"))
        .collect(Collectors.toSet());
  }

  private static Response keyed(String id, String key, String body) {
    return given()
        .header("X-FengYu-Token", "tok-alice")
        .header("Idempotency-Key", key)
        .contentType("application/json")
        .body(body)
        .post("/api/workflows/" + id + "/run");
  }

  @Test
  void aRepeatedKeyGetsTheFirstAnswerWhateverBecameOfTheDraft() {
    var key = UUID.randomUUID().toString();
    var id = ALICE.created(Drafts.of("[{\"toolName\":\"t\"}]", "{}"));
    var first = keyed(id, key, "{\"inputs\":{}}");
    var empty = "{\"name\":\"E\",\"plan\":{\"steps\":[]}}";
    ALICE.put("/api/workflows/" + id, empty).then().statusCode(200);

    var again = keyed(id, key, "{ \"inputs\" : {} }");

    again.then().statusCode(200).header("Idempotent-Replayed", "true");
    assertThat(again.asString()).isEqualTo(first.asString());
    keyed(id, key, "{\"inputs\":{},\"config\":{}}")
        .then()
        .statusCode(409)
        .body("code", equalTo("START_IDEMPOTENCY_CONFLICT"));
    assertThat(runtime.starts()).hasSize(1);
  }

  @Test
  void manyRunsWithOneKeyReachTheRuntimeAsOneStart() {
    var key = UUID.randomUUID().toString();
    var id = ALICE.created(Drafts.of("[{\"toolName\":\"t\"}]", "{}"));

    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      IntStream.range(0, 50)
          .mapToObj(i -> threads.submit(() -> keyed(id, key, "{}").statusCode()))
          .toList()
          .forEach(
              status -> assertThat(status).succeedsWithin(Duration.ofSeconds(20)).isEqualTo(200));
    }

    assertThat(runtime.starts()).hasSize(1);
  }

  @Test
  void aStartIdIsGoodForItsContentEvenWhenTheDraftWasSavedInBetween() {
    var startId = UUID.randomUUID().toString();
    var id = ALICE.created(Drafts.of("[{\"toolName\":\"t\"}]", "{}"));
    var wish = "{\"start_request_id\":\"" + startId + "\",\"inputs\":{}}";
    ALICE
        .post("/api/workflows/" + id + "/run", wish)
        .then()
        .statusCode(200)
        .body("replayed", equalTo(false));
    ALICE.put("/api/workflows/" + id, Drafts.named("Other", "other")).then().statusCode(200);

    ALICE
        .post("/api/workflows/" + id + "/run", wish)
        .then()
        .statusCode(200)
        .body("runId", equalTo(FakeRuntime.RUN_ID))
        .body("replayed", equalTo(true));
    ALICE
        .post("/api/workflows/" + id + "/run", wish.replace("{}", "{\"x\":1}"))
        .then()
        .statusCode(409)
        .body("code", equalTo("START_IDEMPOTENCY_CONFLICT"))
        .body("params.startRequestId", equalTo(startId));
    assertThat(runtime.starts()).hasSize(1);
  }

  @Test
  void aStartOfUnknownOutcomeGoesOnAsTheSameOperation() {
    var key = UUID.randomUUID().toString();
    var id = ALICE.created(Drafts.of("[{\"toolName\":\"t\"}]", "{}"));
    runtime.hangsUp();
    keyed(id, key, "{}").then().statusCode(503);
    runtime.answersAgain();

    keyed(id, key, "{}").then().statusCode(200).header("Idempotent-Replayed", nullValue());

    assertThat(operations()).hasSize(1);
    keyed(id, key, "{}").then().statusCode(200).header("Idempotent-Replayed", "true");
  }

  @Test
  void aRefusedRunFreesItsKey() {
    var key = UUID.randomUUID().toString();
    var id = ALICE.created(Drafts.of(STEPS, SCHEMA));
    keyed(id, key, "{}").then().statusCode(400);

    keyed(id, key, "{\"inputs\":{\"count\":1,\"cfg\":{}}}").then().statusCode(200);
  }

  @Test
  void retriesOfAToolThatIsNotSafeToRepeatAreNotSaved() {
    var unsafe =
        Drafts.of("[{\"toolName\":\"write_file\",\"retryPolicy\":{\"maxAttempts\":2}}]", "{}");

    ALICE
        .post("/api/workflows", unsafe)
        .then()
        .statusCode(400)
        .body("code", equalTo("WORKFLOW_RETRY_UNSAFE"))
        .body("params.step", equalTo(0))
        .body("params.tool", equalTo("write_file"));
    ALICE.created(unsafe.replace("write_file", "json_format"));
    ALICE.created(unsafe.replace("write_file", "not_installed"));
    runtime.knowsNoTools();
    ALICE.created(unsafe);
  }

  @Test
  void otherServicesReadThePublishedSnapshotOnly() {
    var id = ALICE.created(Drafts.named("Flow", "Published goal"));

    internal(id, "alice").then().statusCode(409).body("code", equalTo("WORKFLOW_NOT_PUBLISHED"));
    ALICE.post("/api/workflows/" + id + "/publish").then().statusCode(200);
    ALICE.put("/api/workflows/" + id, Drafts.named("Flow", "Later goal")).then().statusCode(200);

    internal(id, "alice")
        .then()
        .statusCode(200)
        .body("plan.goal", equalTo("Published goal"))
        .body("revision", equalTo(2));
    internal(id, "bob").then().statusCode(404).body("code", equalTo("WORKFLOW_NOT_FOUND"));
    ALICE
        .get("/internal/workflows/" + id + "/published")
        .then()
        .statusCode(401)
        .body("$", not(hasKey("plan")));
  }

  private static io.restassured.response.Response internal(String id, String owner) {
    return io.restassured.RestAssured.given()
        .header("X-Internal-Secret", "test-internal-secret-0123456789abcdef")
        .header("X-User-ID", owner)
        .get("/internal/workflows/" + id + "/published");
  }

  private FakeRuntime.Start theOnlyStart() {
    assertThat(runtime.starts()).hasSize(1);
    return runtime.starts().getFirst();
  }

  private static void code(String id, String body, String code) {
    ALICE
        .post("/api/workflows/" + id + "/run", body)
        .then()
        .statusCode(400)
        .body("code", equalTo(code));
  }

  private void refused(String id, String inputs, String code, String param, Object value) {
    ALICE
        .post("/api/workflows/" + id + "/run", "{\"inputs\":" + inputs + "}")
        .then()
        .statusCode(400)
        .body("code", equalTo(code))
        .body("params." + param, equalTo(value));
    assertThat(runtime.starts()).isEmpty();
  }

  private void refusedType(String id, String inputs, String name, String expected, String actual) {
    ALICE
        .post("/api/workflows/" + id + "/run", "{\"inputs\":" + inputs + "}")
        .then()
        .statusCode(400)
        .body("code", equalTo("WORKFLOW_INPUT_TYPE"))
        .body("params.name", equalTo(name))
        .body("params.expected", equalTo(expected))
        .body("params.actual", equalTo(actual));
    assertThat(runtime.starts()).isEmpty();
  }

  private static void refusedValue(String id, String inputs, String name, String keyword) {
    ALICE
        .post("/api/workflows/" + id + "/run", "{\"inputs\":" + inputs + "}")
        .then()
        .statusCode(400)
        .body("code", equalTo("WORKFLOW_INPUT_INVALID"))
        .body("params.name", equalTo(name))
        .body("params.keyword", equalTo(keyword));
  }
}
