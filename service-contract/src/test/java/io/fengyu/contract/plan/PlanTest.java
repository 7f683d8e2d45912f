package io.fengyu.contract.plan;

import static io.fengyu.contract.plan.ReferencesTest.json;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fengyu.contract.problem.ProblemException;
import java.util.List;
import org.junit.jupiter.api.Test;

class PlanTest {

  @Test
  void whatCameIsKept() throws Exception {
    var came =
        json(
            "{'goal':'g','reasoning':'r','colour':{'x':1},'steps':[{'index':0,'id':'n1','toolName':'t',"
                + "'args':{'a':[1.50]},'description':'d','requiresApproval':true,'dependsOn':[],"
                + "'pinnedResult':null,'retryPolicy':{'maxAttempts':3,'backoffMs':500},"
                + "'note':[1,2]}]}");

    assertThat(PlanReader.read(came).plan().toJson()).isEqualTo(came);
    var mapper = new ObjectMapper();
    assertThat(
            mapper.readTree(mapper.writeValueAsString(mapper.treeToValue(came, AgentPlan.class))))
        .isEqualTo(came);
  }

  @Test
  void aBareStepGetsItsDefaults() {
    var plan = plan("{'steps':[{'toolName':'a'},{'toolName':'b','pinnedResult':{'n':1}}]}");

    assertThat(plan.steps().get(1).index()).isEqualTo(1);
    assertThat(plan.steps().get(1).nodeId()).isEqualTo("step-1");
    assertThat(plan.steps().get(1).pinnedResult()).isEqualTo("{\"n\":1}");
    assertThat(plan.steps().getFirst().args()).isEmpty();
    assertThat(plan.steps().getFirst().dependsOn()).isEmpty();
  }

  @Test
  void whatIsNoPlanIsRefused() {
    for (var text : List.of("[]", "{}", "{'steps':{}}", "{'steps':[1]}", "'x'", "{'steps':null}")) {
      assertThatThrownBy(() -> PlanReader.read(json(text)))
          .as(text)
          .isInstanceOf(ProblemException.class)
          .hasMessage("PLAN_MALFORMED");
    }
  }

  @Test
  void mistakesInFieldsAreNamedNotRefused() {
    var read =
        PlanReader.read(
            json(
                "{'goal':7,'steps':[{'toolName':3,'args':[],'dependsOn':['x'],'requiresApproval':'yes',"
                    + "'retryPolicy':{'maxAttempts':'3'},'runWhen':[{}],'index':'0'}]}"));

    assertThat(read.problems()).extracting(PlanProblem::code).containsOnly("FIELD_TYPE").hasSize(8);
    assertThat(read.problems().get(1).message()).startsWith("Step 0: index must be");
  }

  @Test
  void indexesAreContiguousOrAbsent() {
    assertThat(PlanReader.read(json("{'steps':[{'index':0},{'index':2}]}")).problems())
        .extracting(PlanProblem::code)
        .containsExactly("STEP_INDEX");
    assertThat(PlanReader.read(json("{'steps':[{'index':1},{}]}")).problems()).hasSize(2);
  }

  @Test
  void referencesAndConditionsAreDependencies() {
    var plan =
        plan(
            "{'steps':[{'id':'n0','toolName':'a'},{'toolName':'a'},{'toolName':'a'},"
                + "{'toolName':'a','dependsOn':[1],'args':{'x':'{{node.n0.result}} {{last.result.y}}'}}]}");

    assertThat(CompiledPlan.of(plan).steps().get(3).dependencies()).containsExactly(0, 1, 2);
  }

  @Test
  void aSoundPlanHasNoProblems() {
    assertThat(
            structure(
                "{'steps':[{'id':'n0','toolName':'a'},{'toolName':'a','dependsOn':[0],"
                    + "'args':{'x':'{{last.result}}{{node.n0.result}}{{inputs.q}}'},"
                    + "'retryPolicy':{'maxAttempts':5,'backoffMs':30000}}]}"))
        .isEmpty();
  }

  @Test
  void everyBrokenRuleIsNamed() {
    assertThat(
            structure(
                "{'steps':[{'id':'x','toolName':'','args':{'a':'{{last.result}}'}},"
                    + "{'id':'x','toolName':'a','dependsOn':[1,-1],'runWhen':[{'step':5,'equals':'t'}]},"
                    + "{'toolName':'a','args':{'a':'{{steps.2.result}}','b':['{{node.q.result}}','{{steps.x}}']},"
                    + "'retryPolicy':{'maxAttempts':6,'backoffMs':30001}}]}"))
        .extracting(PlanProblem::code)
        .containsExactly(
            "NODE_ID_DUPLICATE",
            "TOOL_MISSING",
            "REFERENCE_LAST_FIRST",
            "DEPENDENCY_INVALID",
            "DEPENDENCY_INVALID",
            "CONDITION_INVALID",
            "RETRY_ATTEMPTS",
            "RETRY_BACKOFF",
            "REFERENCE_MALFORMED",
            "REFERENCE_FORWARD",
            "REFERENCE_NODE_UNKNOWN");
  }

