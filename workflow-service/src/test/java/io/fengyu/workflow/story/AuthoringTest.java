package io.fengyu.workflow.story;

import static io.fengyu.workflow.story.Owner.ALICE;
import static io.fengyu.workflow.story.Owner.BOB;
import static org.assertj.core.api.Assertions.assertThat;
import static org.hamcrest.Matchers.equalTo;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.quarkus.test.junit.QuarkusTest;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

@QuarkusTest
class AuthoringTest {

  private static final String TOOLS =
      """
      [{"name":"json_format","description":"Tidies","effect":"read","inputSchema":
         {"type":"object","properties":{"json":{"type":"string"}},"required":["json"]},
        "outputSchema":{"type":"object"},"flowNode":{"tool":"json_format"}},
       {"name":"write_file","inputSchema":{"type":"object","required":["path"],
         "properties":{"path":{"type":"string"},"times":{"type":"integer"}},
         "additionalProperties":false}},
       {"name":"run_workflow_x","inputSchema":{"type":"object"}}]""";

  private String id = "";

  @BeforeEach
  void aWorkflow() {
    id = ALICE.created(Drafts.named("Flow"));
  }

  @Test
  void aBrokenCanvasIsDiagnosedFullyAndComesBackAsItCame() {
    var graph =
        """
        {"nodes":[
          {"id":"a","type":"tool","data":{"toolName":"gone","argsText":"{}"}},
          {"id":"b","type":"tool","data":{"toolName":"json_format","argsText":"{}"}},
          {"id":"c","type":"tool","data":{"toolName":"write_file","argsText":"["}},
          {"id":"d","type":"tool","data":{"toolName":"write_file",
            "argsText":"{\\"path\\":\\"{{node.ghost.result}} {{inputs.nope}}\\",\\"times\\":\\"x\\"}"}},
          {"id":"e","type":"tool","data":{"toolName":"json_format",
            "argsText":"{\\"json\\":\\"{{steps.one.result}} {{node.b.result}}\\"}"}},
          {"id":"e","type":"note","data":{}}],
         "edges":[{"id":"x","source":"b","target":"nowhere"},{"source":"a","target":"c"},
          {"source":"c","target":"a"}]}""";
    var answer =
        flow(
            "diagnose_current_flow",
            context(
                graph,
                ",\"goal\":\"{{inputs.g}}\",\"lastRunError\":\"boom\",\"revision\":7,"
                    + "\"diagnostics\":[{\"severity\":\"info\",\"code\":\"mine\",\"message\":\"m\"},"
                    + "{\"severity\":\"info\",\"code\":\"mine\",\"message\":\"m\"}]"));

    assertThat(answer.path("kind").asText()).isEqualTo("flow_diagnostics");
    assertThat(answer.path("snapshotId").asText()).isEqualTo("s-1");
    assertThat(answer.path("graph")).isEqualTo(Owner.parsed(graph));
    assertThat(found(answer.path("issues")))
        .containsExactly(
            "error revision_conflict null",
            "error duplicate_node e",
            "error dangling_edge null",
            "error cycle a",
            "error unavailable_tool a",
            "error missing_argument b",
            "error invalid_arguments c",
            "error invalid_arguments d",
            "error unknown_node_reference d",
            "error undeclared_input d",
            "error unknown_node_reference e",
            "error unknown_node_reference e",
            "error undeclared_input null",
            "warning last_run_error null",
            "info mine null");
  }

  @Test
  void anEmptyCanvasIsOnlyAWarning() {
    var answer = flow("diagnose_current_flow", context("{}", ""));

    assertThat(found(answer.path("issues"))).containsExactly("warning empty_flow null");
  }

  @Test
  void inspectionShowsTheLiveCanvasAndTheToolsButNoWorkflows() {
    var answer = flow("inspect_current_flow", context("{\"nodes\":[],\"odd\":1.0}", ""));

    assertThat(answer.path("context").path("serverRevision").asInt()).isEqualTo(1);
    assertThat(answer.path("context").path("graph").has("odd")).isTrue();
    assertThat(answer.path("availableTools").findValuesAsText("name"))
        .containsExactly("json_format", "write_file");
    assertThat(answer.at("/availableTools/0/inputSchema/required/0").asText()).isEqualTo("json");
    assertThat(answer.at("/availableTools/0/flowNode/tool").asText()).isEqualTo("json_format");
  }

