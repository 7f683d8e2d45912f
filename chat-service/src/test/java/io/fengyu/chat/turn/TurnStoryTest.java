package io.fengyu.chat.turn;

import static io.fengyu.chat.turn.ChatWorld.gapless;
import static io.fengyu.chat.turn.ChatWorld.joined;
import static io.fengyu.chat.turn.ChatWorld.message;
import static io.fengyu.chat.turn.ChatWorld.messages;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fengyu.chat.turn.ChatWorld.Frame;
import io.fengyu.testing.model.Answer;
import io.fengyu.testing.model.ModelServer;
import io.fengyu.testing.model.Signal;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.response.Response;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@QuarkusTest
class TurnStoryTest {

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
  void everyProvidersAnswerIsTheSameEvents(String mode) {
    PROVIDER.next(
        Answer.stream()
            .thinking("The user ", "wants…")
            .text("Let me ", "say: 你", "好 🎉")
            .usage(11, 42)
            .finish("stop")
            .inPieces(3));

    var frames = world.using(mode).ask("Hi");

    gapless(frames);
    assertThat(frames.getFirst().id()).isZero();
    assertThat(joined(frames, "thinking")).isEqualTo("The user wants…");
    assertThat(joined(frames, "token")).isEqualTo("Let me say: 你好 🎉");
    var done = frames.getLast();
    assertThat(done.type()).isEqualTo("done");
    assertThat(done.data().path("text").asText()).isEqualTo("Let me say: 你好 🎉");
    assertThat(done.data().path("tokens").asInt()).isEqualTo(42);
    assertThat(done.data().path("tps").asDouble()).isNotNegative().isFinite();
  }

  @Test
  void aTurnRunsWithoutAReaderAndIsReadFromItsFirstEventLater() {
    PROVIDER.next(Answer.saying("a", "b", "c"));
    var id = world.using("openai").start("Hi");
    await()
        .atMost(SOON)
        .until(() -> world.record(id).path("run_status").asText().equals("completed"));

    try (var stream = world.open(id, null)) {
      assertThat(stream.status()).isEqualTo(200);
      assertThat(stream.line()).isEqualTo(": connected");
      assertThat(stream.rest()).extracting(Frame::id).containsExactly(0L, 1L, 2L, 3L);
    }
  }

  @Test
  void aReaderWhoLeavesEndsNothingAndGoesOnWhereHeLeft() {
    var go = new Signal();
    PROVIDER.next(
        Answer.stream().text("one ", "two ", "three ").await(go).text("four").finish("stop"));
    var id = world.using("openai").start("Hi");
    try (var stream = world.open(id, null)) {
      for (var i = 0; i < 3; i++) {
        assertThat(stream.next()).isNotNull();
      }
    }
    go.fire();

    List<Frame> rest;
    try (var stream = world.open(id, "2")) {
      rest = stream.rest();
    }

    assertThat(rest.getFirst().id()).isEqualTo(3);
    assertThat(joined(rest, "token")).isEqualTo("four");
    assertThat(world.read(id).getLast().data().path("text").asText())
        .isEqualTo("one two three four");
    assertThat(PROVIDER.requests()).hasSize(1);
  }

  @Test
  void aCursorBeyondWhatWasSaidIsRefusedNotGuessed() {
    PROVIDER.next(Answer.saying("a"));
    var id = world.using("openai").start("Hi");
    world.read(id);

    try (var stream = world.open("?streamId=" + id + "&after_seq=99", null, true)) {
      assertThat(stream.status()).isEqualTo(409);
      assertThat(stream.body()).contains("REPLAY_UNAVAILABLE");
    }
    try (var stream = world.open(id, "99")) {
      var only = stream.rest();
      assertThat(only).hasSize(1);
      assertThat(only.getFirst().type()).isEqualTo("error");
      assertThat(only.getFirst().data().path("code").asText()).isEqualTo("REPLAY_UNAVAILABLE");
    }
  }

  @Test
  void othersTurnsAndThoseThatNeverWereLookTheSame() {
    PROVIDER.next(Answer.saying("a"));
    var id = world.using("openai").start("Hi");
    var other = new ChatWorld(PROVIDER);
    for (var unknown : List.of(id, UUID.randomUUID().toString(), "no-id")) {
      try (var stream = other.open(unknown, null)) {
        assertThat(stream.status()).isEqualTo(404);
        assertThat(stream.body()).contains("UNKNOWN_STREAM");
      }
      other.as().get("/api/ai/runs/" + unknown).then().statusCode(404);
      assertThat(
              other
                  .as()
                  .post("/api/ai/cancel?streamId=" + unknown)
                  .then()
                  .extract()
                  .<Boolean>path("ok"))
          .isFalse();
    }
    assertThat(world.read(id).getLast().type()).isEqualTo("done");
  }

  @Test
  void aTokenInTheAddressNeverOpensAStream() {
    PROVIDER.next(Answer.saying("a"));
    var id = world.using("openai").start("Hi");

    try (var stream = world.open("?streamId=" + id + "&token=tok-admin", null, false)) {
      assertThat(stream.status()).isEqualTo(401);
    }
  }

