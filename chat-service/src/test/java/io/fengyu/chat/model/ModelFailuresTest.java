package io.fengyu.chat.model;

import static io.fengyu.chat.model.ModelWorld.joined;
import static io.fengyu.chat.model.ModelWorld.types;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.fengyu.testing.model.Answer;
import io.fengyu.testing.model.ModelServer;
import io.quarkus.test.junit.QuarkusTest;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

@QuarkusTest
class ModelFailuresTest {

  private static final ModelServer PROVIDER = ModelServer.start();
  private static final List<String> MODES = List.of("local", "openai", "anthropic", "deepseek");

  private final ModelWorld world = new ModelWorld(PROVIDER);

  /** How a provider fails, the kind of failure, and how often it is asked. */
  private record Failure(Supplier<Answer> answer, String errorCode, int attempts) {}

  private static final Map<String, Failure> FAILURES =
      Map.ofEntries(
          fails(
              "refuses the key",
              () -> Answer.failing(401, "authentication_error", "Bad key"),
              "AUTH_MISSING",
              1),
          fails("forbids", () -> Answer.failing(403, "permission_error", "No"), "PROVIDER_4XX", 1),
          fails(
              "does not know the model",
              () -> Answer.failing(404, "not_found_error", "No model"),
              "PROVIDER_4XX",
              1),
          fails(
              "finds the conversation too long",
              () -> Answer.failing(400, "invalid_request_error", "prompt is too long: 9 > 8"),
              "CONTEXT_OVERFLOW",
              1),
          fails(
              "asks to slow down",
              () -> Answer.failing(429, "rate_limit_error", "Slow down"),
              "RATE_LIMITED",
              3),
          fails(
              "is overloaded",
              () -> Answer.failing(529, "overloaded_error", "Overloaded"),
              "UNKNOWN",
              3),
          fails(
              "answers with a page of a proxy",
              () -> Answer.body(502, "text/html", "<html>Bad Gateway</html>"),
              "UNKNOWN",
              3),
          fails(
              "redirects",
              () -> Answer.body(302, "text/plain", "").header("location", "http://127.0.0.1:9/"),
              "PROVIDER_4XX",
              1),
          fails(
              "sends a page instead of a stream",
              () -> Answer.body(200, "text/html", "<html>Sign in</html>"),
              "UNKNOWN",
              1),
          fails("sends an empty answer", () -> Answer.stream().unterminated(), "NETWORK", 3),
          fails(
              "sends nonsense",
              () -> Answer.stream().raw("data: {not json\n\n{not json\n").unterminated(),
              "UNKNOWN",
              1),
          fails("hangs up at once", Answer::hangUp, "NETWORK", 3),
          fails("never answers", Answer::silence, "NETWORK", 1),
          fails(
              "says an error before the first word",
              () -> Answer.stream().fail("overloaded_error", "Overloaded").unterminated(),
              "UNKNOWN",
              3));

  private static Map.Entry<String, Failure> fails(
      String how, Supplier<Answer> answer, String errorCode, int attempts) {
    return Map.entry(how, new Failure(answer, errorCode, attempts));
  }

  static Stream<Arguments> everyProviderAndFailure() {
    return MODES.stream()
        .flatMap(mode -> FAILURES.keySet().stream().sorted().map(how -> Arguments.of(mode, how)));
  }

  @BeforeEach
  void forget() {
    PROVIDER.reset();
  }

  @AfterAll
  static void stop() {
    PROVIDER.close();
  }

  @ParameterizedTest(name = "{0} {1}")
  @MethodSource("everyProviderAndFailure")
  void aFailureBeforeTheFirstWordEndsInOneClearErrorWithinItsTime(String mode, String how) {
    var failure = Objects.requireNonNull(FAILURES.get(how));
    PROVIDER.otherwise(failure.answer().get());
    var begun = Instant.now();

    var events = world.using(mode).ask("Hi");

    assertThat(types(events)).containsExactly("start", "error");
    var error = events.getLast();
    assertThat(error.path("errorCode").asText()).isEqualTo(failure.errorCode());
    assertThat(error.path("code").asText()).isEqualTo("PROVIDER_ERROR");
    assertThat(error.path("message").asText()).isNotBlank().doesNotContain("Exception", "io.");
    assertThat(PROVIDER.requests()).hasSize(failure.attempts());
    assertThat(error.path("message").asText().contains("in time"))
        .isEqualTo(how.equals("never answers"));
    assertThat(Duration.between(begun, Instant.now())).isLessThan(Duration.ofSeconds(10));
  }

  @ParameterizedTest
  @ValueSource(strings = {"local", "openai", "anthropic", "deepseek"})
  void aRequestThatFailsOnceBeforeTheFirstWordIsRepeated(String mode) {
    PROVIDER.next(
        Answer.failing(503, "server_error", "Later"), Answer.hangUp(), Answer.saying("ok"));

    var events = world.using(mode).ask("Hi");

    assertThat(joined(events, "text", "text")).isEqualTo("ok");
    assertThat(events.getLast().path("type").asText()).isEqualTo("done");
    assertThat(PROVIDER.requests()).hasSize(3);
  }