  @Test
  void aProposalKeepsWhatItDoesNotNameAndWritesNothing() {
    var before = ALICE.definition(id);
    var graph =
        """
        {"nodes":[{"id":"start_9","type":"start","position":{"x":-9,"y":9},"data":{}},
          {"id":"keep","type":"tool","position":{"x":5,"y":6},"selected":true,
           "data":{"toolName":"json_format","argsText":"{\\"json\\":\\"1\\"}",
             "requiresApproval":true,"retryPolicy":{"maxAttempts":2},"pinnedOutput":"p","odd":1}},
          {"id":"old","type":"tool","data":{"toolName":"json_format","argsText":"{}"}},
          {"id":"n","type":"note","data":{"content":"hi"}}],"edges":[]}""";
    var arguments =
        """
        {"name":"Better","goal":"Do {{inputs.a}}","summary":"Adds",
         "inputSchema":{"type":"object","properties":{"a":{"type":"string"}}},
         "nodes":[{"id":"keep","toolName":"json_format","args":{"json":"{{inputs.a}}"}},
           {"id":"next","toolName":"write_file","args":{"path":"{{node.keep.result}}"}},
           {"id":"placed","toolName":"json_format","args":{"json":"x"},"x":7,"y":8.5,
            "title":"T","description":"D","requiresApproval":true}],
         "edges":[{"source":"keep","target":"next","sourceHandle":"true"}]}""";
    var answer = edit(context(graph, ",\"revision\":1"), arguments);

    assertThat(answer.path("kind").asText()).isEqualTo("flow_proposal");
    assertThat(answer.path("applicable").asBoolean()).isTrue();
    assertThat(answer.path("baseWorkflowId").asText()).isEqualTo(id);
    assertThat(answer.path("baseRevision").asInt()).isEqualTo(1);
    assertThat(answer.path("baseSnapshotId").asText()).isEqualTo("s-1");
    assertThat(answer.path("diagnostics")).isEmpty();
    var nodes = answer.at("/graph/nodes");
    assertThat(nodes.findValuesAsText("id"))
        .containsExactly("start", "keep", "next", "placed", "n");
    assertThat(nodes.get(1))
        .isEqualTo(
            Owner.parsed(
                """
                {"id":"keep","type":"tool","position":{"x":5,"y":6},"selected":true,
                 "data":{"toolName":"json_format","argsText":"{\\"json\\":\\"{{inputs.a}}\\"}",
                   "requiresApproval":true,"retryPolicy":{"maxAttempts":2},"pinnedOutput":"p",
                   "odd":1}}"""));
    assertThat(nodes.get(2).path("position").toString()).isEqualTo("{\"x\":400,\"y\":120}");
    assertThat(nodes.get(3).path("position").toString()).isEqualTo("{\"x\":7,\"y\":8.5}");
    assertThat(answer.at("/graph/edges/0/sourceHandle").asText()).isEqualTo("true");
    assertThat(ALICE.definition(id)).isEqualTo(before);
  }

  @Test
  void aProposalOnAStaleBaseCannotBeApplied() {
    ALICE.put("/api/workflows/" + id, Drafts.named("Moved on")).then().statusCode(200);
    var answer =
        edit(
            context("{}", ",\"revision\":1"),
            """
            {"name":"N","goal":"g","inputSchema":{},"edges":[],
             "nodes":[{"id":"a","toolName":"json_format","args":{"json":"1"}}]}""");

    assertThat(answer.path("applicable").asBoolean()).isFalse();
    assertThat(found(answer.path("diagnostics"))).containsExactly("error revision_conflict null");
    var save = (ObjectNode) Owner.parsed(Drafts.named("Applied"));
    save.put("expectedRevision", answer.path("baseRevision").asInt());
    ALICE
        .put("/api/workflows/" + id, save.toString())
        .then()
        .statusCode(409)
        .body("code", equalTo("WORKFLOW_REVISION_CONFLICT"));
  }

  @Test
  void whatCannotBeAFlowIsNotProposed() {
    var ok = "{\"id\":\"a\",\"toolName\":\"json_format\",\"args\":{\"json\":\"1\"}}";
    var b = ok.replace("\"a\"", "\"b\"");
    refused("", "", "at least one");
    refused("{\"id\":\"1a\",\"toolName\":\"json_format\"}", "", "must match");
    refused(ok.replace("\"a\"", "\"start\""), "", "reserved");
    refused(ok.replace("\"a\"", "\"n\""), "", "taken");
    refused(ok + "," + ok, "", "twice");
    refused("{\"id\":\"a\",\"toolName\":\"gone\"}", "", "no tool");
    refused("{\"id\":\"a\",\"toolName\":\"run_workflow_x\"}", "", "no tool");
    refused("{\"id\":\"a\",\"toolName\":\"json_format\"}", "", "missing arguments json");
    refused(ok, "{\"source\":\"a\",\"target\":\"z\"}", "unknown node z");
    refused(ok, "{\"source\":\"a\",\"target\":\"a\"}", "itself");
    refused(
        ok + "," + b,
        "{\"source\":\"a\",\"target\":\"b\"},{\"source\":\"b\",\"target\":\"a\"}",
        "wait for each other");
    refused(ok.replace("\"1\"", "\"{{inputs.x}}\""), "", "not declared");
    refused(ok.replace("\"1\"", "\"{{node.q.result}}\""), "", "unknown node");
    refused(ok.replace("\"1\"", "\"{{node.b.result}}\"") + "," + b, "", "no edges lead");
  }

