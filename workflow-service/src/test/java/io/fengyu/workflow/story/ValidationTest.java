package io.fengyu.workflow.story;

import static io.fengyu.workflow.story.Owner.ALICE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.hamcrest.Matchers.equalTo;

import com.fasterxml.jackson.databind.JsonNode;
import io.quarkus.test.junit.QuarkusTest;
import java.io.IOException;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

@QuarkusTest
class ValidationTest {

  /** A body that is refused, with the code and the parameters that it is refused with. */
  record Wrong(String what, String body, String code, String params) {

    @Override
    public String toString() {
      return what;
    }
  }

  static Stream<Wrong> wrongDefinitions() {
    return Stream.of(
            names(), plans(), numbers(), schemas(), steps(), dependencies(), layouts(), graphs())
        .flatMap(all -> all);
  }

  private static Stream<Wrong> names() {
    return Stream.of(
        wrong("no name", "{\"plan\":{\"steps\":[]}}", "WORKFLOW_NAME_REQUIRED", "{}"),
        wrong("null name", named("null"), "WORKFLOW_NAME_REQUIRED", "{}"),
        wrong("blank name", named("\" \\t\\u3000 \""), "WORKFLOW_NAME_REQUIRED", "{}"),
        wrong(
            "161 characters",
            named("\"" + "n".repeat(161) + "\""),
            "WORKFLOW_NAME_TOO_LONG",
            "{\"max\":160,\"actual\":161}"),
        wrong(
            "201 characters beyond the basic plane",
            named("\"" + "😀".repeat(201) + "\""),
            "WORKFLOW_NAME_TOO_LONG",
            "{\"max\":160,\"actual\":201}"));
  }

  private static Stream<Wrong> plans() {
    return Stream.of(
        wrong("neither plan nor graph", "{\"name\":\"A\"}", "WORKFLOW_PLAN_REQUIRED", "{}"),
        wrong("null plan", withPlan("null"), "WORKFLOW_PLAN_REQUIRED", "{}"),
        wrong("plan without steps", withPlan("{\"goal\":\"g\"}"), "WORKFLOW_PLAN_REQUIRED", "{}"),
        wrong("plan is a list", withPlan("[]"), "WORKFLOW_PLAN_REQUIRED", "{}"),
        wrong("steps are an object", withPlan("{\"steps\":{}}"), "WORKFLOW_PLAN_REQUIRED", "{}"),
        wrong(
            "empty graph instead of a plan",
            "{\"name\":\"A\",\"graph\":{}}",
            "WORKFLOW_PLAN_REQUIRED",
            "{}"),
        wrong(
            "65 steps",
            withSteps(repeat(65, i -> "{\"index\":" + i + ",\"toolName\":\"t\"}")),
            "WORKFLOW_TOO_MANY_STEPS",
            "{\"max\":64,\"actual\":65}"));
  }

  private static Stream<Wrong> numbers() {
    return Stream.of(
        wrong(
            "a step is no object",
            withSteps("{\"toolName\":\"t\"},7"),
            "WORKFLOW_STEP_INDEX",
            "{\"position\":1}"),
        wrong("numbered from 1", withSteps(step(1, "")), "WORKFLOW_STEP_INDEX", "{\"position\":0}"),
        wrong(
            "a gap",
            withSteps(step(0, "") + "," + step(2, "")),
            "WORKFLOW_STEP_INDEX",
            "{\"position\":1}"),
        wrong(
            "out of order",
            withSteps(step(1, "") + "," + step(0, "")),
            "WORKFLOW_STEP_INDEX",
            "{\"position\":0}"),
        wrong(
            "one step says no number",
            withSteps(step(0, "") + ",{\"toolName\":\"t\"}"),
            "WORKFLOW_STEP_INDEX",
            "{\"position\":1}"),
        wrong(
            "a number that is a text",
            withSteps("{\"index\":\"0\",\"toolName\":\"t\"},{\"index\":1,\"toolName\":\"t\"}"),
            "WORKFLOW_STEP_INDEX",
            "{\"position\":0}"));
  }

