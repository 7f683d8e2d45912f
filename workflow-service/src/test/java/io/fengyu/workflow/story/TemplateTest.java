package io.fengyu.workflow.story;

import static io.fengyu.workflow.story.Owner.ALICE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.hamcrest.Matchers.equalTo;

import io.quarkus.test.junit.QuarkusTest;
import io.restassured.RestAssured;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

@QuarkusTest
class TemplateTest {

  @SuppressWarnings("NullAway.Init") // set by FakeRuntimeResource
  FakeRuntime runtime;

  @AfterEach
  void reset() {
    runtime.reset();
  }

  @Test
  void theGalleryIsTruthfulAboutWhatIsMissing() {
    var cards = Owner.json(ALICE.get("/api/workflow-templates"));

    assertThat(cards.findValuesAsText("id"))
        .containsExactly("excel-email", "excel-split", "json-tidy", "conditional-tidy");
    assertThat(cards.at("/0/requiredTools").toString())
        .isEqualTo(
            "[\"excel_complex_config\",\"excel_execute\",\"email_send_batch\",\"confirm_send\"]");
    assertThat(cards.at("/0/missingTools")).hasSize(4);
    assertThat(cards.at("/2/missingTools")).isEmpty();
    assertThat(cards.at("/3/missingTools")).isEmpty();
    var chinese =
        Owner.json(
            RestAssured.given()
                .header("X-FengYu-Token", "tok-alice")
                .header("Accept-Language", "zh-CN")
                .get("/api/workflow-templates"));
    assertThat(chinese.at("/0/title").asText()).isEqualTo("Excel 拆分 → 批量发送邮件");
    assertThat(chinese.at("/0/requiredTools")).isEqualTo(cards.at("/0/requiredTools"));
  }

  @Test
  void theMailTemplateIsWiredUpToTheConfirmation() {
    var draft = Owner.json(ALICE.post("/api/workflow-templates/excel-email/instantiate"));

    assertThat(draft.path("published").asBoolean()).isFalse();
    assertThat(draft.path("name").asText()).isEqualTo("Excel split → batch email");
    var steps = draft.at("/plan/steps");
    assertThat(steps.findValuesAsText("toolName"))
        .containsExactly(
            "excel_complex_config", "excel_execute", "email_send_batch", "confirm_send");
    assertThat(steps.at("/2/args/inputDirectory").asText())
        .isEqualTo("{{steps.1.result.outputDir}}");
    assertThat(steps.at("/3/args/confirmationId").asText())
        .isEqualTo("{{steps.2.result.confirmation.confirmationId}}");
    assertThat(steps.at("/3/requiresApproval").asBoolean()).isTrue();
    assertThat(steps.at("/3/dependsOn").toString()).isEqualTo("[2]");
    var inputs = draft.at("/inputSchema/properties");
    assertThat(inputs.at("/workbook/format").asText()).isEqualTo("fengyu-file");
    assertThat(inputs.at("/outputDir/x-fengyu-auto").asText()).isEqualTo("shared-directory");
    assertThat(inputs.at("/accountId/x-fengyu-enum/method").asText())
        .isEqualTo("email_accounts_list");
    assertThat(inputs.at("/recipientTagIds/x-fengyu-enum/multiple").asBoolean()).isTrue();
    assertThat(inputs.at("/ccTagIds/default").toString()).isEqualTo("[]");
    assertThat(draft.at("/inputSchema/required").toString())
        .isEqualTo("[\"workbook\",\"rules\",\"accountId\",\"recipientTagIds\",\"subject\"]");
    assertThat(draft.toString()).doesNotContain("%");
  }

  @Test
  void everyTemplateBecomesADraftInBothLanguages() {
    for (var id : new String[] {"excel-email", "excel-split", "json-tidy", "conditional-tidy"}) {
      var path = "/api/workflow-templates/" + id + "/instantiate";
      var named = Owner.json(ALICE.post(path, "{\"name\":\"Mine\"}", "en"));
      var chinese = Owner.json(ALICE.post(path, "{}", "zh"));
      assertThat(named.path("name").asText()).isEqualTo("Mine");
      assertThat(chinese.path("name").asText()).isNotEqualTo(named.path("name").asText());
      assertThat(chinese.toString()).doesNotContain("%");
      assertThat(chinese.at("/plan/steps/0/args")).isEqualTo(named.at("/plan/steps/0/args"));
    }
    ALICE
        .post("/api/workflow-templates/ghost/instantiate")
        .then()
        .statusCode(404)
        .body("code", equalTo("WORKFLOW_TEMPLATE_NOT_FOUND"));
  }

  @Test
  void optionsAreReadLiveFromAListTool() {
    runtime.toolsAnswer(
        """
        {"success":true,"data":{"accounts":[
          {"id":1,"email":"alice@example.com","displayName":"Alice"},{"id":2,"email":"b@x"}]}}""");
    var id =
        ALICE.created(
            Drafts.of(
                "[]",
                """
                {"type":"object","properties":{"from":{"type":"integer","x-fengyu-enum":
                   {"plugin":"post","method":"list_accounts","items":"data.accounts","value":"id",
                    "label":"email","labelSecondary":"displayName"}},
                 "bad":{"x-fengyu-enum":{"method":"write_file","items":"x"}},
                 "gone":{"x-fengyu-enum":{"method":"nobody_has_it"}},
                 "kind":{"enum":["a","b"]}}}"""));

    assertThat(Owner.json(options(id, "from")).path("options").toString())
        .isEqualTo(
            "[{\"value\":1,\"label\":\"alice@example.com\",\"secondary\":\"Alice\"},"
                + "{\"value\":2,\"label\":\"b@x\"}]");
    assertThat(Owner.json(options(id, "kind")).at("/options/1/value").asText()).isEqualTo("b");
    unavailable(id, "bad", "write_file");
    unavailable(id, "gone", "nobody_has_it");
    options(id, "ghost").then().statusCode(404);
    for (var answer : new String[] {"{\"success\":false}", "no JSON", "{\"data\":7}"}) {
      runtime.toolsAnswer(answer);
      unavailable(id, "from", "list_accounts");
    }
  }

  private static io.restassured.response.Response options(String id, String name) {
    return ALICE.get("/api/workflows/" + id + "/inputs/" + name + "/options");
  }

  private static void unavailable(String id, String name, String tool) {
    options(id, name)
        .then()
        .statusCode(409)
        .body("code", equalTo("OPTIONS_UNAVAILABLE"))
        .body("params.name", equalTo(name))
        .body("params.tool", equalTo(tool));
  }
}
