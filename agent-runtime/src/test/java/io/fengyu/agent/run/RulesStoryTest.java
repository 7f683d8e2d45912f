package io.fengyu.agent.run;

import static io.restassured.RestAssured.given;
import static org.assertj.core.api.Assertions.assertThat;
import static org.hamcrest.Matchers.contains;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.hasItem;
import static org.hamcrest.Matchers.hasSize;

import io.fengyu.contract.testing.PostgresResource;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.response.ValidatableResponse;
import io.vertx.mutiny.sqlclient.Pool;
import jakarta.inject.Inject;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

@QuarkusTest
class RulesStoryTest {

  @Inject Pool pool;

  private final RunClient alice = RunClient.alice();

  @AfterEach
  void noRules() {
    rules(PostgresResource.ALICE_TOKEN, "{}").statusCode(200);
    rules(PostgresResource.ADMIN_TOKEN, "{}").statusCode(200);
  }

  private static ValidatableResponse rules(String token, String body) {
    return put(token, "/permission-rules", body);
  }

  private static ValidatableResponse put(String token, String path, String body) {
    return given()
        .header("X-FengYu-Token", token)
        .contentType("application/json")
        .body(body.replace('\'', '"'))
        .put("/api/settings" + path)
        .then();
  }

  private static ValidatableResponse settings(String token) {
    return given().header("X-FengYu-Token", token).get("/api/settings").then().statusCode(200);
  }

  private ValidatableResponse explain(String body) {
    return alice.post("/guard/explain", body);
  }

  private static String plan(String command) {
    return "{'workflow':{'steps':[{'toolName':'execute_command','args':{'command':'"
        + command
        + "'}}]},'config':{'permissionMode':'full-access'}}";
  }

  @Test
  void aDeniedCallFailsItsStepWithTheRule() {
    rules(PostgresResource.ALICE_TOKEN, "{'deny':['Command(touch)']}")
        .statusCode(200)
        .body("rules", equalTo(1));

    var runId = alice.start(plan("ls && env touch x"));

    var events = alice.watch(runId);
    assertThat(events).extracting(RunClient.Event::type).doesNotContain("step_start");
    assertThat(events.getLast().data().path("message").asText())
        .contains("deny rule Command(touch)");
    alice.detail(runId).body("executions[0].error", containsString("deny rule Command(touch)"));
  }

  @Test
  void whatComesOutOfAnEarlierStepIsJudgedToo() {
    rules(PostgresResource.ALICE_TOKEN, "{'deny':['Command(rm)']}").statusCode(200);

    var runId =
        alice.start(
            "{'workflow':{'steps':[{'toolName':'echo','pinnedResult':'rm x'},"
                + "{'toolName':'execute_command','args':{'command':'{{steps.0.result}}'}}]},"
                + "'config':{'permissionMode':'full-access'}}");

    assertThat(alice.end(runId).data().path("message").asText()).contains("deny rule Command(rm)");
  }

  @Test
  void anAskRulePausesEvenInFullAccessAndSaysWhy() {
    rules(PostgresResource.ALICE_TOKEN, "{'ask':['Command(ls)']}").statusCode(200);

    var runId = alice.start(plan("ls"));

    var gate = alice.gate(runId);
    assertThat(gate.path("reason").asText()).isEqualTo("ask");
    assertThat(gate.path("why").asText()).isEqualTo("ask rule Command(ls)");
    assertThat(gate.path("rule").asText()).isEqualTo("Command(ls)");
    alice.approve(runId, "").statusCode(200);
    assertThat(alice.end(runId).type()).isEqualTo("complete");
  }

  @Test
  void anAllowRuleLetsACallThroughWithoutAGate() {
    rules(PostgresResource.ALICE_TOKEN, "{'allow':['Tool(test_note)']}").statusCode(200);

    var runId = alice.start("{'workflow':{'steps':[{'toolName':'test_note'}]}}");

    assertThat(alice.types(runId)).contains("complete").doesNotContain("step_approval_requested");
  }

  @Test
  void aFlaggedStepPausesWhateverAnAllowRuleSays() {
    rules(PostgresResource.ALICE_TOKEN, "{'allow':['Tool(echo)']}").statusCode(200);

    var runId = alice.start("{'workflow':{'steps':[{'toolName':'echo','requiresApproval':true}]}}");

    assertThat(alice.gate(runId).path("reason").asText()).isEqualTo("step");
    alice.approve(runId, "").statusCode(200);
  }

  @Test
  void aRuleThatComesWhileARunWaitsHoldsForItsNextCall() {
    rules(PostgresResource.ALICE_TOKEN, "{'ask':['Command(ls)']}").statusCode(200);
    var runId = alice.start(plan("ls"));
    alice.gate(runId);

    rules(PostgresResource.ALICE_TOKEN, "{'deny':['Command(ls)']}").statusCode(200);
    alice.approve(runId, "").statusCode(200);

    assertThat(alice.end(runId).data().path("message").asText()).contains("deny rule Command(ls)");
  }

