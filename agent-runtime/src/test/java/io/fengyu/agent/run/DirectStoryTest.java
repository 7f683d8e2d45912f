package io.fengyu.agent.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.hamcrest.Matchers.contains;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.hasItem;
import static org.hamcrest.Matchers.hasSize;
import static org.hamcrest.Matchers.not;
import static org.hamcrest.Matchers.nullValue;
import static org.hamcrest.Matchers.startsWith;

import com.fasterxml.jackson.databind.JsonNode;
import io.fengyu.contract.model.ModelEvent;
import io.fengyu.contract.model.StopReason;
import io.quarkus.test.junit.QuarkusTest;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

@QuarkusTest
class DirectStoryTest extends ModelStory {

  private static final String NEVER = "'planning_mode':'never'";
  private static final String FREE = NEVER + ",'config':{'permissionMode':'full-access'}";

  @Test
  void aModelCallsToolsReadsTheirResultsAndAnswers() {
    chat.calls("c1", "echo", "{'n': 1.50}", "c2", "echo", "{'password':'hush','m':2}");
    chat.says("It is ", "done.");

    var runId = alice.start("{'goal':'count'," + NEVER + "}");
    var events = alice.watch(runId);

    assertThat(events)
        .extracting(RunClient.Event::type)
        .containsExactly("tool", "tool", "tool", "tool", "thinking", "token", "token", "complete");
    for (int i = 0; i < events.size(); i++) {
      assertThat(events.get(i).data().path("seq").asInt()).isEqualTo(i);
    }
    var first = events.getFirst().data();
    assertThat(first.path("phase").asText()).isEqualTo("call");
    assertThat(first.path("arguments").asText()).isEqualTo("{\"n\": 1.50}");
    assertThat(events.get(1).data().path("arguments").asText())
        .isEqualTo("{\"password\":\"***\",\"m\":2}");
    assertThat(result(events, "c1").path("output").asText()).isEqualTo("{\"n\":1.50}");
    assertThat(result(events, "c1").path("success").asBoolean()).isTrue();
    var complete = events.getLast().data();
    assertThat(complete.path("result").asText()).isEqualTo("It is done.");
    assertThat(events.get(5).data().has("delta")).isFalse();
    var asked = chat.asked.getFirst().body();
    assertThat(asked.path("tools").findValuesAsText("name")).contains("echo", "write_file");
    assertThat(chat.asked.get(1).result("c1").path("content").asText()).isEqualTo("{\"n\":1.50}");
    assertThat(chat.asked.get(1).body().at("/messages/1/blocks/1/arguments").asText())
        .isEqualTo("{\"password\":\"hush\",\"m\":2}");
    alice
        .detail(runId)
        .body("status", equalTo("COMPLETED"))
        .body("plan", nullValue())
        .body("summary", equalTo("It is done."))
        .body("executions", hasSize(2))
        .body("executions[0].toolName", equalTo("echo"))
        .body("executions[0].status", equalTo("COMPLETED"))
        .body("executions[0].result", equalTo("{\"n\":1.50}"))
        .body("events.type", not(hasItem("model_turn")))
        .body("events.seq", equalTo(List.of(0, 1, 2, 3, 4, 5)));
  }

  @Test
  void thinkingWithItsSealGoesBackWithTheResults() {
    chat.answers(
        new ModelEvent.Thinking("let me "),
        new ModelEvent.Thinking("see"),
        new ModelEvent.ThinkingSignature("c2ln"),
        new ModelEvent.Text("I look."),
        new ModelEvent.ToolCallStart(0, "c1", "echo"),
        new ModelEvent.ToolCallEnd(0, "c1", "echo", "{}"),
        new ModelEvent.Done(StopReason.TOOL_CALLS));
    chat.says("ok");

    var runId = alice.start("{'goal':'look'," + NEVER + "}");
    var events = alice.watch(runId);

    assertThat(text(events, "thinking")).startsWith("let me see");
    assertThat(text(events, "token")).isEqualTo("I look.ok");
    assertThat(alice.end(runId).data().path("result").asText()).isEqualTo("ok");
    var said = chat.asked.get(1).body().at("/messages/1/blocks");
    assertThat(said.at("/0/text").asText()).isEqualTo("let me see");
    assertThat(said.at("/0/signature").asText()).isEqualTo("c2ln");
    assertThat(said.at("/1/text").asText()).isEqualTo("I look.");
    assertThat(said.at("/2/id").asText()).isEqualTo("c1");
  }

