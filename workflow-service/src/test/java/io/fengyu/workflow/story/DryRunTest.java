package io.fengyu.workflow.story;

import static io.fengyu.workflow.story.Owner.ALICE;
import static io.fengyu.workflow.story.Owner.BOB;
import static org.assertj.core.api.Assertions.assertThat;
import static org.hamcrest.Matchers.contains;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.hasSize;

import io.quarkus.test.junit.QuarkusTest;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

@QuarkusTest
class DryRunTest {

  private static final String SCHEMA =
      """
      {"type":"object","required":["count"],"properties":{
        "count":{"type":"integer"},"note":{"type":"string","default":"x"},"tag":{"type":"string"}}}""";

  private static final String STEPS =
      """
      [{"index":0,"toolName":"json_format","args":{"n":"{{inputs.count}}"}}]""";

  @SuppressWarnings("NullAway.Init") // set by FakeRuntimeResource
  FakeRuntime runtime;

  private String id = "";

  @BeforeEach
  void freshRuntime() {
    runtime.reset();
    runtime.answers(
        200, "{\"valid\":true,\"problems\":[{\"step\":0,\"code\":\"C\"}],\"unattendedOk\":true}");
    id = ALICE.created(Drafts.of(STEPS, SCHEMA));
  }

  @Test
  void theRuntimeJudgesTheSavedPlanWithItsInputs() {
    ALICE
        .post("/api/workflows/" + id + "/dry-run", "{\"inputs\":{\"count\":3}}")
        .then()
        .statusCode(200)
        .body("valid", equalTo(true))
        .body("problems", hasSize(1));

    var asked = runtime.starts().getFirst();
    assertThat(asked.headers()).containsEntry("X-User-ID", "alice");
    assertThat(asked.text()).contains(STEPS);
    assertThat(asked.body().path("inputs").toString())
        .isEqualTo("{\"count\":3,\"note\":\"x\",\"tag\":null}");
    assertThat(asked.body().path("config").path("permissionMode").asText())
        .isEqualTo("ask-for-approval");
  }

  @Test
  void wrongInputsAreProblemsAmongTheOthers() {
    ALICE
        .post("/api/workflows/" + id + "/dry-run", "{\"inputs\":{\"note\":5}}")
        .then()
        .statusCode(200)
        .body("valid", equalTo(false))
        .body("unattendedOk", equalTo(false))
        .body("problems.code", contains("WORKFLOW_INPUT_MISSING", "WORKFLOW_INPUT_TYPE", "C"));

    assertThat(runtime.starts().getFirst().body().path("inputs").has("count")).isFalse();
  }

  @Test
  void aForeignWorkflowIsAnUnknownOne() {
    BOB.post("/api/workflows/" + id + "/dry-run", "{}").then().statusCode(404);
    assertThat(runtime.starts()).isEmpty();
  }
}
