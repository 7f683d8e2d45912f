package io.fengyu.chat.turn;

import static io.fengyu.chat.turn.ChatWorld.gapless;
import static io.fengyu.chat.turn.ChatWorld.message;
import static io.fengyu.chat.turn.ChatWorld.phase;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.fengyu.testing.model.Answer;
import io.fengyu.testing.model.ModelServer;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.response.Response;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@QuarkusTest
class ToolStoryTest {

  private static final ModelServer PROVIDER = ModelServer.start();
  private static final Duration SOON = Duration.ofSeconds(40);

  private final ChatWorld world = new ChatWorld(PROVIDER);

  @BeforeEach
  void forget() {
    PROVIDER.reset();
    ToolStandIn.forget();
  }

  @AfterAll
  static void stop() {
    PROVIDER.close();
  }

  @ParameterizedTest
  @ValueSource(strings = {"local", "openai", "anthropic", "deepseek"})
  void callsAreMadeAndTheirResultsGoBackInOrder(String mode) {
    PROVIDER.next(
        Answer.stream()
            .text("Let me check ")
            .toolCall(0, "c1", "slow", "{\"path\":", "\"a\"}")
            .toolCall(1, "c2", "look", "{}")
            .usage(5, 5)
            .finish("tool_calls"),
        Answer.saying("it works."));

    var id = world.using(mode).start("Hi");
    var frames = world.read(id);

    gapless(frames);
    assertThat(phase(frames, "call"))
        .extracting(call -> call.path("name").asText())
        .containsExactly("slow", "look");
    // Shown as they end, told to the model in the order of the calls.
    assertThat(phase(frames, "result"))
        .extracting(end -> end.path("output").asText())
        .containsExactly("look saw {}", "slow saw {\"path\":\"a\"}");
    assertThat(frames.getLast().data().path("text").asText()).isEqualTo("Let me check it works.");
    var sent = PROVIDER.request(2).text();
    assertThat(sent.indexOf("slow saw")).isPositive().isLessThan(sent.indexOf("look saw"));
    assertThat(ToolStandIn.CATALOGS).hasSize(1);
    var record = world.record(id);
    assertThat(record.path("tools")).hasSize(2);
    assertThat(record.at("/usage/toolCalls").asInt()).isEqualTo(2);
    assertThat(record.at("/usage/modelCalls").asInt()).isEqualTo(2);
  }

  @Test
  void oddCallsEachGetOneHonestResult() {
    PROVIDER.next(
        Answer.stream()
            .toolCall(0, "same", "look", "{}")
            .toolCall(1, "same", "look", "{}")
            .toolCall(2, "b", "look", "{broken")
            .toolCall(3, "c", "nobody", "{}")
            .finish("tool_calls"),
        Answer.calling("same", "look", "{}"),
        Answer.saying("done"));

    var frames = world.using("openai").ask("Hi");

    var calls = phase(frames, "call").stream().map(call -> call.path("id").asText()).toList();
    var ends = phase(frames, "result").stream().map(end -> end.path("id").asText()).toList();
    assertThat(calls).hasSize(5).doesNotHaveDuplicates();
    assertThat(ends).containsExactlyInAnyOrderElementsOf(calls);
    assertThat(phase(frames, "result").stream().filter(end -> !end.path("success").asBoolean()))
        .extracting(end -> end.path("output").asText())
        .containsExactlyInAnyOrder(
            "The arguments are not one JSON object", "There is no tool nobody");
    assertThat(frames.getLast().type()).isEqualTo("done");
  }

