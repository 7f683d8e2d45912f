package io.fengyu.agent.workflow;

import static io.restassured.RestAssured.given;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.hasItem;
import static org.hamcrest.Matchers.not;
import static org.hamcrest.Matchers.nullValue;

import io.fengyu.contract.client.Peers;
import io.fengyu.contract.client.Service;
import io.fengyu.contract.testing.PostgresResource;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.response.ValidatableResponse;
import io.vertx.mutiny.sqlclient.Pool;
import io.vertx.mutiny.sqlclient.Tuple;
import jakarta.inject.Inject;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

@QuarkusTest
class WorkflowToolStoryTest {

  private static final String LIST = "/internal/published-workflows";

  @Inject Peers peers;
  @Inject Pool pool;

  private WorkflowStandIn workflows;

  WorkflowToolStoryTest() {
    workflows = new WorkflowStandIn();
  }

  @BeforeEach
  void anOwnerWithOnePublishedWorkflow() {
    peers.replace(Map.of(Service.WORKFLOW, List.of(workflows.address())));
    workflows.answers(
        LIST,
        "[{'id':'abc','revision':4,'name':'Tidy','description':'Tidies a text',"
            + "'inputSchema':{'type':'object','properties':{'t':{'type':'string'}}}}]");
    published();
  }

  @AfterEach
  void nobodyThere() {
    workflows.answers(LIST, "[]");
    published();
    peers.replace(Map.of(Service.WORKFLOW, List.of()));
    workflows.close();
  }

  @Test
  void aPublicationIsInTheCatalogAsSoonAsItIsToldAndGoneLikewise() {
    await()
        .atMost(Duration.ofMinutes(1))
        .untilAsserted(() -> tools().body("name", hasItem("run_workflow_abc")));
    tools()
        .body("find { it.name == 'run_workflow_abc' }.effect", equalTo("external"))
        .body("find { it.name == 'run_workflow_abc' }.pluginId", equalTo("workflow"))
        .body("find { it.name == 'run_workflow_abc' }.description", containsString("Tidies"))
        .body(
            "find { it.name == 'run_workflow_abc' }.inputSchema.properties.t.type",
            equalTo("string"))
        .body("find { it.name == 'run_workflow_abc' }.flowNode.fallback", equalTo(true))
        .body("find { it.name == 'run_workflow_abc' }.flowNode.inputs[0].name", equalTo("t"));

    workflows.answers(LIST, "[]");
    published();

    await()
        .atMost(Duration.ofMinutes(1))
        .untilAsserted(() -> tools().body("name", not(hasItem("run_workflow_abc"))));
  }

  @Test
  void aCallRunsTheBoundPlanWithoutAskingInsideAndGivesItsLastResult() {
    bound(
        "{'index':0,'toolName':'write_file','args':{'path':'made.txt','content':'{{inputs.t}}'}},"
            + "{'index':1,'toolName':'echo','requiresApproval':true,'dependsOn':[0],"
            + "'args':{'said':'{{inputs.t}}'}}");

    call("approve-for-me", "").body("results[0].code", equalTo("APPROVAL_REQUIRED"));
    call("full-access", "")
        .body("results[0].success", equalTo(true))
        .body("results[0].output", equalTo("{\"said\":\"hi {{steps.0.result}}\"}"));
    assertThat(
            workflows.asked("/internal/workflows/abc/bound?draft=false").at("/inputs/t").asText())
        .isEqualTo("x");
  }

  @Test
  void theAgreementToACallCoversItsStepsButNoStepThatARuleAsksAbout() {
    bound(
        "{'index':0,'toolName':'write_file','requiresApproval':true,"
            + "'args':{'path':'agreed.txt','content':'x'}},"
            + "{'index':1,'toolName':'echo','dependsOn':[0],'args':{'said':'done'}}");

    agreed()
        .body("results[0].success", equalTo(true))
        .body("results[0].output", equalTo("{\"said\":\"done\"}"));

    bound("{'index':0,'toolName':'execute_command','args':{'command':'sudo ls'}}");
    agreed()
        .body("results[0].success", equalTo(false))
        .body("results[0].output", containsString("eeds approval"));
  }

  @Test
  void aRunInsideACallCannotStartAnother() {
    bound("{'index':0,'toolName':'run_workflow_abc','args':{}}");

    call("full-access", "")
        .body("results[0].success", equalTo(false))
        .body("results[0].output", containsString("run_workflow_abc"));
  }