  private static Stream<Wrong> schemas() {
    return Stream.of(
        wrong(
            "schema of a list",
            withSchema("{\"type\":\"array\"}", "go", ""),
            "WORKFLOW_SCHEMA_NOT_OBJECT",
            "{}"),
        wrong(
            "schema with types",
            withSchema("{\"type\":[\"object\"]}", "go", ""),
            "WORKFLOW_SCHEMA_NOT_OBJECT",
            "{}"),
        wrong("schema is a list", withSchema("[]", "go", ""), "WORKFLOW_SCHEMA_NOT_OBJECT", "{}"),
        wrong(
            "properties are a list",
            withSchema("{\"properties\":[]}", "go", ""),
            "WORKFLOW_SCHEMA_NOT_OBJECT",
            "{}"),
        wrong(
            "goal and argument use what is not declared",
            withSchema("{}", "{{inputs.a}}", "{\"x\":[{\"y\":\"n={{ inputs.b.c }}\"}]}"),
            "WORKFLOW_UNDECLARED_INPUT",
            "{\"names\":[\"a\",\"b\"]}"),
        wrong(
            "each name once",
            withSchema(
                "{\"properties\":{\"k\":{}}}",
                "{{inputs.z}} {{inputs.k}}",
                "{\"x\":\"{{inputs.z}}\",\"y\":\"{{inputs.y[0]}}\"}"),
            "WORKFLOW_UNDECLARED_INPUT",
            "{\"names\":[\"z\",\"y\"]}"),
        wrong(
            "without a schema nothing is declared",
            withPlan("{\"goal\":\"{{inputs.a}}\",\"steps\":[]}"),
            "WORKFLOW_UNDECLARED_INPUT",
            "{\"names\":[\"a\"]}"));
  }

  private static Stream<Wrong> steps() {
    return Stream.of(
        nested("run_workflow_0f8c"),
        nested("run_workflow_"),
        nested("run_current_flow"),
        nested("task_submit_workflow"),
        nested("task_schedule"),
        retry("{\"maxAttempts\":0}", "maxAttempts", 1, 5),
        retry("{\"maxAttempts\":6}", "maxAttempts", 1, 5),
        retry("{\"maxAttempts\":2,\"backoffMs\":-1}", "backoffMs", 0, 30000),
        retry("{\"backoffMs\":30001}", "backoffMs", 0, 30000),
        wrong(
            "pin of 65 537 characters",
            withSteps(step(0, ",\"pinnedResult\":\"" + "p".repeat(65_537) + "\"")),
            "WORKFLOW_PIN_TOO_LARGE",
            "{\"step\":0,\"max\":65536}"),
        wrong(
            "large pin that is no text",
            withSteps(step(0, ",\"pinnedResult\":[\"" + "p".repeat(65_536) + "\"]")),
            "WORKFLOW_PIN_TOO_LARGE",
            "{\"step\":0,\"max\":65536}"));
  }

  private static Stream<Wrong> dependencies() {
    return Stream.of(
        dependency(",\"dependsOn\":[1]", "1"),
        dependency(",\"dependsOn\":[0,7]", "7"),
        dependency(",\"dependsOn\":[-1]", "-1"),
        dependency(",\"runWhen\":[{\"step\":1,\"equals\":\"true\"}]", "1"),
        dependency(",\"args\":{\"a\":\"{{steps.1.result}}\"}", "\"{{steps.1.result}}\""),
        dependency(
            ",\"args\":{\"a\":{\"b\":[\"x {{steps.3.input.q}}\"]}}", "\"{{steps.3.input.q}}\""),
        wrong(
            "nothing is before the first step",
            withSteps(step(0, ",\"args\":{\"a\":\"{{last.result}}\"}")),
            "WORKFLOW_STEP_DEPENDENCY",
            "{\"step\":0,\"reference\":\"{{last.result}}\"}"),
        wrong(
            "a node that is not there",
            withSteps(step(0, ",\"id\":\"n0\",\"args\":{\"a\":\"{{node.ghost.result}}\"}")),
            "WORKFLOW_REFERENCE_UNKNOWN",
            "{\"nodeId\":\"n0\",\"reference\":\"{{node.ghost.result}}\"}"),
        wrong(
            "a reference that is none",
            withSteps(step(0, ",\"args\":{\"a\":\"{{steps.x.result}}\"}")),
            "WORKFLOW_REFERENCE_UNKNOWN",
            "{\"nodeId\":\"step-0\",\"reference\":\"{{steps.x.result}}\"}"));
  }