  @Test
  void aCallThatNeedsAgreementWaitsAndGoesOnWithWhatWasSaidBefore() {
    chat.calls(
        "c1", "test_note", "{'text':'draft','secret':'hush'}", "c2", "echo", "{'seen':true}");
    chat.says("noted");
    var runId = alice.start("{'goal':'note it'," + NEVER + "}");

    var gate = alice.gate(runId);

    assertThat(gate.path("kind").asText()).isEqualTo("step");
    assertThat(gate.path("toolName").asText()).isEqualTo("test_note");
    assertThat(gate.path("tool_call_id").asText()).isEqualTo("c1");
    assertThat(gate.path("effect").asText()).isEqualTo("write");
    assertThat(gate.at("/args/secret").asText()).isEqualTo("***");
    assertThat(StoryTools.calls(runId)).isEmpty();
    alice
        .detail(runId)
        .body("status", equalTo("AWAITING_STEP_APPROVAL"))
        .body("pendingGate.tool_call_id", equalTo("c1"))
        .body("executions[0].status", equalTo("AWAITING_APPROVAL"))
        .body("executions[1].status", equalTo("FAILED"));
    alice
        .approve(runId, "{'decision':'approve','tool_call_id':'c2'}")
        .statusCode(409)
        .body("code", equalTo("STALE_APPROVAL"));
    alice
        .approve(runId, "{'decision':'modify','patched_args':{'text':'final','secret':'***'}}")
        .statusCode(200)
        .body("execution_generation", equalTo(2));

    assertThat(alice.end(runId).type()).isEqualTo("complete");
    assertThat(StoryTools.calls(runId).getFirst().args().toString())
        .isEqualTo("{\"text\":\"final\",\"secret\":\"hush\"}");
    assertThat(chat.asked.getFirst().body().has("pin")).isFalse();
    assertThat(chat.asked.getFirst().headers().getFirst("Connection")).isEqualTo("close");
    assertThat(chat.asked.get(1).body().path("pin").asText()).isEqualTo("pinned");
    assertThat(chat.asked.get(1).result("c2").path("content").asText())
        .contains("TOOL_DEPENDENCY_BLOCKED", "\"blocked_by\":[\"c1\"]");
    alice
        .get("/runs/" + runId + "/receipts")
        .statusCode(200)
        .body("", hasSize(1))
        .body("[0].state", equalTo("done"))
        .body("[0].tool", equalTo("test_note"));
  }

  @Test
  void aModelThatRepeatsACallOfUnknownOutcomeHasToBeAllowed() {
    chat.calls("c1", "test_lossy", "{'to':'bob'}");
    chat.calls("c2", "test_lossy", "{'to':'eve'}", "c3", "test_lossy", "{'to':'bob'}");
    chat.says("sent");
    var runId =
        alice.start(
            "{'goal':'send it','config':{'planning_mode':'never',"
                + "'permissionMode':'approve-for-me'}}");

    var gate = alice.gate(runId);

    assertThat(gate.path("tool_call_id").asText()).isEqualTo("c3");
    assertThat(gate.path("reason").asText()).isEqualTo("repeat");
    assertThat(gate.at("/alreadyDone/0/state").asText()).isEqualTo("unknown");
    assertThat(StoryTools.calls(runId)).hasSize(2);
    alice.approve(runId, "").statusCode(200);
    assertThat(alice.end(runId).data().path("result").asText()).isEqualTo("sent");
    assertThat(StoryTools.calls(runId)).hasSize(3);
    alice.get("/runs/" + runId + "/receipts").body("state", contains("unknown", "done", "done"));
  }

