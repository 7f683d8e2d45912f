package io.fengyu.workflow.compile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import io.fengyu.contract.plan.CompiledPlan;
import io.fengyu.contract.plan.PlanChecks;
import io.fengyu.contract.plan.PlanReader;
import io.fengyu.contract.problem.ProblemException;
import io.fengyu.workflow.json.ExactJson;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class CanvasCompilerTest {

  static LongStream seeds() {
    return LongStream.range(0, 300);
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void theOrderOfListsInTheGraphDoesNotMatter(long seed) {
    var canvas = new RandomCanvas(seed);

    var first = CanvasCompiler.compile(canvas.graph(1), "goal");
    var second = CanvasCompiler.compile(canvas.graph(2), "goal");

    assertThat(second.plan().toString()).isEqualTo(first.plan().toString());
    assertThat(second.layout().toString()).isEqualTo(first.layout().toString());
    assertThat(second.orderedIds()).isEqualTo(first.orderedIds());
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void compilingARebuiltCanvasGivesThePlanAgain(long seed) {
    var compiled = CanvasCompiler.compile(new RandomCanvas(seed).graph(1), "goal");

    var rebuilt = CanvasRebuilder.rebuild(compiled.plan(), compiled.layout());
    var again = CanvasCompiler.compile(rebuilt, "goal");

    assertThat(again.plan().toString()).isEqualTo(compiled.plan().toString());
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void theRunnerAcceptsWhatACanvasBecomes(long seed) {
    var plan = CanvasCompiler.compile(new RandomCanvas(seed).graph(1), "goal").plan();

    var read = PlanReader.read(plan);
    assertThat(read.problems()).isEmpty();
    assertThat(PlanChecks.structure(CompiledPlan.of(read.plan()), 64)).isEmpty();
  }

  @Test
  void ofTheNodesThatAreReadyTheLeftmostGoesFirstEvenIfItHasJustBecomeSo() {
    var compiled =
        compile(
            """
            {"nodes":[%s,%s,%s,%s],"edges":[{"source":"a","target":"late"}]}"""
                .formatted(
                    node("far", 900, 0, "{}"),
                    node("late", 20, 0, "{}"),
                    node("a", 10, 5, "{}"),
                    node("above", 10, 4, "{}")));

    assertThat(compiled.orderedIds()).containsExactly("above", "a", "late", "far");
    assertThat(compiled.layout().toString())
        .isEqualTo(
            "{\"0\":{\"x\":10,\"y\":4},\"1\":{\"x\":10,\"y\":5},"
                + "\"2\":{\"x\":20,\"y\":0},\"3\":{\"x\":900,\"y\":0}}");
  }

  @Test
  void edgesBecomeDependenciesAndBranchesConditions() {
    var plan =
        compile(
                """
                {"nodes":[%s,%s,%s],"edges":[
                  {"source":"b","target":"c"},{"source":"a","target":"c","sourceHandle":"true"},
                  {"source":"b","target":"c"},{"source":"c","target":"gone"}]}"""
                    .formatted(node("a", 1, 0, "{}"), node("b", 2, 0, "{}"), node("c", 3, 0, "{}")))
            .plan();

    var step = plan.path("steps").get(2);
    assertThat(step.path("dependsOn").toString()).isEqualTo("[0,1]");
    assertThat(step.path("runWhen").toString()).isEqualTo("[{\"step\":0,\"equals\":\"true\"}]");
    assertThat(plan.path("steps").get(0).has("runWhen")).isFalse();
  }

  @Test
  void referencesToNodesBecomeReferencesToStepsAndNumbersStayAsWritten() {
    var plan =
        compile(
                """
                {"nodes":[%s,%s],"edges":[]}"""
                    .formatted(
                        node("first-node", 1, 0, "{}"),
                        node(
                            "b",
                            2,
                            0,
                            """
                            {"n":1.50,"big":1e400,"k":["{{node.first-node.result.files[0].name}}"],
                             "t":"x {{inputs.a}} {{last.result}} {{node.first-node.input.q}} {{other}}"}""")))
            .plan();

    assertThat(plan.path("steps").get(1).path("args").toString())
        .isEqualTo(
            "{\"n\":1.50,\"big\":1E+400,\"k\":[\"{{steps.0.result.files[0].name}}\"],"
                + "\"t\":\"x {{inputs.a}} {{last.result}} {{steps.0.input.q}} {{other}}\"}");
  }

  @Test
  void aLongChainBeforeALongCycleIsRefusedByNamingTheCycleOnly() {
    var nodes = new StringBuilder();
    var edges = new StringBuilder();
    for (int i = 0; i < 512; i++) {
      nodes.append(i == 0 ? "" : ",").append(node("n" + i, i, 0, "{}"));
      edges
          .append(i == 0 ? "" : ",")
          .append("{\"source\":\"n%d\",\"target\":\"n%d\"}".formatted(i, i + 1));
    }
    edges.append(",{\"source\":\"n401\",\"target\":\"n400\"}");

    assertThatThrownBy(() -> compile("{\"nodes\":[" + nodes + "],\"edges\":[" + edges + "]}"))
        .isInstanceOfSatisfying(
            ProblemException.class,
            refusal ->
                assertThat(refusal.problem().params().get("nodeIds"))
                    .isEqualTo(java.util.List.of("n400", "n401")));
  }

  @Test
  void aPlanWrittenByHandIsDrawnInItsOwnOrder() throws JsonProcessingException {
    var plan =
        ExactJson.tree(
            """
            {"goal":"g","steps":[
              {"toolName":"t","id":"x","args":{}},
              {"toolName":"t","args":{"a":"{{node.x.result}}","b":"{{last.result.c}}"}},
              {"toolName":"t","dependsOn":[0],"runWhen":[{"step":1,"equals":"false"}]}]}""");
    var layout = ExactJson.tree("{\"0\":{\"x\":900.5,\"y\":0},\"1\":{\"x\":5,\"y\":0}}");

    var again = CanvasCompiler.compile(CanvasRebuilder.rebuild(plan, layout), "g").plan();

    JsonNode steps = again.path("steps");
    assertThat(steps.get(1).path("args").toString())
        .isEqualTo("{\"a\":\"{{steps.0.result}}\",\"b\":\"{{last.result.c}}\"}");
    assertThat(steps.get(2).path("dependsOn").toString()).isEqualTo("[0,1]");
    assertThat(steps.get(2).path("runWhen").toString())
        .isEqualTo("[{\"step\":1,\"equals\":\"false\"}]");
  }

  private static Compiled compile(String graph) {
    return CanvasCompiler.compile(ExactJson.stored(graph), "goal");
  }

  private static String node(String id, int x, int y, String args) {
    var node = ExactJson.object().put("id", id).put("type", "tool");
    node.putObject("position").put("x", x).put("y", y);
    node.putObject("data").put("toolName", "t").put("argsText", args);
    return node.toString();
  }
}