  private static Stream<Wrong> layouts() {
    return Stream.of(
        layout("{\"1\":{\"x\":1,\"y\":2}}", "1"),
        layout("{\"00\":{\"x\":1,\"y\":2}}", "00"),
        layout("{\"a\":{\"x\":1,\"y\":2}}", "a"),
        layout("{\"0\":{\"x\":1e400,\"y\":2}}", "0"),
        layout("{\"0\":{\"x\":1}}", "0"),
        layout("{\"0\":{\"x\":\"1\",\"y\":2}}", "0"),
        layout("{\"0\":[1,2]}", "0"),
        layout("[]", ""));
  }

  private static Stream<Wrong> graphs() {
    var many = repeat(513, i -> "{\"id\":\"n" + i + "\",\"type\":\"note\"}");
    return Stream.of(
        graph("graph is a list", "[]", "not_an_object"),
        graph("nodes are an object", "{\"nodes\":{}}", "nodes_not_a_list"),
        graph("edges are a text", "{\"nodes\":[],\"edges\":\"x\"}", "edges_not_a_list"),
        graph("513 nodes", "{\"nodes\":[" + many + "]}", "too_many_nodes"),
        graph("1025 edges", "{\"edges\":[" + repeat(1025, i -> "{}") + "]}", "too_many_edges"),
        graph("a tool without id", nodes("{\"type\":\"tool\"}"), "node_id_missing"),
        graph(
            "a node without tool", nodes("{\"id\":\"a\",\"type\":\"tool\"}"), "tool_name_missing"),
        graph(
            "the same id twice",
            nodes(node("a", "{}") + "," + node("a", "{}")),
            "node_id_duplicate"),
        graph("arguments that are a list", nodes(node("a", "[]")), "args_not_an_object"),
        graph("arguments that are no JSON", nodes(node("a", "{")), "args_not_an_object"),
        graph(
            "a node out of the world",
            nodes("{\"id\":\"a\",\"type\":\"tool\",\"position\":{\"x\":1e400},\"data\":{}}"),
            "position_not_finite"),
        wrong(
            "a cycle with a way in and a way out",
            fromGraph(
                "{\"nodes\":["
                    + String.join(
                        ",", node("in", "{}"), node("a", "{}"), node("b", "{}"), node("out", "{}"))
                    + "],\"edges\":["
                    + String.join(
                        ",", edge("in", "a"), edge("a", "b"), edge("b", "a"), edge("b", "out"))
                    + "]}"),
            "WORKFLOW_GRAPH_CYCLE",
            "{\"nodeIds\":[\"a\",\"b\"]}"),
        wrong(
            "an edge to itself",
            fromGraph("{\"nodes\":[" + node("a", "{}") + "],\"edges\":[" + edge("a", "a") + "]}"),
            "WORKFLOW_GRAPH_CYCLE",
            "{\"nodeIds\":[\"a\"]}"),
        wrong(
            "a reference to an unknown node",
            fromGraph(nodes(node("a", "{\"x\":\"{{node.b.result}}\"}"))),
            "WORKFLOW_REFERENCE_UNKNOWN",
            "{\"nodeId\":\"a\",\"reference\":\"{{node.b.result}}\"}"),
        wrong(
            "a reference to a later node",
            fromGraph(nodes(node("a", "{\"x\":\"{{node.b.input.y}}\"}") + "," + node("b", "{}"))),
            "WORKFLOW_REFERENCE_UNKNOWN",
            "{\"nodeId\":\"a\",\"reference\":\"{{node.b.input.y}}\"}"),
        wrong(
            "a graph of 65 tools",
            fromGraph(nodes(repeat(65, i -> node("n" + i, "{}")))),
            "WORKFLOW_TOO_MANY_STEPS",
            "{\"max\":64,\"actual\":65}"));
  }

