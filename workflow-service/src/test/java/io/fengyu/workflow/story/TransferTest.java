package io.fengyu.workflow.story;

import static io.fengyu.workflow.story.Owner.ALICE;
import static io.fengyu.workflow.story.Owner.BOB;
import static org.assertj.core.api.Assertions.assertThat;
import static org.hamcrest.Matchers.equalTo;

import io.quarkus.test.junit.QuarkusTest;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

@QuarkusTest
class TransferTest {

  private static final String ODD =
      """
      {"name":"Odd \\u00e9","description":"d","inputSchema":{"type":"object","properties":{}},
       "plan":{"goal":"g","steps":[
         {"index":0,"toolName":"json_format","args":{"json":"1","n":1.50}},
         {"index":1,"toolName":"gone","args":{}}]},
       "graph":{"nodes":[],"n":1e400,"n":2.0,"t":"a\\"{[,:\\u0041","deep":[ [], {} ]}}""";

  @SuppressWarnings("NullAway.Init") // set by FakeRuntimeResource
  FakeRuntime runtime;

  @AfterEach
  void reset() {
    runtime.reset();
  }

  @Test
  void aWorkflowComesBackFromItsFileAsItWas() {
    var id = ALICE.created(ODD);
    var file = ALICE.get("/api/workflows/" + id + "/export").then().statusCode(200).extract();

    assertThat(file.header("Content-Disposition")).contains("attachment");
    var text = file.asString();
    assertThat(text.lines().count()).isGreaterThan(20);
    assertThat(text).contains("\"n\": 1e400", "\"n\": 2.0", "a\\\"{[,:\\u0041", "\"n\": 1.50");
    var tools = Owner.parsed(text).path("requiredTools");
    assertThat(tools.toString())
        .isEqualTo(
            "[{\"name\":\"json_format\",\"effect\":\"read\",\"pluginId\":null,\"retrySafe\":true},"
                + "{\"name\":\"gone\"}]");

    var copy = Owner.json(BOB.post("/api/workflows/import", text));

    assertThat(copy.path("published").asBoolean()).isFalse();
    assertThat(copy.path("revision").asInt()).isEqualTo(1);
    assertThat(copy.path("id").asText()).isNotEqualTo(id);
    var original = ALICE.definition(id);
    for (var member : new String[] {"name", "description", "inputSchema", "plan", "layout"}) {
      assertThat(copy.path(member)).isEqualTo(original.path(member));
    }
    var again = BOB.get("/api/workflows/" + copy.path("id").asText() + "/export").asString();
    assertThat(withoutSource(again)).isEqualTo(withoutSource(text));
  }

  @Test
  void aCheckSaysWhatIsMissingAndStoresNothing() {
    var before = Owner.json(BOB.get("/api/workflows")).size();

    var good = Owner.json(BOB.post("/api/workflows/import?check=true", ODD));
    var bad =
        Owner.json(
            BOB.post("/api/workflows/import?check=true", ODD.replace("\"g\"", "\"{{inputs.x}}\"")));
    var later =
        Owner.json(
            BOB.post("/api/workflows/import?check=true", Drafts.with("\"format\":\"v9\"", ODD)));

    assertThat(good.toString()).isEqualTo("{\"missingTools\":[\"gone\"],\"problems\":[]}");
    assertThat(bad.at("/problems/0/code").asText()).isEqualTo("WORKFLOW_UNDECLARED_INPUT");
    assertThat(bad.at("/problems/0/params").toString()).isEqualTo("{\"names\":[\"x\"]}");
    assertThat(bad.at("/missingTools/0").asText()).isEqualTo("gone");
    assertThat(later.at("/problems/0/errors/0/pointer").asText()).isEqualTo("/format");
    assertThat(Owner.json(BOB.get("/api/workflows"))).hasSize(before);
  }

  @Test
  void aWrongFileIsRefusedLikeAWrongSave() {
    BOB.post("/api/workflows/import", ODD.replace("\"g\"", "\"{{inputs.x}}\""))
        .then()
        .statusCode(400)
        .body("code", equalTo("WORKFLOW_UNDECLARED_INPUT"));
    BOB.post("/api/workflows/import", Drafts.with("\"format\":\"v9\"", ODD))
        .then()
        .statusCode(400)
        .body("errors[0].pointer", equalTo("/format"));
    BOB.get("/api/workflows/" + ALICE.created(ODD) + "/export").then().statusCode(404);
  }

  @Test
  void withoutTheRuntimeAFileIsWrittenAndACheckSaysItCannot() {
    runtime.knowsNoTools();
    var id = ALICE.created(ODD);

    var file = Owner.parsed(ALICE.get("/api/workflows/" + id + "/export").asString());

    assertThat(file.at("/requiredTools/0").toString()).isEqualTo("{\"name\":\"json_format\"}");
    assertThat(BOB.post("/api/workflows/import?check=true", ODD).statusCode())
        .isGreaterThanOrEqualTo(500);
  }

  private static String withoutSource(String file) {
    return file.replaceAll("\"exportedAt\": .*", "")
        .replaceAll("\"workflowId\": .*", "")
        .replaceAll("\"revision\": .*", "");
  }
}
