package io.fengyu.launcher;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.fengyu.testing.model.Answer;
import io.fengyu.testing.model.ModelServer;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Models that do the work themselves, on the packaged system, in the words of every provider. */
class DirectRunIT {

  private static final Duration SOON = Duration.ofSeconds(60);
  private static final String FREE =
      "'planning_mode':'never','config':{'permissionMode':'full-access'}";

  @TempDir static Path folder;

  private static final ModelServer MODEL = ModelServer.start();
  private static RunningSystem system = RunningSystem.NONE;
  private static Person person;

  @BeforeAll
  static void start() throws Exception {
    system =
        RunningSystem.start(
            folder.resolve("data"),
            Map.of(
                "LEASE_TTL", "4s",
                "HEARTBEAT_INTERVAL", "1s",
                "FENGYU_MODEL_FIRST_TOKEN_TIMEOUT", "4s",
                "FENGYU_MODEL_IDLE_TIMEOUT", "4s",
                "FENGYU_MODEL_RETRY_DELAY", "50ms"));
    person = Person.at(system.port(), system);
  }

  @AfterAll
  static void stop() throws Exception {
    system.kill();
    MODEL.close();
    await().atMost(SOON).until(() -> system.leftovers().isEmpty());
  }

  @BeforeEach
  void forget() {
    MODEL.reset();
  }

  private static void use(String mode) {
    var models =
        person.put(
            "/api/ai/config",
            "{'mode':'%s','%s':{'model':'scripted','baseUrl':'%s','apiKey':'sk-0123456789abcdef'}}"
                .formatted(mode, mode, MODEL.address()));
    assertThat(models.status()).as("%s", models).isEqualTo(200);
  }

  @ParameterizedTest
  @ValueSource(strings = {"local", "openai", "anthropic", "deepseek"})
  void aModelOfEveryProviderCallsToolsAndReadsTheirResults(String mode) {
    use(mode);
    MODEL.next(
        Answer.stream()
            .thinking("let me see")
            .signature("c2ln")
            .toolCall(0, "call_a", "write_file", "{\"path\":\"a.txt\",", "\"content\":\"one\"}")
            .toolCall(1, "call_b", "echo", "{\"n\": 2}")
            .finish("tool_calls"),
        Answer.saying("Wrote ", "it."));

    var run = person.start("{'goal':'write a file'," + FREE + "}");
    var events = person.watchUntil(run, "complete");

    assertThat(events.getLast().data().path("result").asText()).isEqualTo("Wrote it.");
    assertThat(events).extracting(Person.Event::type).contains("tool", "token");
    var sent = MODEL.request(2).json().path("messages");
    assertThat(sent.toString()).contains("a.txt").contains("\\\"n\\\":2");
    switch (mode) {
      case "anthropic" -> {
        assertThat(sent.at("/1/content/0/thinking").asText()).isEqualTo("let me see");
        assertThat(sent.at("/1/content/0/signature").asText()).isEqualTo("c2ln");
        assertThat(sent.at("/2/content/1/tool_use_id").asText()).isEqualTo("call_b");
      }
      case "local" -> assertThat(sent.at("/3/tool_name").asText()).isEqualTo("write_file");
      case "deepseek" -> {
        assertThat(sent.at("/2/reasoning_content").asText()).isEqualTo("let me see");
        assertThat(sent.at("/4/tool_call_id").asText()).isEqualTo("call_b");
      }
      default -> {
        assertThat(sent.at("/2").has("reasoning_content")).isFalse();
        assertThat(sent.at("/4/tool_call_id").asText()).isEqualTo("call_b");
      }
    }
    assertThat(person.get("/api/agent/runs/" + run + "/receipts").body()).hasSize(1);
    assertThat(person.detail(run).path("executions")).hasSize(2);
  }

  @Test
  void aGateSurvivesTheDeathOfItsProcessWithEverythingThatWasSaid() {
    use("anthropic");
    MODEL.next(
        Answer.stream()
            .thinking("careful")
            .signature("c2ln")
            .text("I write.")
            .toolCall(0, "call_a", "write_file", "{\"path\":\"g.txt\",\"content\":\"x\"}")
            .finish("tool_calls"),
        Answer.saying("done"));
    var run = person.start("{'goal':'write when I agree','planning_mode':'never'}");
    var gate = person.awaits(run, "AWAITING_STEP_APPROVAL").path("pendingGate");

    kill();
    var decision =
        "{'decision':'approve','tool_call_id':'%s'}".formatted(gate.path("tool_call_id").asText());
    assertThat(person.post("/api/agent/" + run + "/approve", decision).status()).isEqualTo(200);

    assertThat(person.awaits(run, "COMPLETED").path("execution_generation").asInt()).isEqualTo(2);
    var said = MODEL.request(2).json().at("/messages/1/content");
    assertThat(said.at("/0/signature").asText()).isEqualTo("c2ln");
    assertThat(said.at("/1/text").asText()).isEqualTo("I write.");
    assertThat(said.at("/2/id").asText()).isEqualTo("call_a");
    assertThat(MODEL.requests()).hasSize(2);
  }