  @ParameterizedTest
  @MethodSource("wrongDefinitions")
  void aWrongDefinitionIsRefusedAlikeInBothLanguages(Wrong wrong) {
    var english = ALICE.post("/api/workflows", wrong.body(), "en").then().statusCode(400);
    var chinese = ALICE.post("/api/workflows", wrong.body(), "zh-CN").then().statusCode(400);

    JsonNode inEnglish = Owner.parsed(english.extract().asString());
    JsonNode inChinese = Owner.parsed(chinese.extract().asString());
    assertThat(inEnglish.path("code").textValue()).isEqualTo(wrong.code());
    assertThat(inEnglish.path("params")).isEqualTo(Owner.parsed(wrong.params()));
    assertThat(inChinese.path("code")).isEqualTo(inEnglish.path("code"));
    assertThat(inChinese.path("params")).isEqualTo(inEnglish.path("params"));
    assertThat(inEnglish.path("error").textValue()).doesNotContain(wrong.code(), "Exception");
    assertThat(inChinese.path("error")).isNotEqualTo(inEnglish.path("error"));
    assertThat(inChinese.path("title")).isNotEqualTo(inEnglish.path("title"));
  }

  @Test
  void aRefusedSaveLeavesTheStoredDefinitionUntouched() {
    var id = ALICE.created(Drafts.named("Kept"));
    var before = ALICE.definition(id);

    wrongDefinitions()
        .forEach(wrong -> ALICE.put("/api/workflows/" + id, wrong.body()).then().statusCode(400));

    assertThat(ALICE.definition(id)).isEqualTo(before);
  }

  @Test
  void everythingJustInsideItsLimitIsSaved() {
    ALICE.created(named("\"" + "😀".repeat(160) + "\""));
    ALICE.created(withSteps(repeat(64, i -> step(i, ""))));
    ALICE.created(withSteps(step(0, ",\"pinnedResult\":\"" + "p".repeat(65_536) + "\"")));
    ALICE.created(withSteps(step(0, ",\"retryPolicy\":{\"maxAttempts\":5,\"backoffMs\":30000}")));
    var nodes = repeat(512, i -> "{\"id\":\"n" + i + "\",\"type\":\"note\"}");
    ALICE.created(
        Drafts.with(
            "\"graph\":{\"nodes\":[" + nodes + "],\"edges\":[" + repeat(1024, i -> "{}") + "]}",
            Drafts.named("Wide")));
  }

  @Test
  void descriptionsAndKeysMaySayWhatTheyLike() {
    ALICE.created(
        withSteps(
            step(0, ",\"description\":\"{{inputs.x}} {{steps.9.result}}\"")
                + ","
                + step(
                    1, ",\"args\":{\"{{inputs.key}}\":\"{{other.x}} {{steps.0.result[0].a}}\"}")));
  }

  @Test
  void aBodyOfAnotherShapeIsRefused() {
    for (var body : new String[] {"", "[]", "\"x\"", "{", "{}{}", "{\"name\":\"a\",}", "nul"}) {
      ALICE
          .post("/api/workflows", body)
          .then()
          .statusCode(400)
          .body("code", equalTo("MALFORMED_JSON"));
    }
    var deep = "[".repeat(70) + "]".repeat(70);
    ALICE
        .post("/api/workflows", Drafts.with("\"graph\":{\"x\":" + deep + "}", Drafts.named("Deep")))
        .then()
        .statusCode(413)
        .body("code", equalTo("JSON_TOO_DEEP"));
    ALICE
        .post("/api/workflows", Drafts.with("\"description\":7", Drafts.named("Typed")))
        .then()
        .statusCode(400)
        .body("code", equalTo("INVALID_REQUEST"))
        .body("errors[0].pointer", equalTo("/description"));
    ALICE
        .post("/api/workflows", withSteps(step(0, ",\"args\":[]")))
        .then()
        .statusCode(400)
        .body("errors[0].pointer", equalTo("/plan/steps/0/args"));
    ALICE
        .post("/api/workflows", withSteps("{\"index\":0}"))
        .then()
        .statusCode(400)
        .body("errors[0].pointer", equalTo("/plan/steps/0/toolName"))
        .body("errors[0].code", equalTo("REQUIRED"));
  }

  @Test
  void aBodyOverFourMebibytesIsTooLargeAndOneBelowIsNot() throws IOException {
    var note = "n".repeat(4 * 1024 * 1024 - 1000);
    var draft = Drafts.with("\"graph\":{\"nodes\":[],\"x\":\"" + note + "\"}", Drafts.named("Big"));

    ALICE.created(draft);
    var tooLarge = draft + " ".repeat(1 << 20);
    assertThat(RawPost.answer("/api/workflows", tooLarge, false))
        .startsWith("HTTP/1.1 413")
        .contains("application/problem+json", "\"code\":\"BODY_TOO_LARGE\"");
    assertThat(RawPost.answer("/api/workflows", tooLarge, true))
        .startsWith("HTTP/1.1 413")
        .contains("application/problem+json", "\"code\":\"BODY_TOO_LARGE\"");
  }