  @Test
  void aTicketOpensAStreamOnce() {
    PROVIDER.next(Answer.saying("a"));
    var id = world.using("openai").start("Hi");
    String ticket = world.as().post("/api/ai/stream-ticket").then().extract().path("ticket");

    try (var stream = world.open("?streamId=" + id + "&ticket=" + ticket, null, false)) {
      assertThat(stream.rest().getLast().type()).isEqualTo("done");
    }
    try (var stream = world.open("?streamId=" + id + "&ticket=" + ticket, null, false)) {
      assertThat(stream.status()).isEqualTo(401);
    }
  }

  @Test
  void aCancelledTurnEndsAsCancelledAndKeepsWhatItSaid() {
    PROVIDER.next(Answer.stream().text("partial").hang());
    var id = world.using("openai").start("Hi");
    try (var stream = world.open(id, null)) {
      assertThat(stream.next()).isNotNull();

      assertThat(
              world.as().post("/api/ai/cancel?streamId=" + id).then().extract().<Boolean>path("ok"))
          .isTrue();

      var rest = stream.rest();
      assertThat(rest).hasSize(1);
      assertThat(rest.getFirst().data().path("code").asText()).isEqualTo("CANCELLED");
      assertThat(rest.getFirst().data().path("errorCode").asText()).isEqualTo("ABORTED");
    }
    var record = world.record(id);
    assertThat(record.path("run_status").asText()).isEqualTo("cancelled");
    assertThat(record.path("text").asText()).isEqualTo("partial");
    assertThat(
            world.as().post("/api/ai/cancel?streamId=" + id).then().extract().<Boolean>path("ok"))
        .isFalse();
  }

  @Test
  void aFailureBeforeTheFirstWordIsTriedAgainOneAfterItIsNot() {
    PROVIDER.next(Answer.failing(500, "server_error", "try again"), Answer.saying("fine"));
    assertThat(world.using("openai").ask("Hi").getLast().type()).isEqualTo("done");

    PROVIDER.next(Answer.stream().text("half").cut());
    var frames = world.ask("Hi");

    assertThat(joined(frames, "token")).isEqualTo("half");
    assertThat(frames.getLast().type()).isEqualTo("error");
    assertThat(frames.getLast().data().path("errorCode").asText()).isEqualTo("NETWORK");
    assertThat(PROVIDER.requests()).hasSize(3);
  }

  @Test
  void whatAProviderRefusesIsSaidWithoutItsKey() {
    PROVIDER.next(Answer.failing(401, "auth", "bad key sk-0123456789abcdef"));
    var error = world.using("openai").ask("Hi").getLast().data();

    assertThat(error.path("errorCode").asText()).isEqualTo("AUTH_MISSING");
    assertThat(error.path("message").asText()).contains("401").doesNotContain("0123456789abcdef");
  }

  @Test
  void anIncompleteBackEndIsToldOnTheStreamAndNobodyIsAsked() {
    var body =
        """
        {"mode":"anthropic","anthropic":{"baseUrl":"%s","model":"m"}}"""
            .formatted(PROVIDER.address());

    var frames = world.configured(body).ask("Hi");

    assertThat(frames).hasSize(1);
    assertThat(frames.getFirst().data().path("errorCode").asText()).isEqualTo("AUTH_MISSING");
    assertThat(PROVIDER.requests()).isEmpty();
  }

  @Test
  void whatCannotBeATurnIsRefusedAndNothingStarts() {
    world.using("openai");
    refused("INVALID_MESSAGES", body -> messages(body).removeAll());
    refused("INVALID_MESSAGES", body -> messages(body).addObject().put("content", 5));
    refused(
        "INVALID_MESSAGES",
        body -> messages(body).addObject().put("role", "assistant").put("content", "x"));
    refused(
        "INVALID_MESSAGES",
        body -> messages(body).addObject().put("role", "tool").put("content", "x"));
    refused("PERMISSION_MODE_UNKNOWN", body -> body.put("permissionMode", "yolo"));
    refused(
        "CHAT_REQUEST_INVALID", body -> body.putObject("options").put("reasoning_mode", "deep"));
    refused("CHAT_WORKFLOW_UNKNOWN", body -> body.put("workflowId", "unknown"));
    var model = message("Hi");
    model.putObject("options").put("model", "nobody-has-it");
    world.post(model).then().statusCode(422);
    assertThat(PROVIDER.requests()).isEmpty();
  }

  private interface Change {
    void of(com.fasterxml.jackson.databind.node.ObjectNode body);
  }

  private void refused(String code, Change change) {
    var body = message("Hi");
    change.of(body);
    String said = world.post(body).then().statusCode(400).extract().path("code");
    assertThat(said).isEqualTo(code);
  }