  @Test
  void withFullAccessARepeatedCallIsOnlyNoted() {
    chat.calls("c1", "test_lossy", "{}");
    chat.calls("c2", "test_lossy", "{}");
    chat.says("sent");
    var runId =
        alice.start(
            "{'goal':'send it','config':{'planning_mode':'never','permissionMode':'full-access'}}");

    assertThat(alice.end(runId).type()).isEqualTo("complete");
    alice
        .detail(runId)
        .body(
            "events.findAll { it.type == 'tool' && it.data.alreadyDone }.data.id", contains("c2"));
  }

  @Test
  void theModelIsToldWhenAPersonRefuses() {
    chat.calls("c1", "test_note", "{}");
    chat.says("then not");
    var runId = alice.start("{'goal':'note it'," + NEVER + "}");
    alice.gate(runId);

    alice.approve(runId, "{'decision':'reject'}").statusCode(200);

    assertThat(alice.end(runId).data().path("result").asText()).isEqualTo("then not");
    assertThat(StoryTools.calls(runId)).isEmpty();
    var told = chat.asked.get(1).result("c1");
    assertThat(told.path("content").asText()).isEqualTo("Rejected by user");
    assertThat(told.path("success").asBoolean()).isFalse();
  }

  @Test
  void everyGateOfATurnIsOpenedForItself() {
    chat.calls("c1", "echo", "{'a':1}", "c2", "echo", "{'b':2}");
    chat.says("both");
    var runId =
        alice.start("{'goal':'ask me'," + NEVER + ",'config':{'requireStepApproval':'every'}}");

    assertThat(alice.gate(runId).path("tool_call_id").asText()).isEqualTo("c1");
    alice.approve(runId, "").statusCode(200);
    assertThat(alice.gate(runId, 1).path("tool_call_id").asText()).isEqualTo("c2");
    alice.approve(runId, "").statusCode(200).body("execution_generation", equalTo(3));

    assertThat(alice.end(runId).data().path("result").asText()).isEqualTo("both");
    assertThat(chat.asked).hasSize(2);
  }

  @Test
  void whatAModelGetsWrongIsItsOwnResultAndNotTheEndOfTheRun() {
    chat.calls(
        "c1", "no_such_tool", "{}", "c1", "echo", "{'broken", "c3", "fail", "{'message':'no'}");
    chat.says("sorry");

    var runId = alice.start("{'goal':'try'," + NEVER + "}");
    var events = alice.watch(runId);

    assertThat(events.getLast().type()).isEqualTo("complete");
    assertThat(result(events, "c1").path("code").asText()).isEqualTo("TOOL_UNKNOWN");
    assertThat(result(events, "c1_2").path("code").asText()).isEqualTo("TOOL_DEPENDENCY_BLOCKED");
    assertThat(chat.asked.get(1).body().at("/messages/1/blocks/1/id").asText()).isEqualTo("c1_2");
  }

  @Test
  void argumentsThatAreNoJsonAreToldToTheModel() {
    chat.calls("c1", "echo", "{'broken");
    chat.says("sorry");

    var runId = alice.start("{'goal':'try'," + NEVER + "}");

    var told = result(alice.watch(runId), "c1");
    assertThat(told.path("code").asText()).isEqualTo("TOOL_ARGUMENTS_INVALID");
    assertThat(told.path("output").asText()).contains("{\"broken");
  }

