package io.fengyu.workflow.compile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.fengyu.contract.problem.ProblemException;
import io.fengyu.workflow.json.ExactJson;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The vectors that a page in a browser proves itself against too. */
class CanvasVectorsTest {

  private static final Path VECTORS = Path.of("..", "docs", "vectors");
  private static final ObjectMapper JSON = new ObjectMapper();

  record Case(String name, JsonNode given) {

    JsonNode at(String member) {
      return given.path(member);
    }

    @Override
    public String toString() {
      return name;
    }
  }

  static Stream<Case> compiled() {
    return cases("canvas-compile.json");
  }

  static Stream<Case> refused() {
    return cases("canvas-refuse.json");
  }

  static Stream<Case> rebuilt() {
    return cases("canvas-rebuild.json");
  }

  static Stream<Case> contracts() {
    return cases("start-contract.json");
  }

  @ParameterizedTest
  @MethodSource("compiled")
  void aCanvasBecomesThisPlan(Case one) {
    var compiled = CanvasCompiler.compile(one.at("graph"), one.at("goal").asText());

    assertThat(plain(compiled.plan())).isEqualTo(plain(one.at("plan")));
    assertThat(plain(compiled.layout())).isEqualTo(plain(one.at("layout")));
    assertThat(plain(JSON.valueToTree(compiled.orderedIds())))
        .isEqualTo(plain(one.at("orderedIds")));
  }

  @ParameterizedTest
  @MethodSource("refused")
  void aCanvasThatDoesNotCompileIsRefusedLikeThis(Case one) {
    assertThatThrownBy(() -> CanvasCompiler.compile(one.at("graph"), "Go"))
        .isInstanceOfSatisfying(
            ProblemException.class,
            refusal -> {
              assertThat(refusal.problem().code()).isEqualTo(one.at("code").asText());
              assertThat(plain(JSON.valueToTree(refusal.problem().params())))
                  .isEqualTo(plain(one.at("params")));
            });
  }

  @ParameterizedTest
  @MethodSource("rebuilt")
  void aPlanWithoutCanvasIsDrawnLikeThisAndCompilesToItself(Case one) {
    var graph = CanvasRebuilder.rebuild(one.at("plan"), one.at("layout"));

    assertThat(plain(graph)).isEqualTo(plain(one.at("graph")));
    assertThat(plain(CanvasCompiler.compile(graph, "Go").plan())).isEqualTo(plain(one.at("plan")));
  }

  @ParameterizedTest
  @MethodSource("contracts")
  void theFieldsOfAStartNodeDeclareThis(Case one) {
    var graph = ExactJson.object();
    var start = graph.putArray("nodes").addObject().put("id", "start_1").put("type", "start");
    start.putObject("data").set("fields", one.at("fields"));

    assertThat(StartContract.of(graph).map(CanvasVectorsTest::plain))
        .contains(plain(one.at("schema")));
  }

  private static Stream<Case> cases(String file) {
    try {
      var cases = ExactJson.tree(Files.readString(VECTORS.resolve(file))).path("cases");
      assertThat(cases).isNotEmpty();
      return StreamSupport.stream(cases.spliterator(), false)
          .map(one -> new Case(one.path("name").asText(), one));
    } catch (IOException unreadable) {
      throw new IllegalStateException(unreadable);
    }
  }

  /** As another program would read it: 3 and 3.0 are one number. */
  private static JsonNode plain(JsonNode tree) {
    try {
      return JSON.readTree(tree.toString());
    } catch (IOException broken) {
      throw new AssertionError(broken);
    }
  }
}
