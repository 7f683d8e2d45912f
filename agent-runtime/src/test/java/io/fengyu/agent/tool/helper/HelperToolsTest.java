package io.fengyu.agent.tool.helper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fengyu.agent.tool.Calls;
import io.fengyu.agent.tool.ToolException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class HelperToolsTest {

  private final Calls calls;

  HelperToolsTest(@TempDir Path root) {
    calls = new Calls(root);
  }

  @Test
  void echoReturnsItsArgumentsWithTheirTypes() throws Exception {
    assertThat(calls.text(new Echo(), "{'n':3,'t':'file a'}"))
        .isEqualTo("{\"n\":3,\"t\":\"file a\"}");
  }

  @Test
  void jsonFormatIndentsTextAndKeepsEveryDigit() throws Exception {
    assertThat(calls.text(new JsonFormat(), "{\"json\":\"{\\\"id\\\": 0.10000000000000000001}\"}"))
        .isEqualToNormalizingNewlines("{\n  \"id\" : 0.10000000000000000001\n}");
  }

  @Test
  void jsonFormatTakesAValueThatIsJsonAlready() throws Exception {
    assertThat(calls.result(new JsonFormat(), "{'json':{'id':7}}"))
        .isEqualTo(Calls.json("{'id':7}"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {"{'a':}|line 1", "''|empty", "{} {}|not valid", "nonsense|not valid"})
  void jsonFormatSaysWhereTextIsNoJson(String text, String message) {
    assertThatThrownBy(
            () -> calls.text(new JsonFormat(), "{\"json\":\"" + text.replace("'", "") + "\"}"))
        .isInstanceOf(ToolException.class)
        .hasMessageContaining(message);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{'left':3,'operator':'equals','right':'3.0'}|true",
        "{'left':'b','operator':'greater','right':'a'}|true",
        "{'left':'10','operator':'greater','right':9}|true",
        "{'left':[1,2],'operator':'contains','right':'2'}|true",
        "{'left':'','operator':'is_empty'}|true",
        "{'operator':'is_not_empty'}|false",
        "{'left':true,'operator':'is_true'}|true",
        "{'left':'a','right':'b'}|false"
      },
      quoteCharacter = '~')
  void flowIfNamesTheBranch(String args, String branch) throws Exception {
    assertThat(calls.result(new FlowIf(), args).path("branch").textValue()).isEqualTo(branch);
  }

  @Test
  void flowIfRefusesAnOrderBetweenUnlikeThings() {
    assertThatThrownBy(() -> calls.text(new FlowIf(), "{'left':[1],'operator':'less','right':2}"))
        .hasMessageContaining("order");
  }

  @Test
  void textTemplateFillsEveryPlaceAndNeverFillsAValue() throws Exception {
    assertThat(
            calls.text(
                new TextTemplate(),
                "{'template':'Dear ${name}, ${n}','values':{'name':'${n}','n':4}}"))
        .isEqualTo("Dear ${n}, 4");
  }

  @Test
  void textTemplateRefusesAPlaceWithoutAValue() {
    assertThatThrownBy(() -> calls.text(new TextTemplate(), "{'template':'${who}'}"))
        .hasMessageContaining("${who}");
  }

  @Test
  void failSaysWhy() {
    assertThatThrownBy(() -> calls.text(new Fail(), "{'message':'no rows'}")).hasMessage("no rows");
  }

  @Test
  void delayEndsEarlyWhenTheRunIsToStop() {
    calls.cancelled.set(true);

    assertThatThrownBy(() -> calls.text(new Delay(), "{'ms':60000}"))
        .isInstanceOf(InterruptedException.class);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {"{'ms':60001}", "{'ms':-1}", "{}", "{'ms':'soon'}"},
      quoteCharacter = '~')
  void delayRefusesWaitsOutsideOfItsBounds(String args) {
    assertThatThrownBy(() -> calls.text(new Delay(), args)).isInstanceOf(ToolException.class);
  }
}
