package io.fengyu.contract.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import io.fengyu.contract.plan.Reference.Side;
import io.fengyu.contract.plan.Reference.Source;
import io.fengyu.contract.plan.ValuePath.Part;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class ReferencesTest {

  private static final ObjectMapper JSON = new ObjectMapper();
  private static final JsonNode RESULT =
      json("{'files':[{'name':'a','n':3,'größe':1.5,'x y':true}],'文件':{'数':[10,20]},'no':null}");

  @Test
  void aWholePlaceholderKeepsTheTypeOfItsValue() {
    assertThat(resolve("{{steps.0.result.files[0].n}}")).isEqualTo(json("3"));
    assertThat(resolve("{{steps.0.result.files[0]['x y']}}")).isEqualTo(json("true"));
    assertThat(resolve("{{steps.0.result.files}}")).isEqualTo(RESULT.get("files"));
    assertThat(resolve("{{ steps.0.result }}")).isEqualTo(RESULT);
  }

  @Test
  void anEmbeddedPlaceholderBecomesText() {
    assertThat(resolve("file {{steps.0.result.files[0].name}}, {{steps.0.result.files[0].n}}"))
        .isEqualTo(TextNode.valueOf("file a, 3"));
    assertThat(resolve("{{steps.0.result.文件.数}}!")).isEqualTo(TextNode.valueOf("[10,20]!"));
    assertThat(resolve(" {{steps.0.result.files[0].n}}")).isEqualTo(TextNode.valueOf(" 3"));
  }

  @Test
  void keysOfAnyScriptAndQuotedKeysAreFollowed() {
    assertThat(resolve("{{steps.0.result.files[0].größe}}")).isEqualTo(json("1.5"));
    assertThat(resolve("{{steps.0.result.文件.数[1]}}")).isEqualTo(json("20"));
    assertThat(resolve("{{steps.0.result[\"文件\"].数[0]}}")).isEqualTo(json("10"));
  }

  @Test
  void substitutedTextIsNotReadAgain() {
    var template = TextTemplate.parse("{{steps.0.result.a}} and {{steps.0.result.b}}");

    var text =
        template.render(
            ref ->
                json("{'a':'{{steps.0.result.b}}','b':'{{'}")
                    .get(((Part.Key) ref.path().parts().getFirst()).name()));

    assertThat(text).isEqualTo("{{steps.0.result.b}} and {{");
  }

  @Test
  void whatLeadsNowhereNamesItsPath() {
    assertFails("{{steps.0.result.files[7].name}}", "steps.0.result.files[7]", "out of range");
    assertFails("{{steps.0.result.files[0].nope}}", "steps.0.result.files[0].nope");
    assertFails("{{steps.0.result.files.name}}", "steps.0.result.files.name", "an array");
    assertFails("x {{steps.0.result.no}}", "steps.0.result.no", "null");
  }

  @Test
  void otherBracesAreOrdinaryText() {
    for (var text :
        List.of(
            "{{name}}",
            "{{last}}",
            "{{ steps }}",
            "{{}}",
            "{{",
            "}}",
            "{{stepsize.x}}",
            "a{b}",
            "{{{x}}}",
            "")) {
      var template = TextTemplate.parse(text);
      assertThat(template.constant()).as(text).isTrue();
      assertThat(template.malformed()).as(text).isEmpty();
      assertThat(template.resolve(ref -> RESULT)).as(text).isEqualTo(TextNode.valueOf(text));
    }
  }

  @Test
  void threeBracesHoldAPlaceholder() {
    assertThat(resolve("{{{steps.0.result.files[0].n}}}")).isEqualTo(TextNode.valueOf("{3}"));
  }

  @Test
  void whatOnlyBeginsLikeAReferenceIsMalformed() {
    for (var text :
        List.of(
            "{{steps.x.result}}",
            "{{steps.0.output}}",
            "{{steps.0}}",
            "{{last.input}}",
            "{{steps.0.result.}}",
            "{{steps.0.result[}}",
            "{{steps.0.result[-1]}}",
            "{{inputs.}}",
            "{{steps.0.result.a b}}",
            "{{node.n1}}",
            "{{inputs.x",
            "{{steps.0.result['a}}",
            "{{steps.0.result[\"a\\",
            "{{steps.99999999999.result}}",
            "{{inputs[0]}}")) {
      assertThat(TextTemplate.parse(text).malformed()).as(text).hasSize(1);
    }
  }

  @Test
  void argumentsAreResolvedAtAnyDepthAndOnlyWhereNeeded() {
    var args = (ObjectNode) json("{'a':[{'b':'{{last.result.n}}'}],'c':{'d':[1,{'e':'x'}]}}");

    var resolved = ArgsTemplate.compile(args).resolve(ref -> json("4"));

    assertThat(resolved).isEqualTo(json("{'a':[{'b':4}],'c':{'d':[1,{'e':'x'}]}}"));
    assertThat(resolved.get("c")).isSameAs(args.get("c"));
  }

  @Test
  void inputsAreBoundWithTheirTypeAndStayInert() {
    var inputs =
        (ObjectNode) json("{'count':3,'cfg':{'dry':true},'evil':'{{steps.0.result}}','none':null}");

    assertThat(
            InputBinding.args(
                (ObjectNode)
                    json(
                        "{'a':'{{inputs.count}}','b':'n={{ inputs.count }}','c':'{{inputs.cfg}}',"
                            + "'d':'c={{inputs.cfg}}','e':['{{inputs.cfg.dry}}'],'f':'{{inputs.evil}}','g':'{{inputs.none}}',"
                            + "'h':'{{steps.0.result.x}}'}"),
                inputs))
        .isEqualTo(
            json(
                "{'a':3,'b':'n=3','c':{'dry':true},'d':'c={\\'dry\\':true}','e':[true],"
                    + "'f':'{{steps.0.result}}','g':null,'h':'{{steps.0.result.x}}'}"));
    assertThat(InputBinding.goal("Split {{inputs.count}} {{inputs.evil}}", inputs))
        .isEqualTo("Split 3 {{steps.0.result}}");
    assertThatThrownBy(() -> InputBinding.goal("{{inputs.other}}", inputs))
        .hasMessage("inputs.other has no value");
  }

  @Test
  void everyReferenceIsReadBackFromItsOwnText() {
    var random = new Random(11);
    for (int i = 0; i < 20_000; i++) {
      var reference = randomReference(random);
      var before = "a".repeat(random.nextInt(3));
      var template = TextTemplate.parse(before + reference + "{{" + reference);

      assertThat(template.references())
          .as(reference.toString())
          .containsExactly(reference, reference);
      assertThat(template.malformed()).isEmpty();
    }
  }

  @Test
  void noTextMakesTheScannerStumble() {
    var random = new Random(12);
    var alphabet = "{{}}}[]\"'\\. -_09az文😀stepslastnodeinputsresult";
    var words =
        List.of("{{", "}}", "steps", "last", "node", "inputs", ".", "result", "[", "]", "0", "\"");
    for (int i = 0; i < 50_000; i++) {
      var text = new StringBuilder();
      for (int n = random.nextInt(12); n >= 0; n--) {
        text.append(
            random.nextBoolean()
                ? words.get(random.nextInt(words.size()))
                : alphabet.charAt(random.nextInt(alphabet.length())));
      }
      var template = TextTemplate.parse(text.toString());

      assertThat(template.rewrite(reference -> reference)).isEqualTo(text.toString());
      assertThat(template.render(ref -> TextNode.valueOf("")))
          .hasSizeLessThanOrEqualTo(text.length());
    }
  }

  @Test
  void aDeepPathIsFollowedToItsEnd() {
    JsonNode value = json("'end'");
    var path = new StringBuilder();
    for (int i = 0; i < 400; i++) {
      value =
          i % 2 == 0 ? JSON.createObjectNode().set("k", value) : JSON.createArrayNode().add(value);
    }
    for (int i = 399; i >= 0; i--) {
      path.append(i % 2 == 0 ? ".k" : "[0]");
    }
    var root = value;

    assertThat(
            TextTemplate.parse("{{last.result" + path + "}}")
                .resolve(ref -> ref.path().in(root, "r")))
        .isEqualTo(TextNode.valueOf("end"));
  }

  private static Reference randomReference(Random random) {
    var side = random.nextBoolean() ? Side.RESULT : Side.INPUT;
    Source source =
        switch (random.nextInt(4)) {
          case 0 -> new Source.Step(random.nextInt(200), side);
          case 1 -> new Source.Last();
          case 2 -> new Source.Node(key(random), side);
          default -> new Source.Input(key(random));
        };
    var parts = new ArrayList<Part>();
    for (int n = random.nextInt(5); n > 0; n--) {
      parts.add(
          random.nextBoolean() ? new Part.Key(key(random)) : new Part.Index(random.nextInt(1000)));
    }
    return new Reference(source, new ValuePath(List.copyOf(parts)));
  }

  private static String key(Random random) {
    var alphabet = "abcXYZ019_- .[]{}\"'\\ä文देवనాగ\n😀";
    var points = alphabet.codePoints().toArray();
    var key = new StringBuilder();
    for (int n = random.nextInt(6); n >= 0; n--) {
      key.appendCodePoint(points[random.nextInt(points.length)]);
    }
    return key.toString();
  }

  private static JsonNode resolve(String text) {
    return TextTemplate.parse(text).resolve(ref -> ref.path().in(RESULT, ref.root()));
  }

  private static void assertFails(String text, String... parts) {
    assertThatThrownBy(() -> resolve(text))
        .isInstanceOf(UnresolvedReferenceException.class)
        .hasMessageContainingAll(parts);
  }

  static JsonNode json(String text) {
    try {
      return JSON.readTree(text.replace("\\'", "\\\"").replace('\'', '"'));
    } catch (JsonProcessingException e) {
      throw new AssertionError(e);
    }
  }
}
