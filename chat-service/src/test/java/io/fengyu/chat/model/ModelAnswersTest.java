package io.fengyu.chat.model;

import static io.fengyu.chat.model.ModelWorld.joined;
import static io.fengyu.chat.model.ModelWorld.types;
import static io.restassured.RestAssured.given;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.hamcrest.Matchers.containsString;

import io.fengyu.testing.model.Answer;
import io.fengyu.testing.model.ModelServer;
import io.fengyu.testing.model.Signal;
import io.quarkus.test.junit.QuarkusTest;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@QuarkusTest
class ModelAnswersTest {

  private static final ModelServer PROVIDER = ModelServer.start();

  private final ModelWorld world = new ModelWorld(PROVIDER);

  @BeforeEach
  void forget() {
    PROVIDER.reset();
  }

  @AfterAll
  static void stop() {
    PROVIDER.close();
  }

  @ParameterizedTest
  @ValueSource(strings = {"local", "openai", "anthropic", "deepseek"})
  void everyFragmentComesThroughWhereverTheBytesAreCut(String mode) {
    PROVIDER.next(Answer.saying("Grüß ", "世界", " 🌊!").inPieces(1));

    var events = world.using(mode).ask("Hi");

    assertThat(types(events)).containsExactly("start", "text", "text", "text", "usage", "done");
    assertThat(joined(events, "text", "text")).isEqualTo("Grüß 世界 🌊!");
    assertThat(events.get(0).path("mode").asText()).isEqualTo(mode);
    assertThat(events.get(4).path("inputTokens").asInt()).isEqualTo(11);
    assertThat(events.get(4).path("outputTokens").asInt()).isEqualTo(3);
    assertThat(events.get(5).path("stopReason").asText()).isEqualTo("end");
  }

  @ParameterizedTest
  @ValueSource(strings = {"local", "openai", "anthropic", "deepseek"})
  void noToolsAreOfferedAndTheKeyTravelsInItsOwnHeader(String mode) {
    PROVIDER.next(Answer.saying("ok"));

    world.using(mode).ask("Plan this");

    var request = PROVIDER.request(1);
    assertThat(request.json().has("tools")).isFalse();
    assertThat(request.json().path("stream").asBoolean()).isTrue();
    assertThat(request.json().path("model").asText()).isEqualTo("scripted");
    assertThat(request.text()).contains("Plan this").doesNotContain(ModelWorld.key(mode));
    assertThat(request.headers()).doesNotContainKey("traceparent");
    switch (mode) {
      case "anthropic" -> assertThat(request.header("x-api-key")).isEqualTo(ModelWorld.key(mode));
      case "local" -> assertThat(request.header("authorization")).isNull();
      default ->
          assertThat(request.header("authorization")).isEqualTo("Bearer " + ModelWorld.key(mode));
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"local", "anthropic", "deepseek"})
  void thinkingIsKeptApartFromText(String mode) {
    PROVIDER.next(Answer.stream().thinking("let ", "me").keepAlive().text("done").finish("stop"));

    var events = world.using(mode).ask("Hi");

    assertThat(joined(events, "thinking", "text")).isEqualTo("let me");
    assertThat(joined(events, "text", "text")).isEqualTo("done");
  }

  @Test
  void sealedAndHiddenThinkingIsPassedOnForTheNextRound() {
    PROVIDER.next(
        Answer.stream()
            .thinking("hm")
            .signature("c2ln")
            .redactedThinking("aGlkZGVu")
            .text("ok")
            .finish("stop"));

    var events = world.using("anthropic").ask("Hi");

    assertThat(joined(events, "thinking_signature", "signature")).isEqualTo("c2ln");
    assertThat(joined(events, "redacted_thinking", "data")).isEqualTo("aGlkZGVu");
  }

  @Test
  void toolCallsMayInterleaveAndEachIsWholeAtItsEnd() {
    PROVIDER.next(
        Answer.stream()
            .toolFragment(0, "call_a", "add", "")
            .toolFragment(1, "call_b", "sub", "")
            .toolFragment(0, null, null, "{\"a\":")
            .toolFragment(1, null, null, "{\"b\":")
            .toolFragment(0, null, null, "1}")
            .toolFragment(1, null, null, "2}")
            .finish("tool_calls"));

    var events = world.using("openai").ask("Hi");

    var ends =
        events.stream().filter(e -> e.path("type").asText().equals("tool_call_end")).toList();
    assertThat(ends.get(0).path("arguments").asText()).isEqualTo("{\"a\":1}");
    assertThat(ends.get(1).path("arguments").asText()).isEqualTo("{\"b\":2}");
    assertThat(ends.get(1).path("name").asText()).isEqualTo("sub");
    assertThat(events.getLast().path("stopReason").asText()).isEqualTo("tool_calls");
  }

  @Test
  void callsAreToldApartWhenEveryIndexIsZeroAndIdsRepeat() {
    PROVIDER.next(
        Answer.stream()
            .toolFragment(0, "call_a", "add", "{\"a\":1}")
            .toolFragment(0, "call_b", "add", "{\"b\"")
            .toolFragment(0, "call_b", "add", ":2}")
            .toolFragment(null, null, "sub", "{}")
            .toolFragment(7, "call_a", "mul", "{}")
            .finish("stop"));

    var events = world.using("openai").ask("Hi");

    var ends =
        events.stream().filter(e -> e.path("type").asText().equals("tool_call_end")).toList();
    assertThat(ends.stream().map(e -> e.path("arguments").asText()))
        .containsExactly("{\"a\":1}", "{\"b\":2}", "{}", "{}");
    assertThat(ends.stream().map(e -> e.path("name").asText()))
        .containsExactly("add", "add", "sub", "mul");
    assertThat(ends.stream().map(e -> e.path("id").asText())).doesNotHaveDuplicates();
    assertThat(events.getLast().path("stopReason").asText()).isEqualTo("tool_calls");
  }