  @Test
  void aRunGoesOnWithTheModelThatBeganItThoughTheConfigurationChanged() {
    use("anthropic");
    MODEL.next(
        Answer.stream()
            .toolCall(0, "call_a", "echo", "{}")
            .toolCall(1, "call_b", "write_file", "{\"path\":\"h.txt\",\"content\":\"x\"}")
            .finish("tool_calls"),
        Answer.saying("done"),
        Answer.saying("new"));
    var run = person.start("{'goal':'wait for me','planning_mode':'never'}");
    person.awaits(run, "AWAITING_STEP_APPROVAL");

    use("openai");
    assertThat(person.post("/api/agent/" + run + "/approve", "").status()).isEqualTo(200);

    person.awaits(run, "COMPLETED");
    assertThat(MODEL.request(2).path()).isEqualTo(MODEL.request(1).path());
    person.awaits(person.start("{'goal':'begin later'," + FREE + "}"), "COMPLETED");
    assertThat(MODEL.request(3).path()).isNotEqualTo(MODEL.request(1).path());
  }

  @Test
  void aRunWhoseProcessDiesDuringACallSaysSoAndTheReceiptIsUnknown() {
    use("openai");
    MODEL.next(Answer.calling("call_a", "execute_command", "{\"command\":\"sleep 60\"}"));
    var run = person.start("{'goal':'take long'," + FREE + "}");
    await()
        .atMost(SOON)
        .until(() -> person.get("/api/agent/runs/" + run + "/receipts").body().size() == 1);

    kill();

    var ended = person.awaits(run, "FAILED");
    assertThat(ended.path("interrupted").asBoolean()).isTrue();
    assertThat(ended.at("/executions/0/status").asText()).isEqualTo("FAILED");
    assertThat(receipt(run).path("state").asText()).isEqualTo("unknown");
    assertThat(MODEL.requests()).hasSize(1);
    assertThat(person.stored(run)).endsWith("error").doesNotContain("complete");
  }

  private static JsonNode receipt(String run) {
    return person.get("/api/agent/runs/" + run + "/receipts").body().get(0);
  }

  @Test
  void everyFailureOfAProviderIsAClearErrorInItsTimeWhateverTheRunDoes() {
    use("openai");
    for (var failure : failures().entrySet()) {
      for (var mode : List.of("always", "never")) {
        MODEL.reset();
        MODEL.otherwise(failure.getValue().get());
        var begun = Instant.now();
        var run = person.start("{'goal':'fail','planning_mode':'" + mode + "'}");
        var events = person.watchUntil(run, "error");

        var what = mode + ": " + failure.getKey();
        assertThat(Duration.between(begun, Instant.now())).as(what).isLessThan(SOON);
        var end = events.getLast();
        assertThat(end.type()).as(what).isEqualTo("error");
        assertThat(end.data().path("code").asText())
            .as(what)
            .isIn("PLANNING_FAILED", "PROVIDER_ERROR");
        assertThat(end.data().path("message").asText()).as(what).isNotBlank();
        assertThat(person.awaits(run, "FAILED").path("error").asText()).as(what).isNotBlank();
        assertThat(events).as(what).extracting(Person.Event::type).doesNotContain("complete");
      }
    }
  }

  @Test
  void aGoalIsThoughtAboutPlannedExecutedAndReported() {
    use("anthropic");
    MODEL.next(
        Answer.saying("All is ", "known."),
        Answer.saying("{\"steps\":[{\"toolName\":\"echo\",\"args\":{\"n\":42}}]}"),
        Answer.saying("# Report\n", "It was 42."));

    var run =
        person.start(
            "{'goal':'find it','reasoning_mode':'staged','output_format':'report',"
                + "'config':{'requirePlanApproval':false}}");
    var events = person.watchUntil(run, "complete");

    assertThat(events)
        .extracting(Person.Event::type)
        .containsSubsequence(
            "thinking", "plan_token", "plan_ready", "step_start", "step_complete", "token");
    assertThat(events.getLast().data().path("result").asText()).isEqualTo("# Report\nIt was 42.");
    assertThat(MODEL.request(2).text()).contains("All is known.");
    assertThat(MODEL.request(3).text()).contains("42");
    assertThat(MODEL.requests()).allMatch(request -> !request.json().has("tools"));
  }

