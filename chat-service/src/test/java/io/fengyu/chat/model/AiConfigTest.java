package io.fengyu.chat.model;

import static io.fengyu.chat.model.ModelWorld.joined;
import static io.fengyu.chat.model.ModelWorld.key;
import static io.restassured.RestAssured.given;
import static org.assertj.core.api.Assertions.assertThat;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.everyItem;
import static org.hamcrest.Matchers.hasItem;
import static org.hamcrest.Matchers.is;

import com.fasterxml.jackson.databind.JsonNode;
import io.fengyu.contract.secret.SecretCipher;
import io.fengyu.contract.testing.PostgresResource;
import io.fengyu.contract.testing.PostgresServer;
import io.fengyu.testing.model.Answer;
import io.fengyu.testing.model.ModelServer;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.http.ContentType;
import io.restassured.specification.RequestSpecification;
import java.sql.SQLException;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@QuarkusTest
class AiConfigTest {

  private static final ModelServer PROVIDER = ModelServer.start();
  private static final ModelServer ELSEWHERE = ModelServer.start();

  private final ModelWorld world = new ModelWorld(PROVIDER);

  @BeforeEach
  void forget() {
    PROVIDER.reset();
    ELSEWHERE.reset();
  }

  @AfterAll
  static void stop() {
    PROVIDER.close();
    ELSEWHERE.close();
  }

  @Test
  void whoChoseNothingHasTheDefaultsOfTheEnvironment() {
    var config = world.config();

    assertThat(config.path("mode").asText()).isEqualTo("local");
    assertThat(config.path("activeMode").asText()).isEqualTo("local");
    assertThat(config.path("contextWindowTokens").asInt()).isEqualTo(32_768);
    assertThat(config.path("maxToolRounds").asInt()).isEqualTo(50);
    assertThat(config.path("temperature").asDouble()).isEqualTo(0.7);
    assertThat(config.path("openai").path("baseUrl").asText()).isEqualTo("https://api.openai.com");
    assertThat(config.path("openai").path("endpoint"))
        .isEqualTo(config.path("openai").path("baseUrl"));
    assertThat(config.path("openai").path("apiKey").asText()).isEqualTo("sk-e***cdef");
    assertThat(config.path("anthropic").path("apiKey").asText()).isEmpty();
    assertThat(config.path("anthropic").path("apiKeySet").asBoolean()).isFalse();
    assertThat(config.path("ollama").path("model").asText()).isEqualTo("qwen3:4b");
  }

  @Test
  void aBodyThatWasReadCanBeSentBackAndTheNextRequestStillAuthenticates() {
    world.using("deepseek");
    PROVIDER.next(Answer.saying("ok"));

    world.put(world.config().toString()).statusCode(200);

    world.ask("Hi");
    assertThat(PROVIDER.request(1).header("authorization")).isEqualTo("Bearer " + key("deepseek"));
  }

  @Test
  void whoPinsABackEndKeepsItWhateverTheConfigurationSays() {
    world.using("openai");
    PROVIDER.next(Answer.saying("one"), Answer.saying("two"));
    var pin = world.ask("Hi").getFirst().path("pin").asText();
    world
        .put(
            "{\"mode\":\"deepseek\",\"openai\":{\"baseUrl\":\"%s\",\"model\":\"other\",\"apiKey\":null}}"
                .formatted(ELSEWHERE.address()))
        .statusCode(200);

    try (var pinned = world.openBody(pinned(pin))) {
      assertThat(joined(pinned.rest(), "text", "text")).isEqualTo("two");
    }

    assertThat(PROVIDER.request(2).header("authorization")).isEqualTo("Bearer " + key("openai"));
    assertThat(PROVIDER.request(2).json().path("model").asText()).isEqualTo("scripted");
    assertThat(pin).doesNotContain(key("openai"));
    assertThat(ELSEWHERE.requests()).isEmpty();
  }

  @Test
  void aPinIsWorthNothingInOtherHands() {
    world.using("openai");
    PROVIDER.next(Answer.saying("one"));
    var pin = world.ask("Hi").getFirst().path("pin").asText();

    for (var useless : new String[] {pin, "nonsense"}) {
      try (var refused = new ModelWorld(PROVIDER).openBody(pinned(useless))) {
        assertThat(refused.status()).isEqualTo(422);
        assertThat(refused.problem().path("code").asText()).isEqualTo("MODEL_UNAVAILABLE");
      }
    }
  }

  private static String pinned(String pin) {
    return "{\"pin\":\"%s\",\"messages\":[{\"role\":\"user\",\"content\":\"Again\"}]}"
        .formatted(pin);
  }