  @Test
  void aToolIsCalledSoOftenAndATurnCallsSoOften() {
    for (var i = 0; i < 5; i++) {
      PROVIDER.next(Answer.calling("c" + i, "look", "{\"path\":\"" + i + "\"}"));
    }
    PROVIDER.next(
        Answer.stream()
            .toolCall(0, "d1", "slow", "{}")
            .toolCall(1, "d2", "slow", "{}")
            .toolCall(2, "d3", "slow", "{}")
            .finish("tool_calls"),
        Answer.saying("enough"));

    var frames = world.using("openai").ask("Hi");

    var refused =
        phase(frames, "result").stream()
            .filter(end -> !end.path("success").asBoolean())
            .map(end -> end.path("id").asText());
    assertThat(refused).containsExactly("c4", "d3");
    assertThat(frames.getLast().type()).isEqualTo("done");
  }

  @Test
  void anEndlessLoopEndsAtTheLimitOfRounds() {
    PROVIDER.otherwise(Answer.calling("c", "look", "{}"));
    world.using("openai").configured("{\"maxToolRounds\":2}");

    var frames = world.ask("Hi");

    assertThat(frames.getLast().data().path("code").asText()).isEqualTo("TOOL_ROUNDS_EXCEEDED");
    assertThat(frames.getLast().data().path("message").asText()).contains("2 rounds");
    assertThat(phase(frames, "result")).hasSize(2);
  }

  @Test
  void approvalsAreAskedOneAtATimeBeforeAnythingRuns() {
    PROVIDER.next(
        Answer.stream()
            .toolCall(0, "c1", "look", "{}")
            .toolCall(1, "c2", "write", "{\"path\":\"x\"}")
            .toolCall(2, "c3", "write", "{\"path\":\"y\"}")
            .finish("tool_calls"),
        Answer.saying("ok"));
    var id = world.using("openai").start("Hi");
    try (var stream = world.open(id, null)) {
      var first = stream.until("approval_required").data();
      assertThat(first.path("id").asText()).isEqualTo("c2");
      assertThat(first.path("arguments").asText()).isEqualTo("{\"path\":\"x\"}");
      assertThat(ToolStandIn.RUNS).isEmpty();
      assertThat(pending(id)).hasSize(1);
      assertThat(world.record(id).path("run_status").asText()).isEqualTo("paused");
      assertThat(world.record(id).at("/pending_approval/name").asText()).isEqualTo("write");
      // A beat comes also while somebody is waited for.
      assertThat(stream.line()).isEmpty();
      assertThat(stream.line()).isEqualTo(": heartbeat");

      answer(first, "{\"approved\":true}").then().statusCode(200);
      var second = stream.until("approval_required").data();
      assertThat(second.path("id").asText()).isEqualTo("c3");
      answer(second, "{\"approved\":false,\"feedback\":\"use csv\"}").then().statusCode(200);

      var rest = stream.rest();
      assertThat(phase(rest, "approval_resolved")).hasSize(1);
      assertThat(phase(rest, "result"))
          .extracting(end -> end.path("id").asText() + " " + end.path("success").asText())
          .containsExactlyInAnyOrder("c1 true", "c2 true", "c3 false");
      assertThat(rest.getLast().type()).isEqualTo("done");
    }
    assertThat(PROVIDER.request(2).text()).contains("use csv");
    assertThat(ToolStandIn.RUNS).hasSize(1);
    assertThat(ToolStandIn.RUNS.getFirst().path("calls")).hasSize(2);
    assertThat(ToolStandIn.RUNS.getFirst().at("/calls/1/approved").asBoolean()).isTrue();
    await()
        .atMost(SOON)
        .untilAsserted(
            () ->
                assertThat(ToolStandIn.NEWS)
                    .extracting(news -> news.path("type").asText())
                    .containsExactlyInAnyOrder("opened", "closed", "opened", "closed"));
  }

