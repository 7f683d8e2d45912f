package io.fengyu.chat.turn;

import static io.fengyu.chat.turn.ChatWorld.message;
import static io.fengyu.chat.turn.ChatWorld.messages;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fengyu.testing.model.Answer;
import io.fengyu.testing.model.ModelServer;
import io.fengyu.testing.model.RecordedRequest;
import io.quarkus.test.junit.QuarkusTest;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

@QuarkusTest
class ContextStoryTest {

  private static final ModelServer PROVIDER = ModelServer.start();
  private static final int WINDOW = 4096;

  private final ChatWorld world = new ChatWorld(PROVIDER);

  @BeforeEach
  void forget() {
    PROVIDER.reset();
    ToolStandIn.forget();
    world
        .using("openai")
        .configured("{\"contextWindowTokens\":4096,\"systemPrompt\":\"Be kind.\"}");
  }

  @AfterAll
  static void stop() {
    PROVIDER.close();
  }

  @Test
  void twelveLongRoundsAreSummedUpToEight() {
    summariesSay("They agreed on blue.");

    world.read(world.start(rounds(12, 700)));

    var requests = PROVIDER.requests();
    assertThat(requests).hasSize(2);
    assertThat(requests.getFirst().json().path("tools").isMissingNode()).isTrue();
    var sent = requests.getLast();
    assertThat(roles(sent, "user")).hasSize(8);
    assertThat(roles(sent, "system").getFirst().path("content").asText()).contains("Be kind.");
    var marked =
        roles(sent, "assistant").stream()
            .filter(one -> one.path("content").asText().startsWith("[FengYu conversation summary]"))
            .toList();
    assertThat(marked).hasSize(1);
    assertThat(marked.getFirst().path("content").asText()).contains("They agreed on blue.");
  }

  @Test
  void eightRoundsStayAsTheyAre() {
    PROVIDER.otherwise(Answer.saying("ok"));

    world.read(world.start(rounds(8, 1200)));

    assertThat(PROVIDER.requests()).hasSize(1);
    assertThat(roles(PROVIDER.request(1), "user")).hasSize(8);
  }

  @Test
  void aFailedSummaryHarmsNobody() {
    PROVIDER.whenever(ContextStoryTest::asksForSummary, Answer.failing(400, "bad", "no"));
    PROVIDER.otherwise(Answer.saying("ok"));

    var frames = world.read(world.start(rounds(12, 700)));

    assertThat(frames.getLast().type()).isEqualTo("done");
    var sent = PROVIDER.requests().getLast();
    assertThat(roles(sent, "user")).hasSize(12);
    // Once for all, and once for the newer half.
    assertThat(PROVIDER.requests().stream().filter(ContextStoryTest::asksForSummary)).hasSize(2);
  }

  @Test
  void fourHundredRoundsFitAndAreSummedUpOnlyOnce() {
    summariesSay("Everything before.");
    var body = rounds(400, 200);

    world.read(world.start(body));

    var first = PROVIDER.requests().size();
    assertThat(PROVIDER.requests())
        .allSatisfy(request -> assertThat(estimate(request)).isLessThanOrEqualTo(WINDOW));
    assertThat(roles(PROVIDER.requests().getLast(), "user")).hasSize(8);

    messages(body).addObject().put("role", "assistant").put("content", "ok");
    messages(body).addObject().put("role", "user").put("content", "and now?");
    world.read(world.start(body));

    assertThat(PROVIDER.requests()).hasSize(first + 2);
    assertThat(roles(PROVIDER.requests().getLast(), "user")).hasSize(8);
  }

  @Test
  void aWindowWithoutABoundIsNeverSummedUp() {
    PROVIDER.otherwise(Answer.saying("ok"));
    world.configured("{\"contextWindowTokens\":0}");

    world.read(world.start(rounds(60, 700)));

    assertThat(PROVIDER.requests()).hasSize(1);
  }

  private static void summariesSay(String summary) {
    PROVIDER.whenever(ContextStoryTest::asksForSummary, Answer.saying(summary));
    PROVIDER.otherwise(Answer.saying("ok"));
  }

  private static boolean asksForSummary(RecordedRequest request) {
    return request.text().contains("You sum up the earlier part");
  }

  private static ObjectNode rounds(int count, int characters) {
    var body = message("round 0 " + "x".repeat(characters));
    for (var i = 1; i < count; i++) {
      messages(body).addObject().put("role", "assistant").put("content", "answer " + i);
      messages(body)
          .addObject()
          .put("role", "user")
          .put("content", "round " + i + " " + "x".repeat(characters));
    }
    return body;
  }

  private static List<JsonNode> roles(RecordedRequest request, String role) {
    return request
        .json()
        .path("messages")
        .valueStream()
        .filter(one -> one.path("role").asText().equals(role))
        .toList();
  }

  private static long estimate(RecordedRequest request) {
    return request.text().length() / 4;
  }
}