  @Test
  void aBodyThatWasReadCanBeEditedUnderEitherNameAndSentBack() {
    world.using("openai");
    var edited = world.config();
    edited.put("activeMode", "deepseek");
    edited.withObject("/openai").put("endpoint", ELSEWHERE.address() + "/");

    world
        .put(edited.toString())
        .statusCode(200)
        .body("mode", equalTo("deepseek"))
        .body("openai.baseUrl", equalTo(ELSEWHERE.address().toString()));
  }

  @Test
  void twoNewValuesForOneThingAreRefused() {
    world
        .put("{\"mode\":\"openai\",\"activeMode\":\"deepseek\"}")
        .statusCode(400)
        .body("code", equalTo("AI_CONFIG_INVALID"))
        .body("errors.code", hasItem("CONTRADICTION"));
    world
        .put("{\"ollama\":{\"model\":\"a\"},\"local\":{\"model\":\"b\"}}")
        .statusCode(400)
        .body("errors.code", hasItem("CONTRADICTION"));
  }

  @Test
  void ollamaAndLocalAreTheSameSection() {
    world
        .put("{\"local\":{\"model\":\"llama3\",\"endpoint\":\"http://127.0.0.1:1\"}}")
        .statusCode(200)
        .body("ollama.model", equalTo("llama3"))
        .body("ollama.baseUrl", equalTo("http://127.0.0.1:1"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "/temperature | {\"temperature\":2.1}",
        "/temperature | {\"temperature\":\"hot\"}",
        "/topP | {\"topP\":-0.1}",
        "/maxTokens | {\"maxTokens\":0}",
        "/maxTokens | {\"maxTokens\":1.5}",
        "/maxTokens | {\"maxTokens\":1000001}",
        "/maxToolRounds | {\"maxToolRounds\":10001}",
        "/contextWindowTokens | {\"contextWindowTokens\":4095}",
        "/contextWindowTokens | {\"contextWindowTokens\":2000001}",
        "/mode | {\"mode\":\"gemini\"}",
        "/openai/baseUrl | {\"openai\":{\"baseUrl\":\"ftp://a\"}}",
        "/openai/baseUrl | {\"openai\":{\"baseUrl\":\"http://user:pw@a\"}}",
        "/openai/baseUrl | {\"openai\":{\"baseUrl\":\"http://169.254.169.254\"}}",
        "/openai/baseUrl | {\"openai\":{\"baseUrl\":\"http://10.1.2.3\"}}",
        "/openai/baseUrl | {\"openai\":{\"baseUrl\":\"http://[::ffff:10.1.2.3]\"}}",
        "/openai/apiKey | {\"openai\":{\"apiKey\":7}}",
        "/openai | {\"openai\":\"sk\"}"
      })
  void whatIsOutOfRangeIsNamedAndNothingIsStored(String pointer, String body) {
    var before = world.config();
    var whole = body.substring(0, body.length() - 1) + ",\"systemPrompt\":\"new\"}";

    world
        .put(whole)
        .statusCode(400)
        .body("code", equalTo("AI_CONFIG_INVALID"))
        .body("errors.pointer", hasItem(pointer));

    assertThat(world.config()).isEqualTo(before);
  }

  @ParameterizedTest
  @ValueSource(strings = {"0", "4096", "2000000"})
  void windowsWithinTheirRangeAreStored(String window) {
    world
        .put("{\"contextWindowTokens\":" + window + ",\"maxToolRounds\":0,\"temperature\":0}")
        .statusCode(200)
        .body("contextWindowTokens", equalTo(Integer.parseInt(window)))
        .body("maxToolRounds", equalTo(0));
  }

  @Test
  void aBlankOrMaskedKeyChangesNothingAndNullClears() {
    world.using("anthropic");

    world.put("{\"anthropic\":{\"apiKey\":\"\"}}").body("anthropic.apiKeySet", is(true));
    world.put("{\"anthropic\":{\"apiKey\":\"sk-a***cdef\"}}").body("anthropic.apiKeySet", is(true));
    world
        .put("{\"anthropic\":{\"apiKey\":null}}")
        .body("anthropic.apiKeySet", is(false))
        .body("anthropic.apiKey", equalTo(""))
        .body("ready", is(false));
  }

  @Test
  void aShortKeyShowsNothingOfItself() {
    world
        .put("{\"deepseek\":{\"apiKey\":\"abcdefghijkl\"}}")
        .statusCode(200)
        .body("deepseek.apiKey", equalTo("***"));
  }

  @Test
  void aStoredKeyGoesOnlyToTheAddressItWasStoredFor() {
    world.using("openai");
    ELSEWHERE.otherwise(Answer.saying("give me your key"));

    world
        .put("{\"openai\":{\"baseUrl\":\"" + ELSEWHERE.address() + "\"}}")
        .statusCode(200)
        .body("openai.apiKeySet", is(false))
        .body("ready", is(false));
    assertThat(world.open("Hi").status()).isEqualTo(422);
    assertThat(ELSEWHERE.requests()).isEmpty();

    world
        .put("{\"openai\":{\"baseUrl\":\"" + PROVIDER.address() + "\"}}")
        .body("openai.apiKeySet", is(true));
  }

  @Test
  void theEnvironmentsKeyStaysWithTheEnvironmentsAddress() {
    world
        .put("{\"mode\":\"openai\",\"openai\":{\"baseUrl\":\"" + ELSEWHERE.address() + "\"}}")
        .body("openai.apiKeySet", is(false));
  }

  @Test
  void anotherBackEndAnswersTheVeryNextRequest() {
    PROVIDER.otherwise(Answer.saying("ok"));
    world.using("openai").ask("Hi");
    world.using("anthropic").ask("Hi");

    assertThat(PROVIDER.request(1).path()).isEqualTo("/v1/chat/completions");
    assertThat(PROVIDER.request(2).path()).isEqualTo("/v1/messages");
  }

  @Test
  void oneOwnersChoiceIsNotAnothers() {
    world.using("openai");

    assertThat(new ModelWorld(PROVIDER).config().path("mode").asText()).isEqualTo("local");
  }

  @Test
  void theIdOfADeletedUserIsNotGivenAgainAndItsChoicesAreGone() {
    var user = "{\"id\":\"" + world.owner() + "\"}";
    admin().body(user).post("/api/admin/users").then().statusCode(201);
    world.using("openai");
    world.as().body("{\"mode\":\"local\",\"model\":\"m\"}").put("/api/ai/models/mine");

    admin().delete("/api/admin/users/" + world.owner()).then().statusCode(204);
    admin()
        .body(user)
        .post("/api/admin/users")
        .then()
        .statusCode(409)
        .body("code", equalTo("USER_EXISTS"));

    assertThat(world.config().path("mode").asText()).isEqualTo("local");
    assertThat(world.config().path("openai").path("baseUrl").asText()).contains("openai.com");
    world.as().get("/api/ai/models").then().body("source", everyItem(equalTo("builtin")));
  }

  private static RequestSpecification admin() {
    return given()
        .contentType(ContentType.JSON)
        .header("X-FengYu-Token", PostgresResource.ADMIN_TOKEN);
  }

  @Test
  void keysLieEncryptedAndAKeyMovedToAnotherOwnerStaysClosed() throws SQLException {
    world.using("openai");
    var thief = new ModelWorld(PROVIDER);
    thief.put("{\"mode\":\"openai\",\"openai\":{\"baseUrl\":\"" + PROVIDER.address() + "\"}}");

    try (var database = PostgresServer.shared().connect();
        var copy =
            database.prepareStatement(
                "INSERT INTO chat.ai_key SELECT ?, slot, origin, sealed FROM chat.ai_key"
                    + " WHERE owner = ? RETURNING sealed")) {
      copy.setString(1, thief.owner());
      copy.setString(2, world.owner());
      var stored = copy.executeQuery();
      assertThat(stored.next()).isTrue();
      assertThat(stored.getString(1)).startsWith("v1.").doesNotContain(key("openai"));
    }

    assertThat(thief.config().path("openai").path("apiKeySet").asBoolean()).isFalse();
  }

  @Test
  void aKeySealedUnderThePreviousMachineKeyWorksAndIsSealedAnew() throws SQLException {
    var old =
        SecretCipher.of(ModelTestConfig.PREVIOUS_KEY, null)
            .seal(key("deepseek"), purpose("deepseek", "https://api.deepseek.com:443"));
    store("deepseek", "https://api.deepseek.com:443", old);

    assertThat(world.config().path("deepseek").path("apiKeySet").asBoolean()).isTrue();

    assertThat(stored("deepseek")).startsWith("v1.").isNotEqualTo(old);
    assertThat(world.config().path("deepseek").path("apiKey").asText()).isEqualTo("sk-d***cdef");
  }

  @Test
  void aKeySealedUnderALostMachineKeyReadsAsNotSet() throws SQLException {
    var lost =
        SecretCipher.of("a-machine-key-that-nobody-has", null)
            .seal(key("deepseek"), purpose("deepseek", "https://api.deepseek.com:443"));
    store("deepseek", "https://api.deepseek.com:443", lost);

    var config = world.config().path("deepseek");

    assertThat(config.path("apiKeySet").asBoolean()).isFalse();
    assertThat(config.path("apiKey").asText()).isEmpty();
  }

  private String purpose(String slot, String origin) {
    return "chat.ai_key\n" + world.owner() + "\n" + slot + "\n" + origin;
  }

  private void store(String slot, String origin, String secret) throws SQLException {
    try (var database = PostgresServer.shared().connect();
        var insert =
            database.prepareStatement("INSERT INTO chat.ai_key VALUES (?, ?, ?, ?, now())")) {
      insert.setString(1, world.owner());
      insert.setString(2, slot);
      insert.setString(3, origin);
      insert.setString(4, secret);
      insert.executeUpdate();
    }
  }

  private String stored(String slot) throws SQLException {
    try (var database = PostgresServer.shared().connect();
        var select =
            database.prepareStatement(
                "SELECT sealed FROM chat.ai_key WHERE owner = ? AND slot = ?")) {
      select.setString(1, world.owner());
      select.setString(2, slot);
      var rows = select.executeQuery();
      assertThat(rows.next()).isTrue();
      return rows.getString(1);
    }
  }

  @ParameterizedTest
  @CsvSource({
    "openai, '', /v1/chat/completions",
    "openai, /, /v1/chat/completions",
    "openai, /v1, /v1/chat/completions",
    "openai, /api/v3/, /api/v3/chat/completions",
    "openai, /proxy, /proxy/v1/chat/completions",
    "openai, /v1/chat/completions, /v1/chat/completions",
    "anthropic, '', /v1/messages",
    "anthropic, /v1, /v1/messages",
    "anthropic, /proxy/v1/, /proxy/v1/messages",
    "local, /, /api/chat"
  })
  void addressesAreCompletedByOneRule(String mode, String path, String called) {
    PROVIDER.next(Answer.saying("ok"));
    var section =
        "{\"baseUrl\":\"%s%s\",\"apiKey\":\"%s\"}".formatted(PROVIDER.address(), path, key(mode));
    world.put("{\"mode\":\"" + mode + "\",\"" + mode + "\":" + section + "}").statusCode(200);

    world.ask("Hi");

    assertThat(PROVIDER.request(1).path()).isEqualTo(called);
  }

  // --- connection test

  @ParameterizedTest
  @ValueSource(strings = {"local", "openai", "anthropic", "deepseek"})
  void aConnectionIsTriedWithoutBeingStored(String mode) {
    var before = world.config();

    var outcome =
        test(
            "{\"mode\":\"%s\",\"endpoint\":\"%s\",\"apiKey\":\"sk-typed-0123456789\","
                    .formatted(mode, PROVIDER.address())
                + "\"model\":\"scripted\"}");

    assertThat(outcome.toString()).isEqualTo("{\"success\":true}");
    assertThat(world.config()).isEqualTo(before);
    assertThat(PROVIDER.requests()).hasSize(1);
  }

  @Test
  void aModelThatOllamaLacksIsAWarning() {
    PROVIDER.offering("other:latest");

    var outcome =
        test(
            "{\"mode\":\"local\",\"baseUrl\":\"" + PROVIDER.address() + "\",\"model\":\"absent\"}");

    assertThat(outcome.path("success").asBoolean()).isTrue();
    assertThat(outcome.path("warning").asText()).contains("absent");
  }

  @Test
  void aCorrectedAddressIsAWarning() {
    var outcome =
        test(
            "{\"mode\":\"openai\",\"baseUrl\":\"%s/v1/chat/completions\",\"model\":\"scripted\","
                    .formatted(PROVIDER.address())
                + "\"apiKey\":\"sk-typed-0123456789\"}");

    assertThat(outcome.path("warning").asText()).contains("corrected");
  }

  @Test
  void aMaskedKeyMeansTheStoredOneButOnlyAtItsOwnAddress() {
    world.using("openai");
    var body = "{\"mode\":\"openai\",\"apiKey\":\"sk-o***cdef\",\"baseUrl\":\"%s\"}";

    assertThat(test(body.formatted(PROVIDER.address())).path("success").asBoolean()).isTrue();
    assertThat(PROVIDER.request(1).header("authorization")).isEqualTo("Bearer " + key("openai"));

    var foreign = test(body.formatted(ELSEWHERE.address()));
    assertThat(foreign.path("success").asBoolean()).isFalse();
    assertThat(foreign.path("error").asText()).contains("key is required");
    assertThat(ELSEWHERE.requests()).isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{\"mode\":\"gemini\"} | Unknown mode",
        "{\"mode\":\"local\",\"baseUrl\":\"nonsense\"} | not an http",
        "{\"mode\":\"local\",\"baseUrl\":\"http://127.0.0.1:1\"} | refused",
        "{\"mode\":\"local\",\"baseUrl\":\"http://169.254.169.254\"} | not allowed",
        "{\"mode\":\"local\",\"baseUrl\":\"http://192.168.1.1\"} | not allowed",
        "{\"mode\":\"local\",\"baseUrl\":\"http://2130706434\"} | not allowed"
      })
  void aTestThatCannotSucceedSaysWhy(String body, String why) {
    var outcome = test(body);

    assertThat(outcome.path("success").asBoolean()).isFalse();
    assertThat(outcome.path("error").asText()).contains(why);
  }

  // --- models

  @Test
  void ownModelsAreListedNamedAndRemoved() {
    world.using("openai");
    PROVIDER.otherwise(Answer.saying("ok"));

    world
        .as()
        .body(
            "{\"mode\":\"anthropic\",\"model\":\"big\",\"baseUrl\":\"%s/\",\"apiKey\":\"%s\"}"
                .formatted(PROVIDER.address(), key("own")))
        .put("/api/ai/models/mine")
        .then()
        .statusCode(200)
        .body("source", equalTo("custom"))
        .body("usable", is(true))
        .body("baseUrl", equalTo(PROVIDER.address().toString()));
    assertThat(entry("mine").path("model").asText()).isEqualTo("big");
    assertThat(entry("openai").path("source").asText()).isEqualTo("builtin");
    assertThat(entry("anthropic").path("reason").asText()).isEqualTo("API_KEY_MISSING");

    world.openBody("{\"model\":\"mine\",\"messages\":[{\"content\":\"Hi\"}]}").rest();
    assertThat(PROVIDER.request(1).header("x-api-key")).isEqualTo(key("own"));
    assertThat(PROVIDER.request(1).json().path("model").asText()).isEqualTo("big");

    new ModelWorld(PROVIDER).as().delete("/api/ai/models/mine").then().statusCode(404);
    world.as().delete("/api/ai/models/mine").then().statusCode(204);
    world.as().delete("/api/ai/models/mine").then().statusCode(404);
  }

  @Test
  void anOwnModelNeedsAKnownModeAModelAndAFreeName() {
    world
        .as()
        .body("{\"mode\":\"gemini\",\"baseUrl\":\"x\"}")
        .put("/api/ai/models/openai")
        .then()
        .statusCode(400)
        .body("code", equalTo("MODEL_INVALID"))
        .body("errors.code", hasItem("INVALID_ID"))
        .body("errors.code", hasItem("UNKNOWN_MODE"))
        .body("errors.code", hasItem("REQUIRED"))
        .body("errors.code", hasItem("INVALID_URL"));
    world.as().get("/api/ai/models").then().body("source", everyItem(equalTo("builtin")));
  }

  @Test
  void changesOfOneOwnerDoNotUndoEachOther() {
    java.util.stream.IntStream.range(0, 8)
        .parallel()
        .forEach(
            at -> {
              var field = at % 2 == 0 ? "\"maxTokens\":77" : "\"maxToolRounds\":7";
              world.put("{" + field + "}").statusCode(200);
            });

    var config = world.config();
    assertThat(config.path("maxTokens").asInt()).isEqualTo(77);
    assertThat(config.path("maxToolRounds").asInt()).isEqualTo(7);
  }

  @Test
  void settingsReachTheProvider() {
    PROVIDER.next(Answer.saying("ok"));
    world.using("deepseek").put("{\"temperature\":0.25,\"topP\":0.5,\"maxTokens\":123}");

    var events = world.ask("Hi");

    assertThat(joined(events, "text", "text")).isEqualTo("ok");
    var sent = PROVIDER.request(1).json();
    assertThat(sent.path("temperature").asDouble()).isEqualTo(0.25);
    assertThat(sent.path("top_p").asDouble()).isEqualTo(0.5);
    assertThat(sent.path("max_tokens").asInt()).isEqualTo(123);
  }

  private JsonNode test(String body) {
    return ModelWorld.tree(
        world
            .as()
            .body(body)
            .post("/api/ai/config/test")
            .then()
            .statusCode(200)
            .extract()
            .asString());
  }

  private JsonNode entry(String id) {
    var all = ModelWorld.tree(world.as().get("/api/ai/models").then().extract().asString());
    return StreamSupport.stream(all.spliterator(), false)
        .filter(entry -> entry.path("id").asText().equals(id))
        .findFirst()
        .orElseThrow();
  }
}