  @Test
  void callsOfOneTurnRunSideBySideWhereTheyMayAndNobodyOutsideCanApproveThem() {
    var reply =
        person.post(
            "/api/agent/tools/batch",
            "{'permissionMode':'full-access','calls':["
                + "{'id':'c1','name':'delay','arguments':{'ms':2000}},"
                + "{'id':'c2','name':'delay','arguments':{'ms':2000}},"
                + "{'id':'c3','name':'fail','arguments':{'message':'no'}},"
                + "{'id':'c4','name':'write_file','arguments':{'path':'x.txt','content':'x'}},"
                + "{'id':'c5','name':'read_file','arguments':{'path':'./x.txt'}}]}");

    assertThat(reply.status()).as("%s", reply).isEqualTo(200);
    assertThat(reply.body().at("/results/1/startedAt").asText())
        .isLessThan(reply.body().at("/results/0/completedAt").asText());
    assertThat(reply.body().at("/results/4/startedAt").asText())
        .isGreaterThanOrEqualTo(reply.body().at("/results/3/completedAt").asText());
    assertThat(reply.body().path("results"))
        .extracting(result -> result.path("success").asBoolean())
        .containsExactly(true, true, false, true, true);
    var batch = reply.text("batchId");
    assertThat(person.get("/api/agent/tools/batch/" + batch + "/receipts").body()).hasSize(1);

    var claimed =
        person.post(
            "/api/agent/tools/batch",
            "{'calls':[{'id':'c1','name':'write_file','approved':true,"
                + "'arguments':{'path':'y.txt','content':'y'}}]}");
    assertThat(claimed.status()).isEqualTo(403);
    assertThat(claimed.text("code")).isEqualTo("APPROVED_FROM_OUTSIDE");
  }

  private static Map<String, Supplier<Answer>> failures() {
    var all = new LinkedHashMap<String, Supplier<Answer>>();
    all.put("refuses the key", () -> Answer.failing(401, "authentication_error", "Bad key"));
    all.put("forbids", () -> Answer.failing(403, "permission_error", "No"));
    all.put("does not know the model", () -> Answer.failing(404, "not_found_error", "No model"));
    all.put("asks to slow down", () -> Answer.failing(429, "rate_limit_error", "Slow down"));
    all.put(
        "asks to wait long",
        () -> Answer.failing(429, "rate_limit_error", "Slow down").header("retry-after", "600"));
    all.put("is overloaded", () -> Answer.failing(529, "overloaded_error", "Overloaded"));
    all.put("is a proxy's page", () -> Answer.body(502, "text/html", "<html>Bad Gateway</html>"));
    all.put("is a page in disguise", () -> Answer.body(200, "text/html", "<html>Sign in</html>"));
    all.put("answers nothing", () -> Answer.stream().finish("stop"));
    all.put("ends without a word", () -> Answer.stream().unterminated());
    all.put("sends nonsense", () -> Answer.stream().raw("data: {not json\n\n").unterminated());
    all.put("hangs up at once", Answer::hangUp);
    all.put("never answers", Answer::silence);
    all.put("falls silent", () -> Answer.stream().text("half").hang());
    all.put("cuts the stream", () -> Answer.stream().text("half").cut());
    all.put("ends without an end", () -> Answer.stream().text("half").unterminated());
    all.put(
        "breaks off with an error",
        () -> Answer.stream().text("half").fail("overloaded_error", "Overloaded").unterminated());
    all.put("reaches its limit", () -> Answer.stream().text("half").finish("length"));
    all.put("withholds the rest", () -> Answer.stream().text("half").finish("content_filter"));
    all.put(
        "calls what is cut off",
        () -> Answer.stream().toolFragment(0, "call_a", "echo", "{\"n\":").cut());
    return all;
  }

  /** Ends the executing process and waits until another is in its place. */
  private static void kill() {
    var before = system.pid("agent-runtime");
    ProcessHandle.of(before).orElseThrow().destroyForcibly();
    await()
        .atMost(SOON)
        .ignoreExceptions()
        .until(
            () ->
                system.pid("agent-runtime") != before
                    && Http.get(system.port("agent-runtime"), "/q/health/ready") == 200);
  }
}