  @ParameterizedTest
  @ValueSource(strings = {"local", "openai", "anthropic", "deepseek"})
  void nothingIsRepeatedOnceAWordWentOut(String mode) {
    var endings =
        List.<Supplier<Answer>>of(
            () -> Answer.stream().text("part").cut(),
            () ->
                Answer.stream().text("part").fail("overloaded_error", "Overloaded").unterminated(),
            () -> Answer.stream().text("part").unterminated(),
            () -> Answer.stream().text("part").hang());
    world.using(mode);
    for (var at = 0; at < endings.size(); at++) {
      PROVIDER.reset();
      PROVIDER.otherwise(endings.get(at).get());

      var events = world.ask("Hi");

      assertThat(types(events)).containsExactly("start", "text", "error");
      var silent = events.getLast().path("message").asText().contains("fell silent");
      assertThat(silent).isEqualTo(at == endings.size() - 1);
      assertThat(PROVIDER.requests()).hasSize(1);
    }
  }

  @Test
  void theTimeThatAProviderAsksForIsWaited() {
    PROVIDER.next(
        Answer.failing(429, "rate_limit_error", "Slow").header("retry-after", "1"),
        Answer.saying("ok"));
    var begun = Instant.now();

    var events = world.using("openai").ask("Hi");

    assertThat(events.getLast().path("type").asText()).isEqualTo("done");
    assertThat(Duration.between(begun, Instant.now())).isGreaterThan(Duration.ofMillis(990));
  }

  @Test
  void aProviderThatAsksForMoreThanWeWaitIsToldOnAtOnce() {
    PROVIDER.next(Answer.failing(429, "rate_limit_error", "Slow").header("retry-after", "60"));

    var error = world.using("anthropic").ask("Hi").getLast();

    assertThat(error.path("errorCode").asText()).isEqualTo("RATE_LIMITED");
    assertThat(error.path("retryAfterMs").asLong()).isEqualTo(60_000);
    assertThat(PROVIDER.requests()).hasSize(1);
  }

  @ParameterizedTest
  @ValueSource(strings = {"openai", "anthropic", "deepseek"})
  void aKeyInAProvidersErrorIsMasked(String mode) {
    var key = ModelWorld.key(mode);
    PROVIDER.next(
        Answer.failing(400, "invalid_request_error", "Key " + key + " and sk-other-aaaabbbbcccc"));

    var message = world.using(mode).ask("Hi").getLast().path("message").asText();

    assertThat(message).contains("***").doesNotContain(key, "aaaabbbbcccc");
  }

  @Test
  void aParameterThatTheModelRefusesIsLeftOutFromThenOn() {
    PROVIDER.next(
        Answer.body(
            400,
            "application/json",
            "{\"error\":{\"message\":\"Unsupported value: temperature\",\"type\":"
                + "\"invalid_request_error\",\"param\":\"temperature\",\"code\":\"unsupported_value\"}}"),
        Answer.saying("one"),
        Answer.saying("two"));
    world.using("openai").put("{\"openai\":{\"model\":\"o9-" + world.owner() + "\"}}");

    assertThat(joined(world.ask("Hi"), "text", "text")).isEqualTo("one");
    assertThat(joined(world.ask("Hi"), "text", "text")).isEqualTo("two");

    var sent = new ArrayList<Boolean>();
    PROVIDER.requests().forEach(request -> sent.add(request.json().has("temperature")));
    assertThat(sent).containsExactly(true, false, false);
  }

  @Test
  void noMoreStreamsThanAllowedAreOpenedForOneOwner() {
    PROVIDER.otherwise(Answer.stream().text("part").hang());
    world.using("openai");
    var open = new ArrayList<ModelWorld.Stream>();
    for (var at = 0; at < 4; at++) {
      var stream = world.open("Hi");
      stream.next();
      open.add(stream);
    }

    var refused = world.open("Hi");

    assertThat(refused.status()).isEqualTo(429);
    assertThat(refused.header("Retry-After")).isEqualTo("1");
    assertThat(refused.problem().path("code").asText()).isEqualTo("MODEL_BUSY");
    open.forEach(ModelWorld.Stream::close);
  }

  @Test
  void whatIsMissingIsSaidBeforeAnybodyIsCalled() {
    world.put(
        "{\"mode\":\"anthropic\",\"anthropic\":{\"baseUrl\":\"" + PROVIDER.address() + "\"}}");

    assertThat(refusal("{\"messages\":[{\"content\":\"Hi\"}]}", 422))
        .isEqualTo("MODEL_NOT_CONFIGURED");
    assertThat(refusal("{\"model\":\"nobody\",\"messages\":[{\"content\":\"Hi\"}]}", 422))
        .isEqualTo("MODEL_UNAVAILABLE");
    assertThat(refusal("{\"messages\":[]}", 400)).isEqualTo("INVALID_MESSAGES");
    assertThat(refusal("{\"messages\":[{\"role\":\"tool\",\"content\":\"x\"}]}", 400))
        .isEqualTo("INVALID_MESSAGES");
    assertThat(PROVIDER.requests()).isEmpty();
  }

  private String refusal(String body, int status) {
    var stream = world.openBody(body);
    assertThat(stream.status()).isEqualTo(status);
    JsonNode problem = stream.problem();
    return problem.path("code").asText();
  }
}