  @Test
  void anAnswerCountsOnceAndOnlyForItsOwner() {
    PROVIDER.next(Answer.calling("c1", "write", "{\"path\":\"x\"}"), Answer.saying("ok"));
    var id = world.using("openai").start("Hi");
    try (var stream = world.open(id, null)) {
      var question = stream.until("approval_required").data();
      var path = "/api/ai/tool-approvals/" + question.path("approvalId").asText();
      new ChatWorld(PROVIDER).as().body("{\"approved\":true}").post(path).then().statusCode(404);
      world.as().body("{}").post(path).then().statusCode(400);
      world.as().body("{\"decision\":\"perhaps\"}").post(path).then().statusCode(400);
      world
          .as()
          .body("{\"decision\":\"modify\",\"patched_args\":{\"path\":5}}")
          .post(path)
          .then()
          .statusCode(422);

      var patch = "{\"decision\":\"modify\",\"patched_args\":{\"path\":\"z\"}}";
      world.as().body(patch).post(path).then().statusCode(200);

      var again = world.as().body(patch).post(path);
      assertThat(again.<Boolean>path("alreadyResolved")).isTrue();
      var other = world.as().body("{\"approved\":true}").post(path);
      assertThat(other.statusCode()).isEqualTo(409);
      assertThat(other.<String>path("code")).isEqualTo("STALE_APPROVAL");
      var rest = stream.rest();
      assertThat(phase(rest, "result").getFirst().path("output").asText())
          .isEqualTo("wrote {\"path\":\"z\"}");
    }
  }

  @Test
  void whatNobodyAnswersIsRefusedInTheEnd() throws Exception {
    PROVIDER.next(Answer.calling("c1", "write", "{}"), Answer.saying("ok"));
    var id = world.using("openai").start("Hi");
    try (var stream = world.open(id, null)) {
      var question = stream.until("approval_required").data();
      // As if the time were over.
      try (var connection = io.fengyu.contract.testing.PostgresServer.shared().connect();
          var update =
              connection.prepareStatement(
                  "UPDATE chat.approval SET expires_at = now() - interval '1 minute' WHERE id = ?")) {
        update.setObject(
            1, java.util.UUID.fromString(question.path("approvalId").asText().substring(3)));
        update.executeUpdate();
      }

      var rest = stream.rest();

      assertThat(phase(rest, "approval_resolved").getFirst().path("decision").asText())
          .isEqualTo("expired");
      assertThat(phase(rest, "result").getFirst().path("success").asBoolean()).isFalse();
      assertThat(rest.getLast().type()).isEqualTo("done");
      assertThat(answer(question, "{\"approved\":true}").statusCode()).isEqualTo(409);
    }
  }

  @Test
  void aCancelEndsTheWaitForAnAnswer() {
    PROVIDER.next(Answer.calling("c1", "write", "{}"));
    var id = world.using("openai").start("Hi");
    try (var stream = world.open(id, null)) {
      var question = stream.until("approval_required").data();
      world.as().post("/api/ai/cancel?streamId=" + id).then().statusCode(200);

      var rest = stream.rest();

      assertThat(rest.getLast().data().path("code").asText()).isEqualTo("CANCELLED");
      assertThat(phase(rest, "result")).hasSize(1);
      assertThat(answer(question, "{\"approved\":true}").statusCode()).isEqualTo(409);
      assertThat(pending(id)).isEmpty();
    }
  }

  @Test
  void aCancelStopsRunningTools() throws Exception {
    PROVIDER.next(Answer.calling("c1", "hang", "{}"));
    var id = world.using("openai").start("Hi");
    await().atMost(SOON).until(() -> !ToolStandIn.RUNS.isEmpty());

    world.as().post("/api/ai/cancel?streamId=" + id).then().statusCode(200);

    ToolStandIn.gone.get(40, TimeUnit.SECONDS);
    var frames = world.read(id);
    assertThat(phase(frames, "result")).hasSize(1);
    assertThat(frames.getLast().data().path("code").asText()).isEqualTo("CANCELLED");
  }