  @Test
  void aResultThatIsTooLongReachesTheModelWithoutItsMiddleAndClientsWhole() {
    var text = "ä".repeat(60_000) + "END";
    chat.calls("c1", "echo", "{'t':'" + text + "'}");
    chat.says("long");

    var runId = alice.start("{'goal':'much'," + NEVER + "}");

    assertThat(result(alice.watch(runId), "c1").path("output").asText()).contains(text);
    var told = chat.asked.get(1).result("c1").path("content").asText();
    assertThat(told.getBytes(java.nio.charset.StandardCharsets.UTF_8).length)
        .isLessThanOrEqualTo(64 * 1024)
        .isGreaterThan(60 * 1024);
    assertThat(told).contains("... [omitted ").endsWith("END\"}").doesNotContain("\uFFFD");
  }

  @Test
  void aRunThatMayOnlyReadIsOfferedNothingElse() {
    chat.calls("c1", "test_note", "{}");
    chat.says("may not");

    var runId =
        alice.start("{'goal':'read'," + NEVER + ",'config':{'capabilityMode':'read-only'}}");

    assertThat(alice.end(runId).type()).isEqualTo("complete");
    assertThat(chat.asked.getFirst().body().path("tools").findValuesAsText("name"))
        .contains("echo")
        .doesNotContain("test_note", "write_file");
    assertThat(chat.asked.get(1).result("c1").path("content").asText())
        .contains("may not be used in this run");
    assertThat(StoryTools.calls(runId)).isEmpty();
  }

  @Test
  void everyFailureOfTheModelEndsTheRunWithAClearError() {
    chat.failsAfter("PROVIDER_ERROR", "half");
    assertFailed("PROVIDER_ERROR", "the provider said no");
    chat.cutsAfter("half");
    assertFailed("PROVIDER_ERROR", "broke off");
    chat.answers(new ModelEvent.Done(StopReason.END));
    assertFailed("PROVIDER_ERROR", "answered nothing");
    chat.stops(StopReason.LENGTH, "half");
    assertFailed("PROVIDER_ERROR", "token limit");
    chat.stops(StopReason.FILTERED, "half");
    assertFailed("PROVIDER_ERROR", "withheld");
    chat.failsAfter("MODEL_UNAVAILABLE", "");
    assertFailed("MODEL_UNAVAILABLE", "");
    chat.hangsAfter("half");
    assertFailed("PROVIDER_ERROR", "within");
    assertThat(chat.gone).succeedsWithin(Duration.ofSeconds(2));
  }

  private void assertFailed(String code, String message) {
    var runId = alice.start("{'goal':'fail'," + NEVER + "}");
    var end = alice.end(runId);
    assertThat(end.type()).isEqualTo("error");
    assertThat(end.data().path("code").asText()).isEqualTo(code);
    assertThat(end.data().path("message").asText()).contains(message);
    alice.detail(runId).body("status", equalTo("FAILED"));
  }

  @Test
  void aModelThatNeverStopsCallingIsStopped() {
    for (int i = 0; i < 40; i++) {
      chat.calls("c", "echo", "{}");
    }

    var runId = alice.start("{'goal':'for ever'," + NEVER + "}");

    assertThat(alice.end(runId).data().path("code").asText()).isEqualTo("TOOL_LOOP_LIMIT");
    assertThat(chat.asked).hasSize(32);
  }

  @Test
  void aCancelEndsTheModelsAnswer() {
    chat.hangsAfter("half");
    var runId = alice.start("{'goal':'stop me'," + NEVER + "}");
    alice.awaitEvent(runId, "token");

    alice.cancel(runId).statusCode(200);

    assertThat(chat.gone).succeedsWithin(Duration.ofSeconds(1));
    assertCancelled(runId);
  }