  @Test
  void aFlowMayRunOnlyWhenWhatIsStoredIsWhatIsShown() {
    assertThat(runnable("{}")).isTrue();
    assertThat(runnable("{\"flowContext\":" + sound(",\"dirty\":true") + "}")).isFalse();
    assertThat(runnable("{\"flowContext\":" + sound(",\"revision\":9") + "}")).isFalse();
    assertThat(runnable("{\"flowContext\":" + sound(",\"dirty\":false,\"revision\":1") + "}"))
        .isTrue();
    assertThat(
            runnable(
                "{\"flowContext\":"
                    + context(
                        "{\"nodes\":[{\"id\":\"a\","
                            + "\"type\":\"tool\",\"data\":{\"toolName\":\"gone\"}}]}",
                        "")
                    + "}"))
        .isFalse();
  }

  @Test
  void aContextThatDoesNotFitIsRefused() {
    refusedContext(id, "{\"workflowId\":\"other\"}", "workflow_id_differs");
    refusedContext(id, "[]", "not_an_object");
    refusedContext("ghost", "{}", "workflow_unknown");
    var nodes = "{},".repeat(512) + "{}";
    refusedContext(id, "{\"graph\":{\"nodes\":[" + nodes + "]}}", "too_many_nodes");
    BOB.internal(path(id, "binding"), "{}").then().statusCode(400);
  }

  private void refusedContext(String workflow, String context, String reason) {
    ALICE
        .internal(path(workflow, "binding"), "{\"flowContext\":" + context + "}")
        .then()
        .statusCode(400)
        .body("code", equalTo("FLOW_CONTEXT_INVALID"))
        .body("params.reason", equalTo(reason));
  }

  private boolean runnable(String body) {
    var tools =
        body.equals("{}") ? "{\"tools\":" : body.substring(0, body.length() - 1) + ",\"tools\":";
    return Owner.json(ALICE.internal(path(id, "binding"), tools + TOOLS + "}"))
        .path("runnable")
        .asBoolean();
  }

  private String sound(String more) {
    return context(
        "{\"nodes\":[{\"id\":\"a\",\"type\":\"tool\",\"data\":{\"toolName\":\"json_format\","
            + "\"argsText\":\"{\\\"json\\\":\\\"1\\\"}\"}}],\"edges\":[]}",
        more);
  }

  private void refused(String nodes, String edges, String why) {
    var answer =
        edit(
            context("{\"nodes\":[{\"id\":\"n\",\"type\":\"note\"}],\"edges\":[]}", ""),
            "{\"name\":\"N\",\"goal\":\"g\",\"inputSchema\":{},\"nodes\":["
                + nodes
                + "],\"edges\":["
                + edges
                + "]}");
    assertThat(answer.path("kind").asText()).as(why).isEqualTo("flow_proposal_error");
    assertThat(answer.path("error").asText()).contains(why);
  }

  private String context(String graph, String more) {
    return "{\"workflowId\":\"%s\",\"snapshotId\":\"s-1\",\"graph\":%s%s}"
        .formatted(id, graph, more);
  }

  private JsonNode flow(String tool, String context) {
    return Owner.json(
        ALICE.internal(
            path(id, tool), "{\"flowContext\":" + context + ",\"tools\":" + TOOLS + "}"));
  }

  private JsonNode edit(String context, String arguments) {
    return Owner.json(
        ALICE.internal(
            path(id, "edit_current_flow"),
            "{\"flowContext\":%s,\"tools\":%s,\"arguments\":%s}"
                .formatted(context, TOOLS, arguments)));
  }

  private static String path(String workflow, String tool) {
    return "/internal/workflows/" + workflow + "/flow/" + tool;
  }

  private static java.util.List<String> found(JsonNode issues) {
    return StreamSupport.stream(issues.spliterator(), false)
        .map(
            issue ->
                issue.path("severity").asText()
                    + " "
                    + issue.path("code").asText()
                    + " "
                    + issue.path("nodeId").textValue())
        .toList();
  }
}