  @Test
  void whatIsRefusedComesBackAsAResult() {
    workflows.answers(
        "/internal/workflows/abc/bound?draft=false",
        "{'status':400,'code':'WORKFLOW_INPUT_MISSING','params':{'names':['t']}}");

    call("full-access", "")
        .body("results[0].success", equalTo(false))
        .body("results[0].output", containsString("WORKFLOW_INPUT_MISSING"));
  }

  @Test
  void aFailedStepFailsTheCall() {
    bound("{'index':0,'toolName':'fail','args':{'message':'no luck'}}");

    call("full-access", "")
        .body("results[0].success", equalTo(false))
        .body("results[0].output", containsString("no luck"));
  }

  @Test
  void aTurnAboutAWorkflowHasTheToolsOfItsCanvas() {
    workflows.answers(
        "/internal/workflows/abc/flow/binding",
        "{'workflowId':'abc','revision':1,'name':'Tidy','description':'','runnable':false,"
            + "'inputSchema':{'type':'object'}}");
    workflows.answers("/internal/workflows/abc/flow/diagnose_current_flow", "{'kind':'d'}");
    var flow = "'workflowId':'abc','flowContext':{'workflowId':'abc','graph':{'nodes':[]}},";

    batch(flow, "diagnose_current_flow")
        .body("results[0].success", equalTo(true))
        .body("results[0].code", nullValue())
        .body("results[0].output", equalTo("{\"kind\":\"d\"}"));
    var asked = workflows.asked("/internal/workflows/abc/flow/diagnose_current_flow");
    assertThat(asked.at("/flowContext/graph/nodes").isArray()).isTrue();
    assertThat(asked.at("/tools").findValuesAsText("name")).contains("echo", "json_format");
    batch(flow, "run_current_flow").body("results[0].code", equalTo("TOOL_UNKNOWN"));
    batch("", "diagnose_current_flow").body("results[0].code", equalTo("TOOL_UNKNOWN"));
  }

  @Test
  void theStoredWorkflowOfATurnRunsUnderThePermissionOfTheTurn() {
    workflows.answers(
        "/internal/workflows/abc/flow/binding",
        "{'workflowId':'abc','revision':1,'name':'Tidy','description':'','runnable':true,"
            + "'inputSchema':{'type':'object'}}");
    workflows.answers(
        "/internal/workflows/abc/bound?draft=true",
        "{'workflow':{'goal':'g','steps':[{'index':0,'toolName':'echo','args':{'a':1}}]},"
            + "'inputs':{},'files':[]}");

    batch("'workflowId':'abc',", "run_current_flow")
        .body("results[0].code", equalTo("APPROVAL_REQUIRED"));
    batch("'permissionMode':'full-access','workflowId':'abc',", "run_current_flow")
        .body("results[0].output", equalTo("{\"a\":1}"));
  }

  private void bound(String steps) {
    workflows.answers(
        "/internal/workflows/abc/bound?draft=false",
        "{'workflow':{'goal':'g','steps':["
            + steps
            + "]},'inputs':{'t':'hi {{steps.0.result}}'},'files':[]}");
    await()
        .atMost(Duration.ofMinutes(1))
        .untilAsserted(() -> tools().body("name", hasItem("run_workflow_abc")));
  }

  /** A call that a person agreed to, in the mode that asks about everything. */
  private static ValidatableResponse agreed() {
    var call = "{'id':'c1','name':'run_workflow_abc','arguments':{'t':'x'},'approved':true}";
    return given()
        .header("X-Internal-Secret", PostgresResource.INTERNAL_SECRET)
        .header("X-User-ID", "alice")
        .contentType("application/json")
        .body(("{'calls':[" + call + "]}").replace('\'', '"'))
        .post("/api/agent/tools/batch")
        .then()
        .statusCode(200);
  }

  private static ValidatableResponse call(String mode, String members) {
    return batch("'permissionMode':'" + mode + "'," + members, "run_workflow_abc");
  }

  private static ValidatableResponse batch(String members, String tool) {
    var body = "{" + members + "'calls':[{'id':'c1','name':'" + tool + "','arguments':{'t':'x'}}]}";
    return given()
        .header("X-FengYu-Token", PostgresResource.ALICE_TOKEN)
        .contentType("application/json")
        .body(body.replace('\'', '"'))
        .post("/api/agent/tools/batch")
        .then()
        .statusCode(200);
  }

  private static ValidatableResponse tools() {
    return given()
        .header("X-FengYu-Token", PostgresResource.ALICE_TOKEN)
        .get("/api/agent/tools")
        .then()
        .statusCode(200);
  }

  private void published() {
    pool.preparedQuery("SELECT pg_notify($1, $2)")
        .execute(Tuple.of(PublishedWorkflows.CHANNEL, "alice"))
        .await()
        .indefinitely();
  }
}