  @Test
  void usageIsFoundWhereverAProviderPutsIt() {
    PROVIDER.next(
        Answer.stream()
            .usage(5, 1)
            .text("a")
            .raw(
                "data: {\"choices\":[{\"index\":0,\"delta\":{},\"finish_reason\":\"stop\","
                    + "\"usage\":{\"prompt_tokens\":5,\"completion_tokens\":9}}]}\r\n\r\n"));

    var events = world.using("openai").ask("Hi");

    var usage = events.stream().filter(e -> e.path("type").asText().equals("usage")).toList();
    assertThat(usage).hasSize(1);
    assertThat(usage.getFirst().path("outputTokens").asInt()).isEqualTo(9);
  }

  @ParameterizedTest
  @ValueSource(strings = {"local", "openai", "anthropic", "deepseek"})
  void textIsPassedOnBeforeTheProviderGoesOn(String mode) {
    var more = new Signal();
    PROVIDER.next(Answer.stream().text("first").await(more).text("second").finish("stop"));

    try (var stream = world.using(mode).open("Hi")) {
      assertThat(stream.next().path("type").asText()).isEqualTo("start");
      assertThat(stream.next().path("text").asText()).isEqualTo("first");
      more.fire();
      assertThat(joined(stream.rest(), "text", "text")).isEqualTo("second");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"local", "openai", "anthropic", "deepseek"})
  void aReaderThatGoesEndsTheRequestToTheProvider(String mode) {
    PROVIDER.next(Answer.stream().text("first").hang());

    try (var stream = world.using(mode).open("Hi")) {
      stream.next();
      stream.next();
    }

    PROVIDER.request(1).awaitClosed();
  }

  @Test
  void aSilentStreamBeats() {
    var more = new Signal();
    PROVIDER.next(Answer.stream().text("first").await(more).finish("stop"));

    try (var stream = world.using("openai").open("Hi")) {
      assertThat(stream.nextOrBeat().path("type").asText()).isEqualTo("start");
      stream.next();
      assertThat(stream.nextOrBeat().path("type").asText()).isEqualTo("heartbeat");
      more.fire();
      assertThat(stream.rest().getLast().path("type").asText()).isEqualTo("done");
    }
  }

  @Test
  void aSlowReaderSlowsTheProviderDownInsteadOfFillingMemory() {
    var page = "x".repeat(64 * 1024);
    var pages = 800;
    var written = new Signal();
    var answer = Answer.stream();
    for (var at = 0; at < pages; at++) {
      answer.text(page);
    }
    PROVIDER.next(answer.reached(written).finish("stop"));

    try (var stream = world.using("openai").open("Hi")) {
      stream.next();
      await().during(Duration.ofSeconds(1)).until(() -> !written.fired());

      var characters = 0L;
      for (var event = stream.next(); !event.isMissingNode(); event = stream.next()) {
        characters += event.path("text").asText().length();
      }
      assertThat(characters).isEqualTo((long) pages * page.length());
      assertThat(written.fired()).isTrue();
    }
  }

  @Test
  void aLongConversationIsSentWhole() {
    PROVIDER.next(Answer.saying("ok"));
    var text = "y".repeat(3 * 1024 * 1024);

    var events = world.using("openai").ask(text);

    assertThat(events.getLast().path("type").asText()).isEqualTo("done");
    assertThat(PROVIDER.request(1).json().at("/messages/0/content").asText()).isEqualTo(text);
  }

  @Test
  void requestsAreCountedByBackEndAndOutcome() {
    PROVIDER.next(Answer.saying("ok"));

    world.using("deepseek").ask("Hi");

    given()
        .get("/q/metrics")
        .then()
        .statusCode(200)
        .body(containsString("fengyu_model_requests_total{backend=\"deepseek\",outcome=\"ok\""));
  }

  @Test
  void theConversationIsSentInTheWordsOfEachProvider() {
    PROVIDER.otherwise(Answer.saying("ok"));
    var body =
        "{\"system\":\"Be brief\",\"maxTokens\":50,\"reasoning\":true,\"messages\":["
            + "{\"role\":\"user\",\"content\":\"a\"},{\"content\":\"b\"},"
            + "{\"role\":\"assistant\",\"content\":\"c\"},{\"role\":\"user\",\"content\":\"d\"}]}";

    world.using("anthropic").openBody(body).rest();
    world.using("openai").openBody(body).rest();
    world.using("local").openBody(body).rest();

    var anthropic = PROVIDER.request(1).json();
    assertThat(anthropic.path("system").asText()).isEqualTo("Be brief");
    assertThat(anthropic.path("messages")).hasSize(3);
    assertThat(anthropic.at("/messages/0/content")).hasSize(2);
    assertThat(anthropic.at("/thinking/type").asText()).isEqualTo("adaptive");
    assertThat(anthropic.has("temperature")).isFalse();
    assertThat(anthropic.path("max_tokens").asInt()).isEqualTo(50);
    var openAi = PROVIDER.request(2).json();
    assertThat(openAi.at("/messages/0/role").asText()).isEqualTo("system");
    assertThat(openAi.path("messages")).hasSize(5);
    assertThat(openAi.at("/stream_options/include_usage").asBoolean()).isTrue();
    var local = PROVIDER.request(3).json();
    assertThat(local.at("/options/num_predict").asInt()).isEqualTo(50);
    assertThat(local.path("think").asBoolean()).isTrue();
  }
}
