package io.fengyu.agent.run;

import static io.restassured.RestAssured.given;
import static org.assertj.core.api.Assertions.assertThat;
import static org.hamcrest.Matchers.contains;
import static org.hamcrest.Matchers.empty;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.nullValue;

import io.fengyu.contract.testing.PostgresResource;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.response.ValidatableResponse;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

@QuarkusTest
class DryRunStoryTest {

  private final RunClient alice = RunClient.alice();

  @AfterEach
  void noRules() {
    rules("{}");
  }

  private static void rules(String body) {
    given()
        .header("X-FengYu-Token", PostgresResource.ALICE_TOKEN)
        .contentType("application/json")
        .body(body.replace('\'', '"'))
        .put("/api/settings/permission-rules")
        .then()
        .statusCode(200);
  }

  private ValidatableResponse dryRun(String body) {
    return alice.post("/dry-run", body);
  }

  @Test
  void aPlanIsJudgedAsAWholeAndNothingIsCalled() {
    int before = alice.get("/runs").extract().<java.util.List<?>>path("").size();

    dryRun(
            "{'inputs':{'who':'me'},'workflow':{'steps':["
                + "{'toolName':'echo','args':{'t':'{{inputs.who}}'}},"
                + "{'toolName':'echo','pinnedResult':'{\\\"n\\\":7}'},"
                + "{'toolName':'test_note','args':{'t':'{{steps.0.result.t}} {{steps.1.result.n}}',"
                + "'password':'p'}}]}}")
        .statusCode(200)
        .body("valid", equalTo(true))
        .body("problems", empty())
        .body("levels", contains(java.util.List.of(0, 1), java.util.List.of(2)))
        .body("steps[0].verdict", equalTo("allow"))
        .body("steps[0].args.t", equalTo("me"))
        .body("steps[0].missing", empty())
        .body("steps[0].retrySafe", equalTo(true))
        .body("steps[1].reason", equalTo("pinned result, nothing is called"))
        .body("steps[2].effect", equalTo("write"))
        .body("steps[2].verdict", equalTo("ask"))
        .body("steps[2].reason", equalTo("mode ask-for-approval, effect write"))
        .body("steps[2].args.t", equalTo("{{steps.0.result.t}} 7"))
        .body("steps[2].args.password", equalTo("***"))
        .body("steps[2].missing", contains("steps.0.result.t"))
        .body("asks", equalTo(1))
        .body("denies", equalTo(0))
        .body("unattendedOk", equalTo(false));

    assertThat(alice.get("/runs").extract().<java.util.List<?>>path("")).hasSize(before);
  }

  @Test
  void rulesAndModeDecideAsTheyWouldInTheRun() {
    rules("{'allow':['Command(echo:*)'],'deny':['Tool(test_note)']}");
    var steps =
        "{'toolName':'execute_command','args':{'command':'echo a'}},"
            + "{'toolName':'execute_command','args':{'command':'echo {{steps.0.result}}'}},"
            + "{'toolName':'execute_command','args':{'command':'echo a && rm b'}}";

    dryRun("{'workflow':{'steps':[" + steps + "]}}")
        .body("steps.verdict", contains("allow", "ask", "ask"))
        .body("steps[0].reason", equalTo("allow rule Command(echo:*)"))
        .body("steps[2].reason", equalTo("dangerous command rm"))
        .body("asks", equalTo(2));
    dryRun(
            "{'config':{'permissionMode':'full-access'},'workflow':{'steps':["
                + steps
                + ",{'toolName':'test_note'}]}}")
        .body("steps.verdict", contains("allow", "allow", "allow", "deny"))
        .body("denies", equalTo(1))
        .body("unattendedOk", equalTo(false));
    dryRun("{'workflow':{'steps':[{'toolName':'echo'}]}}").body("unattendedOk", equalTo(true));
  }

  @Test
  void aFlaggedStepAsksAndAReadOnlyRunDenies() {
    dryRun("{'workflow':{'steps':[{'toolName':'echo','requiresApproval':true}]}}")
        .body("steps[0].verdict", equalTo("ask"))
        .body("steps[0].reason", equalTo("the step requires approval"));
    dryRun(
            "{'config':{'capabilityMode':'read-only'},'workflow':{'steps':[{'toolName':'test_note'}]}}")
        .body("valid", equalTo(false))
        .body("problems[0].code", equalTo("NOT_READ_ONLY"))
        .body("steps[0].verdict", equalTo("deny"));
  }

  @Test
  void whatIsWrongIsToldWithTheStep() {
    dryRun(
            "{'workflow':{'steps':[{'toolName':'nope'},{'toolName':'echo','args':{'a':'{{inputs.x}}'}}]}}")
        .statusCode(200)
        .body("valid", equalTo(false))
        .body("problems.code", contains("TOOL_UNKNOWN", "INPUT_UNBOUND"))
        .body("problems.step", contains(0, 1))
        .body("steps[0].verdict", nullValue())
        .body("steps[1].missing", contains("inputs.x"));
    dryRun("{'goal':'do it'}").statusCode(400).body("code", equalTo("RUN_BODY_INVALID"));
  }
}