  @Test
  void aCancelEndsARunningCallAndAnOpenGate() {
    chat.calls("c1", "test_slow", "{}");
    var running = alice.start("{'goal':'stop me'," + FREE + "}");
    alice.awaitEvent(running, "tool");
    org.awaitility.Awaitility.await().until(() -> !StoryTools.calls(running).isEmpty());
    var asked = Instant.now();
    alice.cancel(running).statusCode(200);
    assertCancelled(running);
    assertThat(Duration.between(asked, Instant.now())).isLessThan(Duration.ofSeconds(20));
    alice.get("/runs/" + running + "/receipts").body("[0].state", equalTo("unknown"));

    chat.calls("c1", "test_note", "{}");
    var paused = alice.start("{'goal':'stop me'," + NEVER + "}");
    alice.gate(paused);
    alice.cancel(paused).statusCode(200);
    assertCancelled(paused);
    assertThat(StoryTools.calls(paused)).isEmpty();
  }

  private void assertCancelled(String runId) {
    assertThat(alice.types(runId)).doesNotContain("complete").endsWith("error");
    assertThat(alice.end(runId).data().path("code").asText()).isEqualTo("CANCELLED");
    alice.detail(runId).body("status", equalTo("CANCELLED"));
  }

  @Test
  void withFreeChoiceAModelMayAnswerOrPlan() {
    chat.says("Just so.");
    var answered = alice.start("{'goal':'why','config':{'planning_mode':'auto'}}");
    assertThat(alice.end(answered).data().path("result").asText()).isEqualTo("Just so.");

    chat.says("```json\n{\"steps\":[{\"toolName\":\"echo\",", "\"args\":{\"a\":1}}]}\n```");
    var planned = alice.start("{'goal':'plan it','config':{'planning_mode':'auto'}}");
    var gate = alice.gate(planned);
    assertThat(gate.path("kind").asText()).isEqualTo("plan");
    alice.approve(planned, "").statusCode(200);

    assertThat(alice.types(planned))
        .containsExactly(
            "thinking",
            "token",
            "token",
            "plan_ready",
            "plan_approval_requested",
            "step_start",
            "step_complete",
            "complete");
    alice.detail(planned).body("plan.goal", equalTo("plan it"));
  }

  @Test
  void aStageOfReasoningComesFirstAndIsSeenAsThinking() {
    chat.says("All ids ", "are known.");
    chat.says("done");

    var runId = alice.start("{'goal':'careful','reasoning_mode':'staged'," + NEVER + "}");

    assertThat(text(alice.watch(runId), "thinking")).contains("All ids are known.");
    assertThat(alice.end(runId).data().path("result").asText()).isEqualTo("done");
    assertThat(chat.asked.getFirst().body().has("tools")).isFalse();
    assertThat(chat.asked.getFirst().system()).contains("Preconditions", "- echo (read)");
    assertThat(chat.asked.get(1).user()).contains("Checked beforehand:\nAll ids are known.");
  }

  @Test
  void jsonIsAnsweredWithoutMarkdown() {
    chat.says("Here: ```json\n{\"n\":1}\n```");
    var fenced = alice.start("{'goal':'json','output_format':'json'," + NEVER + "}");
    assertThat(alice.end(fenced).data().path("result").asText()).isEqualTo("{\"n\":1}");
    assertThat(chat.asked.getFirst().system()).contains("one JSON value");

    chat.says("no idea");
    var words = alice.start("{'goal':'json','outputFormat':'json','planningMode':'never'}");
    assertThat(alice.end(words).data().path("result").asText()).isEqualTo("{\"text\":\"no idea\"}");
    alice.detail(words).body("config.output_format", startsWith("json"));
  }

  private static JsonNode result(List<RunClient.Event> events, String callId) {
    return events.stream()
        .map(RunClient.Event::data)
        .filter(data -> data.path("phase").asText().equals("result"))
        .filter(data -> data.path("id").asText().equals(callId))
        .findFirst()
        .orElseThrow();
  }

  private static String text(List<RunClient.Event> events, String type) {
    return events.stream()
        .filter(event -> event.type().equals(type))
        .map(event -> event.data().path("text").asText())
        .collect(Collectors.joining());
  }
}