  @Test
  void aNumberBeyondAllBoundsIsRefused() {
    ALICE
        .post(
            "/api/workflows",
            "{\"name\":\"n\",\"plan\":{\"steps\":[{\"index\":0,\"toolName\":\"echo\",\"args\":{\"n\":1e99999999999999}}]}}")
        .then()
        .statusCode(400)
        .body("code", equalTo("MALFORMED_JSON"));
  }

  @Test
  void aNameKeepsNoCharacterThatCannotBeStored() {
    ALICE
        .post("/api/workflows", named("\"a\\u0000b\""))
        .then()
        .statusCode(200)
        .body("name", equalTo("ab"));
    ALICE.created(Drafts.with("\"graph\":{\"x\":\"\\u0000\\ud800\"}", Drafts.named("Odd")));
  }

  private static Wrong wrong(String what, String body, String code, String params) {
    return new Wrong(what, body, code, params);
  }

  private static Wrong nested(String tool) {
    return wrong(
        tool,
        withSteps(step(0, "") + ",{\"index\":1,\"toolName\":\"" + tool + "\"}"),
        "WORKFLOW_NESTED_TOOL",
        "{\"step\":1,\"tool\":\"" + tool + "\"}");
  }

  private static Wrong retry(String policy, String field, int min, int max) {
    return wrong(
        policy,
        withSteps(step(0, ",\"retryPolicy\":" + policy)),
        "WORKFLOW_RETRY_RANGE",
        "{\"step\":0,\"field\":\"%s\",\"min\":%d,\"max\":%d}".formatted(field, min, max));
  }

  private static Wrong dependency(String members, String reference) {
    return wrong(
        members,
        withSteps(step(0, "") + "," + step(1, members)),
        "WORKFLOW_STEP_DEPENDENCY",
        "{\"step\":1,\"reference\":" + reference + "}");
  }

  private static Wrong layout(String layout, String key) {
    return wrong(
        "layout " + layout,
        Drafts.with("\"layout\":" + layout, Drafts.named("A")),
        "WORKFLOW_LAYOUT_INVALID",
        "{\"key\":\"" + key + "\"}");
  }

  private static Wrong graph(String what, String graph, String reason) {
    return wrong(
        what, fromGraph(graph), "WORKFLOW_GRAPH_INVALID", "{\"reason\":\"" + reason + "\"}");
  }

  private static String named(String name) {
    return "{\"name\":" + name + ",\"plan\":{\"steps\":[]}}";
  }

  private static String withPlan(String plan) {
    return "{\"name\":\"A\",\"plan\":" + plan + "}";
  }

  private static String withSteps(String steps) {
    return withPlan("{\"goal\":\"g\",\"steps\":[" + steps + "]}");
  }

  private static String withSchema(String schema, String goal, String args) {
    return "{\"name\":\"A\",\"inputSchema\":%s,\"plan\":{\"goal\":\"%s\",\"steps\":[%s]}}"
        .formatted(schema, goal, args.isEmpty() ? "" : step(0, ",\"args\":" + args));
  }

  private static String fromGraph(String graph) {
    return "{\"name\":\"A\",\"graph\":" + graph + "}";
  }

  private static String nodes(String nodes) {
    return "{\"nodes\":[" + nodes + "],\"edges\":[]}";
  }

  private static String node(String id, String args) {
    var text = args.replace("\\", "\\\\").replace("\"", "\\\"");
    return """
        {"id":"%s","type":"tool","position":{"x":1,"y":1},
         "data":{"toolName":"t","argsText":"%s"}}"""
        .formatted(id, text);
  }

  private static String edge(String source, String target) {
    return "{\"source\":\"%s\",\"target\":\"%s\"}".formatted(source, target);
  }

  private static String step(int index, String members) {
    return "{\"index\":%d,\"toolName\":\"t\"%s}".formatted(index, members);
  }

  private static String repeat(int times, IntFunction<String> element) {
    return IntStream.range(0, times).mapToObj(element).collect(Collectors.joining(","));
  }
}