  @Test
  void fullAccessAsksNobody() {
    PROVIDER.next(Answer.calling("c1", "write", "{}"), Answer.saying("ok"));
    var body = message("Hi").put("permissionMode", "full-access");

    var frames = world.using("openai").read(world.start(body));

    assertThat(phase(frames, "approval_required")).isEmpty();
    assertThat(phase(frames, "result").getFirst().path("success").asBoolean()).isTrue();
  }

  @Test
  void aLongResultIsShownWholeAndLosesItsMiddleForTheModel() {
    PROVIDER.next(Answer.calling("c1", "big", "{}"), Answer.saying("ok"));

    var frames = world.using("openai").ask("Hi");

    assertThat(phase(frames, "result").getFirst().path("output").asText()).hasSize(100_003);
    var sent = PROVIDER.request(2).json();
    var told = sent.path("messages").get(sent.path("messages").size() - 1).path("content").asText();
    assertThat(told.getBytes(java.nio.charset.StandardCharsets.UTF_8).length)
        .isLessThanOrEqualTo(65_536);
    assertThat(told).contains("omitted").endsWith("END");
  }

  @Test
  void aPictureGoesToTheModelAsAPictureAndAnEndpointOfWordsIsAskedWithoutIt() {
    PROVIDER.next(
        Answer.calling("c1", "picture", "{}"),
        Answer.failing(400, "invalid_request", "content must be a string"),
        Answer.saying("ok"));

    var frames = world.using("openai").ask("Hi");

    assertThat(frames.getLast().type()).isEqualTo("done");
    assertThat(phase(frames, "result").getFirst().path("output").asText()).contains("iVBORw0KGgo");
    assertThat(PROVIDER.request(2).text()).contains("iVBORw0KGgo").contains("dom");
    assertThat(PROVIDER.request(3).text()).doesNotContain("iVBORw0KGgo").contains("dom");
  }

  @Test
  void aTurnAboutAWorkflowBringsItsCanvasAlong() {
    PROVIDER.next(Answer.calling("c1", "inspect_current_flow", "{}"), Answer.saying("ok"));
    var body = message("Hi").put("workflowId", "known");
    body.putObject("flowContext").put("workflowId", "known").put("dirty", true);

    var frames = world.using("openai").read(world.start(body));

    assertThat(frames.getLast().type()).isEqualTo("done");
    assertThat(PROVIDER.request(1).text()).contains("inspect_current_flow");
    JsonNode run = ToolStandIn.RUNS.getFirst();
    assertThat(run.path("workflowId").asText()).isEqualTo("known");
    assertThat(run.at("/flowContext/dirty").asBoolean()).isTrue();
  }

  @Test
  void aBudgetEndsATurnAfterItsRunningStep() {
    PROVIDER.otherwise(Answer.calling("c", "look", "{}"));
    world.using("openai");
    var body = message("Hi");
    body.putObject("options").putObject("budget").put("maxToolCalls", 2);

    var error = world.read(world.start(body)).getLast().data();

    assertThat(error.path("code").asText()).isEqualTo("BUDGET_EXCEEDED");
    assertThat(error.at("/params/limit").asText()).isEqualTo("maxToolCalls");
    assertThat(error.at("/params/used").asInt()).isEqualTo(2);

    ToolStandIn.BUDGETS.put(world.owner(), "{\"maxIdenticalCalls\":3}");
    await()
        .atMost(SOON)
        .until(
            () ->
                world
                    .ask("Hi")
                    .getLast()
                    .data()
                    .at("/params/limit")
                    .asText()
                    .equals("maxIdenticalCalls"));
  }

  private List<JsonNode> pending(String id) {
    var list =
        ChatWorld.tree(
            world
                .as()
                .get("/api/ai/tool-approvals?streamId=" + id)
                .then()
                .statusCode(200)
                .extract()
                .asString());
    return list.valueStream().toList();
  }

  private Response answer(JsonNode question, String body) {
    return world
        .as()
        .body(body)
        .post("/api/ai/tool-approvals/" + question.path("approvalId").asText());
  }
}