  @Test
  void twoHundredStepsAreAllowedAndNoMore() {
    assertThat(structure(steps(200))).isEmpty();
    assertThat(structure(steps(201)))
        .extracting(PlanProblem::code)
        .containsExactly("STEPS_TOO_MANY");
  }

  @Test
  void toolsDecideAboutRetriesReadingAndResults() {
    var schema =
        json(
            "{'type':'object','additionalProperties':false,'properties':{'files':{'type':'array','items':"
                + "{'additionalProperties':false,'properties':{'name':{}}}}}}");
    var compiled =
        CompiledPlan.of(
            plan(
                "{'steps':[{'toolName':'r'},{'toolName':'w','retryPolicy':{'maxAttempts':2}},"
                    + "{'toolName':'q'},{'toolName':'r','args':{'a':'{{steps.0.result.files[0].name.x}}',"
                    + "'b':'{{steps.0.result.files[0].size}}','c':'{{steps.0.result.file}}'}}]}"));

    var problems =
        PlanChecks.tools(
            compiled,
            tool ->
                switch (tool) {
                  case "r" -> new ToolFacts(true, true, schema);
                  case "w" -> new ToolFacts(false, false, null);
                  default -> null;
                },
            true);

    assertThat(problems)
        .extracting(PlanProblem::code)
        .containsExactly(
            "NOT_RETRY_SAFE",
            "NOT_READ_ONLY",
            "TOOL_UNKNOWN",
            "RESULT_PATH_UNKNOWN",
            "RESULT_PATH_UNKNOWN");
    assertThat(problems.getFirst().message()).contains("not retry-safe");
  }

  @Test
  void inputsWithoutAValueAreNamed() {
    var compiled =
        CompiledPlan.of(plan("{'steps':[{'toolName':'a','args':{'x':'{{inputs.a.b}}'}}]}"));

    assertThat(PlanChecks.inputs(compiled, "{{inputs.g}}", (ObjectNode) json("{'a':{'c':1}}")))
        .extracting(problem -> problem.params().get("name"))
        .containsExactly("g", "a");
    assertThat(PlanChecks.inputs(compiled, null, (ObjectNode) json("{'a':{'b':null}}"))).isEmpty();
  }

  @Test
  void aRemovedStepMovesTheOthersAlong() {
    var edit =
        PlanEdit.read(
            json(
                "{'steps':[{'index':2,'toolName':'c'},{'index':0,'toolName':'a'},"
                    + "{'index':3,'toolName':'d','dependsOn':[2],'runWhen':[{'step':0,'equals':'t'}],"
                    + "'args':{'x':'{{steps.2.result.q}} {{node.step-0.result}}'}}]}"));

    var last = edit.plan().steps().getLast();
    assertThat(edit.problems()).isEmpty();
    assertThat(edit.plan().steps()).extracting(AgentStep::toolName).containsExactly("c", "a", "d");
    assertThat(last.dependsOn()).containsExactly(0);
    assertThat(last.runWhen().getFirst().step()).isEqualTo(1);
    assertThat(last.args().get("x").asText())
        .isEqualTo("{{steps.0.result.q}} {{node.step-1.result}}");
  }

  @Test
  void namingARemovedOrLaterStepIsAProblem() {
    var edit =
        PlanEdit.read(
            json(
                "{'steps':[{'index':2,'toolName':'c','dependsOn':[0,1]},{'index':0,'toolName':'a'}]}"));

    assertThat(edit.problems())
        .extracting(PlanProblem::code)
        .containsExactly("STEP_LATER", "STEP_REMOVED");
  }

  @Test
  void anEditInOrderIsTakenAsItIs() {
    assertThat(PlanEdit.read(json("{'steps':[{'index':0},{'index':1}]}")).problems()).isEmpty();
    assertThat(PlanEdit.read(json("{'steps':[{},{}]}")).problems()).isEmpty();
    assertThat(PlanEdit.read(json("{'steps':[{'index':1},{'index':1}]}")).problems()).isNotEmpty();
  }

  private static List<PlanProblem> structure(String text) {
    return PlanChecks.structure(CompiledPlan.of(plan(text)), PlanChecks.MAX_STEPS);
  }

  private static String steps(int n) {
    return "{'steps':[" + "{'toolName':'a'},".repeat(n - 1) + "{'toolName':'a'}]}";
  }

  private static AgentPlan plan(String text) {
    JsonNode json = json(text);
    return PlanReader.read(json).plan();
  }
}
