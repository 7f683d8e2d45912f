package io.fengyu.agent.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.fengyu.agent.journal.EventType;
import org.junit.jupiter.api.Test;

/** What steps take from each other, and what of it is shown. */
class StepReferencesTest extends ExecutionScene {

  @Test
  void referencesKeepTheirTypesAndReachDeep() {
    run(
        "{'steps':[{'id':'n0','toolName':'echo','pinnedResult':{'files':[{'name':'a','n':3}]}},"
            + "{'toolName':'echo','args':{'n':'{{steps.0.result.files[0].n}}',"
            + "'t':'file {{node.n0.result.files[0].name}}','deep':[{'x':['{{steps.0.result}}']}]}}]}");

    assertThat(echo.calls).hasSize(1);
    assertThat(echo.calls.getFirst().args())
        .isEqualTo(json("{'n':3,'t':'file a','deep':[{'x':[{'files':[{'name':'a','n':3}]}]}]}"));
  }

  @Test
  void aPlainTextResultIsAString() {
    add(TestTool.reading("text", call -> "12 apples"));

    run("{'steps':[{'toolName':'text'},{'toolName':'echo','args':{'v':'{{last.result}}'}}]}");

    assertThat(echo.calls.getFirst().args()).isEqualTo(json("{'v':'12 apples'}"));
    assertThat(log.data(EventType.STEP_COMPLETE).getFirst().has("output")).isFalse();
  }

  @Test
  void aReferenceThatLeadsNowhereFailsItsStepBeforeTheTool() {
    run(
        "{'steps':[{'toolName':'echo','args':{'a':[1]}},"
            + "{'toolName':'echo','args':{'v':'{{steps.0.result.a[4]}}'}}]}");

    assertThat(echo.calls).hasSize(1);
    assertThat(only(EventType.STEP_FAILED).path("error").asText()).contains("steps.0.result.a[4]");
    assertFailed(1, "steps.0.result.a[4]");
  }

  @Test
  void resultTextIsInert() {
    add(TestTool.reading("evil", call -> "{{steps.0.result}} @file:book"));

    run(
        "{'steps':[{'toolName':'evil'},{'toolName':'echo','args':{'v':'{{last.result}}'}},"
            + "{'toolName':'echo','args':{'v':'{{steps.1.result.v}}','w':'{{inputs.q}}'}}]}",
        json("{'q':'{{steps.0.result}}'}"));

    assertThat(echo.calls.get(1).args())
        .isEqualTo(json("{'v':'{{steps.0.result}} @file:book','w':'{{steps.0.result}}'}"));
  }

  @Test
  void anEarlierArgumentCanBeReadButNotASecretOne() {
    run(
        "{'steps':[{'toolName':'echo','args':{'a':{'b':7},'apiKey':'k'}},"
            + "{'toolName':'echo','args':{'v':'{{steps.0.input.a.b}}'}},"
            + "{'toolName':'echo','args':{'v':'{{steps.0.input.apiKey}}'}}]}");

    assertThat(echo.calls).hasSize(2);
    assertFailed(2, "sensitive");
  }

  @Test
  void secretsReachTheToolAndNobodyElse() {
    run(
        "{'steps':[{'toolName':'echo','args':{'password':'p1','db':{'api_key':'{{inputs.k}}'},'n':1}}]}",
        json("{'k':'k1'}"));

    assertThat(echo.calls.getFirst().args().toString()).contains("p1", "k1");
    assertThat(only(EventType.STEP_START).path("args"))
        .isEqualTo(json("{'password':'***','db':{'api_key':'***'},'n':1}"));
  }

  @Test
  void aReferenceToASkippedStepFails() {
    run(
        "{'steps':[{'toolName':'echo'},"
            + "{'toolName':'echo','dependsOn':[0],'runWhen':[{'step':0,'equals':'x'}]},"
            + "{'toolName':'echo','dependsOn':[0],'args':{'v':'{{steps.1.result.a}}'}}]}");

    assertFailed(2, "steps.1.result.a");
  }

  @Test
  void grantedFilesAreReplacedWhereACallerNamedThem() {
    run(
        "{'steps':[{'toolName':'echo','args':{'f':'@file:book','x':['@file:book',{'y':'{{inputs.b}}'}]}},"
            + "{'toolName':'echo','args':{'f':'{{steps.0.input.f}}'}}]}",
        json("{'b':'@file:book'}"));

    assertThat(echo.calls.getFirst().args())
        .isEqualTo(
            json(
                "{'f':'/granted/book.xlsx','x':['/granted/book.xlsx',{'y':'/granted/book.xlsx'}]}"));
    assertThat(echo.calls.get(1).args()).isEqualTo(json("{'f':'/granted/book.xlsx'}"));
    assertThat(log.data(EventType.STEP_START).getFirst().path("args").path("f").asText())
        .isEqualTo("@file:book");
  }

  @Test
  void aFileThatWasNotGrantedFailsTheStep() {
    run("{'steps':[{'toolName':'echo','args':{'f':'@file:other'}}]}");

    assertThat(echo.calls).isEmpty();
    assertFailed(0, "no granted file");
  }
}
