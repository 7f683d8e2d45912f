package io.fengyu.workflow.story;

import static io.fengyu.workflow.story.Owner.ALICE;
import static io.restassured.RestAssured.given;
import static org.assertj.core.api.Assertions.assertThat;
import static org.hamcrest.Matchers.contains;
import static org.hamcrest.Matchers.equalTo;

import io.fengyu.contract.testing.PostgresResource;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.http.ContentType;
import io.restassured.response.ValidatableResponse;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@QuarkusTest
class UnattendedTest {

  private static final String SCHEMA =
      """
      {"type":"object","required":["count"],"properties":{
        "count":{"type":"integer"},"note":{"type":"string","default":"x"}}}""";

  private static final String STEPS =
      """
      [{"index":0,"toolName":"json_format","args":{"n":1}}]""";

  @SuppressWarnings("NullAway.Init") // set by FakeRuntimeResource
  FakeRuntime runtime;

  @BeforeEach
  void freshRuntime() {
    runtime.reset();
    runtime.answers(200, "{\"valid\":true,\"steps\":[],\"unattendedOk\":false}");
  }

  private static String published(String schema) {
    var id = ALICE.created(Drafts.of(STEPS, schema));
    ALICE.post("/api/workflows/" + id + "/publish", "{}").then().statusCode(200);
    return id;
  }

  private static ValidatableResponse check(String id, String query, String body) {
    return given()
        .header("X-Internal-Secret", PostgresResource.INTERNAL_SECRET)
        .header("X-User-ID", "alice")
        .contentType(ContentType.JSON)
        .body(body)
        .post("/internal/workflows/" + id + "/unattended" + query)
        .then();
  }

  @Test
  void theSnapshotIsJudgedNotTheDraft() {
    var id = published(SCHEMA);

    check(id, "", "{\"inputs\":{\"count\":1},\"config\":{\"permissionMode\":\"full-access\"}}")
        .statusCode(200)
        .body("unattendedOk", equalTo(false));

    var asked = runtime.starts().getFirst().body();
    assertThat(asked.path("inputs").toString()).isEqualTo("{\"count\":1,\"note\":\"x\"}");
    assertThat(asked.path("config").path("permissionMode").asText()).isEqualTo("full-access");
  }

  @Test
  void whatIsNotPublishedCannotRun() {
    var id = ALICE.created(Drafts.of(STEPS, SCHEMA));

    check(id, "", "{}").statusCode(409).body("code", equalTo("WORKFLOW_NOT_PUBLISHED"));
    check("nothing", "", "{}").statusCode(404);
  }

  @Test
  void requiredInputsMayComeLaterOnlyWhenThatIsSaid() {
    var id = published(SCHEMA);

    check(id, "", "{}")
        .statusCode(400)
        .body("code", equalTo("WORKFLOW_INPUT_MISSING"))
        .body("params.names", contains("count"));
    check(id, "?partial=true", "{}").statusCode(200);
    check(id, "?partial=true", "{\"inputs\":{\"note\":5}}")
        .statusCode(400)
        .body("code", equalTo("WORKFLOW_INPUT_TYPE"));
  }

  @Test
  void theRuntimeIsNotAskedWhenNobodyWantsToKnow() {
    var id = published(SCHEMA);

    check(id, "?judge=false", "{\"inputs\":{\"count\":1}}").statusCode(200);

    assertThat(runtime.starts()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "\"format\":\"fengyu-file\"",
        "\"format\":\"fengyu-directory\"",
        "\"x-fengyu-auto\":\"shared-directory\""
      })
  void filesOfASessionAreNoInputs(String kind) {
    var id =
        published(
            "{\"type\":\"object\",\"properties\":{\"f\":{\"type\":\"string\",%s}}}"
                .formatted(kind));

    check(id, "", "{}")
        .statusCode(400)
        .body("code", equalTo("EPHEMERAL_FILE_INPUT"))
        .body("params.name", equalTo("f"));
  }
}
