package io.fengyu.workflow.story;

import static io.fengyu.workflow.story.Owner.ALICE;
import static org.hamcrest.Matchers.equalTo;

import io.quarkus.test.junit.QuarkusTest;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Input contracts that use more of JSON Schema than a form shows. */
@QuarkusTest
class ContractTest {

  private static final String RICH =
      """
      {"$schema":"DRAFT","type":"object","properties":{
        "mail":{"type":"string","pattern":"^[^@]+@[^@]+$"},
        "one":{"oneOf":[{"type":"string"},{"type":"integer"}]},
        "size":{"$ref":"#/definitions/size"},
        "whole":{"type":"integer","multipleOf":5},
        "book":{"type":"file"},
        "tags":{"type":"array","uniqueItems":true}},
       "dependencies":{"one":["mail"]},"dependentRequired":{"one":["mail"]},
       "definitions":{"size":{"type":"object","properties":{"w":{"type":"number"}},
         "required":["w"]}}}""";

  record Refused(String inputs, String code, String param, String value) {}

  static Stream<Refused> refused() {
    return Stream.of(
        new Refused("{\"mail\":\"x\"}", "WORKFLOW_INPUT_INVALID", "keyword", "pattern"),
        new Refused("{\"mail\":\"a@b\",\"one\":true}", "WORKFLOW_INPUT_INVALID", "name", "one"),
        new Refused("{\"size\":{\"w\":\"wide\"}}", "WORKFLOW_INPUT_TYPE", "name", "size.w"),
        new Refused("{\"size\":{}}", "WORKFLOW_INPUT_MISSING", "names[0]", "size.w"),
        new Refused("{\"whole\":7}", "WORKFLOW_INPUT_INVALID", "keyword", "multipleOf"),
        new Refused("{\"tags\":[1,1]}", "WORKFLOW_INPUT_INVALID", "keyword", "uniqueItems"));
  }

  @ParameterizedTest
  @MethodSource("refused")
  void bothDraftsRefuseWhatTheirKeywordsForbid(Refused wrong) {
    for (var draft :
        new String[] {
          "https://json-schema.org/draft/2020-12/schema", "http://json-schema.org/draft-07/schema#"
        }) {
      ALICE
          .internal(
              "/internal/workflows/" + rich(draft) + "/bound?draft=true", inputs(wrong.inputs))
          .then()
          .statusCode(400)
          .body("code", equalTo(wrong.code))
          .body("params." + wrong.param, equalTo(wrong.value));
    }
  }

  @Test
  void whatKeepsTheContractIsTaken() {
    var id = rich("https://json-schema.org/draft/2020-12/schema");
    for (var good :
        new String[] {
          "{}",
          "{\"mail\":\"a@b\",\"one\":3.0,\"book\":\"@file:x\"}",
          "{\"mail\":null,\"size\":{\"w\":1}}",
          "{\"whole\":10.0,\"tags\":[1,2]}"
        }) {
      ALICE
          .internal("/internal/workflows/" + id + "/bound?draft=true", inputs(good))
          .then()
          .statusCode(200);
    }
  }

  @Test
  void aSchemaThatIsNoneIsRefusedWhenItIsSaved() {
    for (var schema :
        new String[] {
          "{\"properties\":{\"a\":{\"pattern\":\"(\"}}}",
          "{\"properties\":{\"a\":{\"$ref\":\"#/nowhere\"}}}",
          "{\"properties\":{\"a\":{\"$ref\":\"http://127.0.0.1:1/schema\"}}}",
          "{\"properties\":{\"a\":{\"$ref\":\"file:///etc/passwd\"}}}",
          "{\"properties\":{\"a\":{\"anyOf\":7}}}"
        }) {
      ALICE
          .post("/api/workflows", Drafts.of("[]", schema))
          .then()
          .statusCode(400)
          .body("code", equalTo("INVALID_REQUEST"))
          .body("errors[0].code", equalTo("SCHEMA"));
    }
  }

  private static String rich(String draft) {
    var step = "[{\"index\":0,\"toolName\":\"json_format\",\"args\":{}}]";
    return ALICE.created(Drafts.of(step, RICH.replace("DRAFT", draft)));
  }

  private static String inputs(String inputs) {
    return "{\"inputs\":" + inputs + "}";
  }
}