  @Test
  void oneSendIsOneTurnHoweverOftenItArrives() throws Exception {
    PROVIDER.otherwise(Answer.saying("once"));
    world.using("openai");
    var body = message("Hi").put("sendId", "send-1");

    var answers = atOnce(5, () -> world.post(body));

    assertThat(answers).extracting(Response::statusCode).containsOnly(200);
    assertThat(answers.stream().map(answer -> answer.path("streamId").toString()).distinct())
        .hasSize(1);
    world.read(answers.getFirst().path("streamId"));
    assertThat(PROVIDER.requests()).hasSize(1);
    var other = world.post(message("Something else").put("sendId", "send-1"));
    assertThat(other.statusCode()).isEqualTo(409);
    assertThat(other.<String>path("code")).isEqualTo("SEND_CONFLICT");
  }

  @Test
  void oneKeyIsOneTurn() {
    PROVIDER.otherwise(Answer.saying("once"));
    world.using("openai");
    var body = message("Hi").toString();

    var first = world.as().header("Idempotency-Key", "k1").body(body).post("/api/ai/chat");
    var second = world.as().header("Idempotency-Key", "k1").body(body).post("/api/ai/chat");

    assertThat(second.<String>path("streamId")).isEqualTo(first.path("streamId"));
    assertThat(second.header("Idempotent-Replayed")).isEqualTo("true");
    world
        .as()
        .header("Idempotency-Key", "k1")
        .body(message("Else").toString())
        .post("/api/ai/chat")
        .then()
        .statusCode(409);
  }

  @Test
  void anOwnerHasSoManyTurnsUnderWay() throws Exception {
    PROVIDER.otherwise(Answer.silence());
    world.using("openai");

    var answers = atOnce(8, () -> world.post(message("Hi")));

    assertThat(answers.stream().filter(answer -> answer.statusCode() == 200)).hasSize(5);
    var refused = answers.stream().filter(answer -> answer.statusCode() == 429).findFirst().get();
    assertThat(refused.<String>path("code")).isEqualTo("TOO_MANY_PENDING_TURNS");
    assertThat(refused.header("Retry-After")).isEqualTo("1");
    answers.stream()
        .filter(answer -> answer.statusCode() == 200)
        .forEach(answer -> world.as().post("/api/ai/cancel?streamId=" + answer.path("streamId")));
  }

  @Test
  void aConversationHasOneTurnAtATime() throws Exception {
    ChatWorld.conversations();
    var go = new Signal();
    PROVIDER.next(Answer.stream().text("a").await(go).finish("stop"));
    world.using("openai");
    var body = message("Hi").put("conversationId", "c-" + world.owner());

    var answers = atOnce(4, () -> world.post(body));

    var begun = answers.stream().filter(answer -> answer.statusCode() == 200).toList();
    assertThat(begun).hasSize(1);
    String id = begun.getFirst().path("streamId");
    var busy = answers.stream().filter(answer -> answer.statusCode() == 409).toList();
    assertThat(busy).hasSize(3);
    assertThat(busy.getFirst().<String>path("code")).isEqualTo("SESSION_BUSY");
    assertThat(busy.getFirst().<String>path("active_run.run_id")).isEqualTo(id);
    go.fire();
    world.read(id);
    PROVIDER.next(Answer.saying("b"));
    assertThat(world.read(world.start(body)).getLast().type()).isEqualTo("done");
  }

  @Test
  void onlyTheLatestTurnOfAConversationIsEdited() {
    ChatWorld.conversations();
    PROVIDER.otherwise(Answer.saying("ok"));
    world.using("openai");
    var conversation = "e-" + world.owner();
    var first = world.start(message("one").put("conversationId", conversation));
    world.read(first);
    var second = world.start(message("two").put("conversationId", conversation));
    world.read(second);

    world
        .post(message("1").put("conversationId", conversation).put("editTurn", first))
        .then()
        .statusCode(409);
    var third =
        world.start(message("2").put("conversationId", conversation).put("editTurn", second));
    world.read(third);

    assertThat(world.record(second).path("superseded_by").asText()).isEqualTo(third);
    assertThat(world.record(first).path("superseded_by").isNull()).isTrue();
  }

  @Test
  void aTurnKeepsItsBackEndWhateverIsConfiguredMeanwhile() {
    var go = new Signal();
    PROVIDER.next(
        Answer.stream().text("a").await(go).toolCall(0, "c1", "look", "{}").finish("tool_calls"));
    PROVIDER.next(Answer.saying("b"));
    var id = world.using("openai").start("Hi");
    PROVIDER.request(1);
    world.using("anthropic");
    go.fire();

    assertThat(world.read(id).getLast().type()).isEqualTo("done");
    assertThat(PROVIDER.requests())
        .extracting(request -> request.path())
        .doesNotContain("/v1/messages");
  }

  static List<Response> atOnce(int count, Callable<Response> call) throws Exception {
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      var answers = new ArrayList<Response>();
      for (var answer : threads.invokeAll(java.util.Collections.nCopies(count, call))) {
        answers.add(answer.get());
      }
      return answers;
    }
  }
}
