package io.fengyu.agent.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.fengyu.agent.tool.LivingProcesses;
import io.quarkus.test.junit.QuarkusTest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** A stop is confirmed by what has ended, whatever kind of work it was. */
@QuarkusTest
class StopStoryTest extends ModelStory {

  private static final Duration PATIENCE = Duration.ofSeconds(20);

  private final String name = UUID.randomUUID().toString();

  private static String command(String text) {
    return "{'toolName':'execute_command','args':{'command':'" + text + "','timeoutSeconds':60}}";
  }

  private static String plan(String mode, String... steps) {
    return "{'config':{'permissionMode':'"
        + mode
        + "'},'workflow':{'steps':["
        + String.join(",", steps)
        + "]}}";
  }

  private JsonNode stop(String runId) {
    alice.post("/cancel", "{'cancel_request_id':'" + name + "','run_id':'" + runId + "'}");
    return state();
  }

  private JsonNode state() {
    try {
      return RunClient.json(alice.get("/cancel/" + name).statusCode(200).extract().asString());
    } catch (com.fasterxml.jackson.core.JsonProcessingException e) {
      throw new AssertionError(e);
    }
  }

  private static List<String> kinds(JsonNode state) {
    return state.path("branches").findValuesAsText("kind");
  }

  private static String of(JsonNode state, String kind, String member) {
    for (var branch : state.path("branches")) {
      if (branch.path("kind").asText().equals(kind)) {
        return branch.path(member).asText();
      }
    }
    return "";
  }

  @Test
  void aCommandAndAModelCallSideBySideBothEndBeforeTheStopIsConfirmed() {
    chat.hangsAfter("well,");
    var slowToEnd = "trap : TERM; (exec sleep 1); sleep 60 & wait; sleep 1; : " + name;
    var runId =
        alice.start(
            plan("full-access", command(slowToEnd), "{'toolName':'test_ask','dependsOn':[]}"));
    await()
        .atMost(PATIENCE)
        .until(() -> !chat.asked.isEmpty() && !LivingProcesses.with(name).isEmpty());

    stop(runId);

    var seen = new ArrayList<JsonNode>();
    await()
        .atMost(PATIENCE)
        .pollInterval(Duration.ofMillis(50))
        .until(
            () -> {
              var state = state();
              if (state.path("cancel_status").asText().equals("confirmed")) {
                assertThat(LivingProcesses.with(name)).isEmpty();
                assertThat(chat.gone).isDone();
              }
              seen.add(state);
              return state.path("cancel_status").asText().equals("confirmed");
            });
    assertThat(seen)
        .anySatisfy(
            state -> {
              assertThat(state.path("cancel_status").asText()).isEqualTo("stopping");
              assertThat(of(state, "process", "state")).isEqualTo("stopping");
              assertThat(of(state, "model", "state")).isEqualTo("ended");
              assertThat(state.path("execution_stopped").asBoolean()).isFalse();
            });
    var last = seen.getLast();
    assertThat(kinds(last)).containsExactlyInAnyOrder("tool", "tool", "process", "model");
    assertThat(of(last, "process", "id")).matches("[0-9]+");
    for (var branch : last.path("branches")) {
      assertThat(branch.path("state").asText()).isEqualTo("ended");
      assertThat(branch.path("endedAt").asText()).isNotBlank();
    }
    assertThat(last.path("status").asText()).isEqualTo("CANCELLED");
    assertThat(last.path("terminal_persisted").asBoolean()).isTrue();
    var types = alice.types(runId);
    assertThat(types).doesNotContain("complete").endsWith("error");
    assertThat(alice.types(runId)).isEqualTo(types);
  }

  @Test
  void aModelThatPlansIsABranch() {
    chat.hangsAfter("{");
    var runId = alice.start("{'goal':'plan it'}");
    alice.awaitEvent(runId, "plan_token");

    stop(runId);

    await()
        .atMost(PATIENCE)
        .until(() -> state().path("cancel_status").asText().equals("confirmed"));
    assertThat(kinds(state())).containsExactly("model");
    assertThat(of(state(), "model", "state")).isEqualTo("ended");
    assertThat(chat.gone).isDone();
  }

  @Test
  void aCommandOfADirectRunIsStoppedToo() {
    chat.calls(
        "c1", "execute_command", "{'command':'sleep 60; : " + name + "','timeoutSeconds':60}");
    var runId =
        alice.start(
            "{'goal':'work','planning_mode':'never','config':{'permissionMode':'full-access'}}");
    await().atMost(PATIENCE).until(() -> !LivingProcesses.with(name).isEmpty());

    stop(runId);

    await()
        .atMost(PATIENCE)
        .until(() -> state().path("cancel_status").asText().equals("confirmed"));
    assertThat(LivingProcesses.with(name)).isEmpty();
    assertThat(kinds(state())).containsExactlyInAnyOrder("tool", "process");
    assertThat(of(state(), "tool", "id")).isEqualTo("c1");
    assertThat(alice.types(runId)).doesNotContain("complete").endsWith("error");
  }

  @Test
  void theOutputOfACommandIsTheResultOfItsStep() {
    var runId = alice.start(plan("full-access", command("echo hello")));

    var done = alice.watch(runId);

    assertThat(done.getLast().type()).isEqualTo("complete");
    assertThat(done.get(2).data().at("/output/stdout").asText()).isEqualTo("hello\n");
    alice.detail(runId).statusCode(200);
  }

  @Test
  void aCommandPausesUnlessAccessIsFull() {
    var runId = alice.start(plan("ask-for-approval", command("echo x | tee made")));

    var gate = alice.gate(runId);

    assertThat(gate.path("effect").asText()).isEqualTo("command");
    alice.approve(runId, "");
    assertThat(alice.end(runId).type()).isEqualTo("complete");
    assertThat(alice.get("/runs/" + runId + "/files").extract().asString()).contains("made");
  }
}