  @Test
  void whatAnAdminDeniesIsDeniedToEverybody() {
    rules(PostgresResource.ADMIN_TOKEN, "{'deny':['Tool(echo)'],'allow':['Tool(test_note)']}")
        .statusCode(200);

    var denied = alice.start("{'workflow':{'steps':[{'toolName':'echo'}]}}");
    assertThat(alice.end(denied).data().path("message").asText()).contains("deny rule Tool(echo)");
    explain("{'tool':'test_note'}").body("verdict", equalTo("ask"));
  }

  @Test
  void aMalformedRuleIsNamedAndNothingIsStored() {
    rules(PostgresResource.ALICE_TOKEN, "{'allow':['Command(ls)']}").statusCode(200);

    for (var rule :
        new String[] {"", "Command()", "Nope(x)", "Effect(all)", "WebFetch(x)", "a b"}) {
      rules(PostgresResource.ALICE_TOKEN, "{'allow':['Command(cat)'],'deny':['" + rule + "']}")
          .statusCode(400)
          .body("code", equalTo("PERMISSION_RULE_INVALID"))
          .body("params.rule", equalTo(rule))
          .body("params.list", equalTo("deny"));
    }
    settings(PostgresResource.ALICE_TOKEN)
        .body("permissionRules.allow", contains("Command(ls)"))
        .body("permissionRules.deny", hasSize(0));
  }

  @Test
  void moreThanTwoHundredRulesAreRefused() {
    var many = "'Command(ls)',".repeat(200);
    rules(PostgresResource.ALICE_TOKEN, "{'allow':[" + many + "'Command(x)']}")
        .statusCode(400)
        .body("code", equalTo("PERMISSION_RULES_TOO_MANY"));
    rules(PostgresResource.ALICE_TOKEN, "{'allow':[" + many.substring(0, many.length() - 1) + "]}")
        .statusCode(200)
        .body("rules", equalTo(200));
  }

  @Test
  void corruptStoredRulesCountAsNoneAndAreShown() {
    pool.query(
            "INSERT INTO agent.owner_setting (owner, permission_rules) VALUES ('alice', '{broken')"
                + " ON CONFLICT (owner) DO UPDATE SET permission_rules = '{broken'")
        .executeAndAwait();
    pool.query("NOTIFY fengyu_settings, ''").executeAndAwait();

    org.awaitility.Awaitility.await()
        .untilAsserted(
            () ->
                settings(PostgresResource.ALICE_TOKEN)
                    .body("invalidPermissionRules", contains("{broken"))
                    .body("permissionRules.deny", hasSize(0)));
    explain("{'tool':'echo'}").body("verdict", equalTo("allow"));
  }

  @Test
  void savingTellsWhatIsOddAboutRules() {
    rules(
            PostgresResource.ALICE_TOKEN,
            "{'allow':['Command(rm)','Command(git status)','Tool(nope)','Command(ls && cat)'],"
                + "'deny':['Command(git)']}")
        .statusCode(200)
        .body("warnings.find { it.rule == 'Command(rm)' }.code", equalTo("NEVER_MATCHES"))
        .body(
            "warnings.find { it.rule == 'Command(git status)' }.code", equalTo("SHADOWED_BY_DENY"))
        .body("warnings.find { it.rule == 'Tool(nope)' }.code", equalTo("UNKNOWN_TOOL"))
        .body("warnings.find { it.rule == 'Command(ls && cat)' }.code", equalTo("NEVER_MATCHES"))
        .body("warnings", hasSize(4));
  }

  @Test
  void theGuardExplainsItself() {
    rules(PostgresResource.ALICE_TOKEN, "{'allow':['Command(git status)'],'deny':['Command(dd)']}")
        .statusCode(200);

    explain(
            "{'tool':'execute_command','args':{'command':'env git status && rm x'},"
                + "'permissionMode':'ask-for-approval'}")
        .statusCode(200)
        .body("verdict", equalTo("ask"))
        .body("reason", equalTo("dangerous command rm"))
        .body("segments.text", contains("env git status", "rm x"))
        .body("segments.normalised", contains("git status", "rm x"))
        .body("trace.find { it.stage == 'deny' }.matched", equalTo(false))
        .body("trace.find { it.stage == 'floor' }.segment", equalTo(1));
    explain("{'tool':'execute_command','args':{'command':'git status'}}")
        .body("verdict", equalTo("allow"))
        .body("trace.rule", hasItem("Command(git status)"));
    explain("{'tool':'nope'}").statusCode(400).body("code", equalTo("TOOL_UNKNOWN"));
    explain("{'tool':'echo','permissionMode':'x'}")
        .statusCode(400)
        .body("code", equalTo("PERMISSION_MODE_UNKNOWN"));
  }
}
