package io.fengyu.chat.turn;

import static io.fengyu.chat.turn.ChatWorld.message;
import static io.fengyu.chat.turn.ChatWorld.messages;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.hamcrest.Matchers.contains;
import static org.hamcrest.Matchers.equalTo;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fengyu.testing.model.Answer;
import io.fengyu.testing.model.ModelServer;
import io.fengyu.testing.model.Signal;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.response.ValidatableResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

@QuarkusTest
class ConversationStoryTest {

  private static final ModelServer PROVIDER = ModelServer.start();
  private static final Duration SOON = Duration.ofSeconds(40);

  private final ChatWorld world = new ChatWorld(PROVIDER);
  private final String id = "talk-" + UUID.randomUUID();

  @BeforeEach
  void forget() {
    PROVIDER.reset();
    ToolStandIn.forget();
    ChatWorld.conversations();
    world.using("openai");
  }

  @AfterAll
  static void stop() {
    PROVIDER.close();
  }

  @Test
  void questionAndReplyAreInTheConversationWhenTheTurnIsOver() {
    PROVIDER.next(Answer.saying("42"));
    PROVIDER.next(Answer.saying("Because"));

    world.read(world.start(said("What is it?")));
    talk()
        .body("title", equalTo("What is it?"))
        .body("messages.content", contains("What is it?", "42"));

    world.read(world.start(said("Why?")));
    talk()
        .body("messages.role", contains("user", "assistant", "user", "assistant"))
        .body("messages.content", contains("What is it?", "42", "Why?", "Because"));
  }

  @Test
  void theFirstTurnBringsTheWholeHistoryAlong() {
    PROVIDER.next(Answer.saying("three"));
    var body = said("one");
    messages(body).addObject().put("role", "assistant").put("content", "two");
    messages(body).addObject().put("content", "and?");

    world.read(world.start(body));

    talk().body("messages.content", contains("one", "two", "and?", "three"));
  }

  @Test
  void oneSendIsOneMessageHoweverOftenItIsPosted() throws Exception {
    PROVIDER.next(Answer.saying("once"));
    var body = said("Hi").put("sendId", "s-" + UUID.randomUUID());

    var posts = new ArrayList<Callable<String>>();
    for (int i = 0; i < 5; i++) {
      posts.add(() -> world.start(body));
    }
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      var streams = new ArrayList<String>();
      for (var each : threads.invokeAll(posts)) {
        streams.add(each.get());
      }
      assertThat(streams).containsOnly(streams.getFirst());
      world.read(streams.getFirst());
    }
    talk().body("messages.content", contains("Hi", "once"));
  }

  @Test
  void aStoppedTurnLeavesTheQuestionOnly() {
    var hold = new Signal();
    PROVIDER.next(Answer.stream().text("half ").await(hold).text("whole").finish("stop"));
    var stream = world.start(said("Go"));

    world.as().post("/api/ai/cancel?streamId=" + stream).then().body("ok", equalTo(true));
    hold.fire();
    world.read(stream);

    talk().body("messages.content", contains("Go"));
  }

  @Test
  void deletingAConversationStopsItsTurn() {
    var hold = new Signal();
    PROVIDER.next(Answer.stream().text("half ").await(hold).text("whole").finish("stop"));
    var stream = world.start(said("Go"));

    world.as().delete("/api/ai/conversations/" + id).then().statusCode(204);
    hold.fire();

    await()
        .atMost(SOON)
        .until(() -> world.record(stream).path("run_status").asText().equals("cancelled"));
    talk().statusCode(404);
  }

  private ObjectNode said(String text) {
    return message(text).put("conversationId", id);
  }

  private ValidatableResponse talk() {
    return world.as().get("/api/ai/conversations/" + id).then();
  }
}
