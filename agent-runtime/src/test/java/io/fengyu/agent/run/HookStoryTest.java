package io.fengyu.agent.run;

import static io.restassured.RestAssured.given;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.hamcrest.Matchers.contains;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.hasSize;

import com.fasterxml.jackson.databind.JsonNode;
import com.sun.net.httpserver.HttpServer;
import io.fengyu.contract.testing.PostgresResource;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.response.ValidatableResponse;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@QuarkusTest
class HookStoryTest {

  @TempDir Path folder;

  private final RunClient alice = RunClient.alice();

  @AfterEach
  void noHooks() {
    hooks(PostgresResource.ADMIN_TOKEN, "[]").statusCode(200);
    hooks(PostgresResource.ALICE_TOKEN, "[]").statusCode(200);
  }

  private static ValidatableResponse hooks(String token, String body) {
    return given()
        .header("X-FengYu-Token", token)
        .contentType("application/json")
        .body(body.replace('\'', '"'))
        .put("/api/settings/hooks")
        .then();
  }

  private static void commands(String... hooks) {
    hooks(PostgresResource.ADMIN_TOKEN, "[" + String.join(",", hooks) + "]").statusCode(200);
  }

  private static String hook(String event, String command) {
    return "{'name':'watch','event':'"
        + event
        + "','matcher':'^echo$','type':'command','command':'"
        + command
        + "','timeoutSeconds':1}";
  }

  private String file(String name) {
    return folder.resolve(name).toString();
  }

  private static List<JsonNode> lines(Path file) throws IOException {
    var all = new ArrayList<JsonNode>();
    for (var line : Files.exists(file) ? Files.readAllLines(file) : List.<String>of()) {
      all.add(RunClient.json(line));
    }
    return all;
  }

  private String echo() {
    return alice.start(
        "{'goal':'say it','workflow':{'steps':[{'toolName':'echo','args':{'a':1}}]}}");
  }

  @Test
  void aHookDeniesACallBeforeItIsMade() {
    commands(hook("PreToolUse", "echo not today >&2; exit 2"));

    var runId = echo();

    var end = alice.end(runId);
    assertThat(end.data().path("message").asText()).contains("hook watch: not today");
    assertThat(alice.types(runId)).doesNotContain("step_start");
  }

  @Test
  void aHookThatBreaksOrSleepsIsPassedOver() {
    commands(hook("pre_tool_use", "exit 1"), hook("pre_tool_use", "sleep 60"));
    long started = System.nanoTime();

    assertThat(alice.end(echo()).type()).isEqualTo("complete");

    assertThat(Duration.ofNanos(System.nanoTime() - started)).isLessThan(Duration.ofSeconds(15));
  }

  @Test
  void nothingOfAHookIsLeft() throws IOException {
    var pids = file("pids");
    commands(
        hook(
            "pre_tool_use",
            "sleep 61 & echo $! >> " + pids + "; setsid sleep 62 & echo $! >> " + pids));

    assertThat(alice.end(echo()).type()).isEqualTo("complete");

    for (var pid : Files.readAllLines(Path.of(pids))) {
      await()
          .until(
              () -> ProcessHandle.of(Long.parseLong(pid)).filter(ProcessHandle::isAlive).isEmpty());
    }
  }

  @Test
  void observersSeeEachCallAndTheEndOfTheRunOnce() throws IOException {
    var seen = folder.resolve("seen");
    var note = "cat >> " + seen + "; echo >> " + seen;
    commands(
        hook("post_tool_use", note),
        hook("post_tool_use_failure", note),
        hook("run_complete", note));

    var runId = echo();

    assertThat(alice.end(runId).type()).isEqualTo("complete");
    await().untilAsserted(() -> assertThat(lines(seen)).hasSize(2));
    var call = lines(seen).getFirst();
    assertThat(call.path("hookEventName").asText()).isEqualTo("post_tool_use");
    assertThat(call.path("toolName").asText()).isEqualTo("echo");
    assertThat(call.path("toolInput").toString()).isEqualTo("{\"a\":1}");
    assertThat(call.path("toolResult").asText()).isEqualTo("{\"a\":1}");
    assertThat(call.path("runId").asText()).isEqualTo(runId);
    var end = lines(seen).getLast();
    assertThat(end.path("toolName").isNull()).isTrue();
    assertThat(end.path("toolInput").path("goal").asText()).isEqualTo("say it");
    assertThat(end.path("toolResult").asText()).isEqualTo("1 step done: say it");
  }

  @Test
  void failedAndCancelledRunsAreErrorsWithTheirCode() throws IOException {
    var seen = folder.resolve("seen");
    commands(hook("run_error", "cat >> " + seen + "; echo >> " + seen));

    alice.end(alice.start("{'workflow':{'steps':[{'toolName':'nope'}]}}"));
    await().untilAsserted(() -> assertThat(lines(seen)).hasSize(1));
    var paused =
        alice.start("{'workflow':{'steps':[{'toolName':'echo','requiresApproval':true}]}}");
    alice.gate(paused);
    alice.cancel(paused).statusCode(200);

    await().untilAsserted(() -> assertThat(lines(seen)).hasSize(2));
    assertThat(lines(seen).getFirst().path("toolResult").asText()).startsWith("INVALID_PLAN");
    assertThat(lines(seen).getLast().path("toolResult").asText()).isEqualTo("CANCELLED");
  }

  @Test
  void aHookSeesNoSecretOfTheServerAndNoneOfTheArguments() throws IOException {
    var seen = folder.resolve("seen");
    commands(hook("pre_tool_use", "cat > " + seen + "; env >> " + seen));

    alice.end(
        alice.start(
            "{'workflow':{'steps':[{'toolName':'echo','args':{'password':'canary-argument'}}]}}"));

    assertThat(Files.readString(seen))
        .contains("FENGYU_HOOK_EVENT=pre_tool_use", "FENGYU_RUN_ID=")
        .doesNotContain("canary-argument", PostgresResource.INTERNAL_SECRET);
  }

  @Test
  void anHttpHookIsAnOwnersOwnAndMayDeny() throws IOException {
    var asked = new CopyOnWriteArrayList<String>();
    var server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext(
        "/hook",
        exchange -> {
          asked.add(
              exchange.getRequestHeaders().getFirst("Content-Type")
                  + " "
                  + new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8));
          var answer =
              "{\"decision\":\"deny\",\"reason\":\"by post\"}".getBytes(StandardCharsets.UTF_8);
          exchange.sendResponseHeaders(200, answer.length);
          exchange.getResponseBody().write(answer);
          exchange.close();
        });
    server.start();
    try {
      hooks(
              PostgresResource.ALICE_TOKEN,
              "[{'name':'far','event':'pre_tool_use','type':'http','url':'http://127.0.0.1:"
                  + server.getAddress().getPort()
                  + "/hook'}]")
          .statusCode(200)
          .body("hooks", equalTo(1));

      assertThat(alice.end(echo()).data().path("message").asText()).contains("hook far: by post");
      assertThat(asked).singleElement().asString().startsWith("application/json {");
    } finally {
      server.stop(0);
    }
  }

  @Test
  void anHttpHookThatAnswersBadlyOrMayNotBeCalledIsPassedOver() throws IOException {
    var server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext(
        "/",
        exchange -> {
          exchange.sendResponseHeaders(500, -1);
          exchange.close();
        });
    server.start();
    try {
      var broken = "http://127.0.0.1:" + server.getAddress().getPort() + "/";
      for (var url : List.of(broken, "http://169.254.169.254/latest", "http://127.0.0.1:1/")) {
        hooks(
                PostgresResource.ALICE_TOKEN,
                "[{'event':'pre_tool_use','type':'http','url':'" + url + "'}]")
            .statusCode(200);
        assertThat(alice.end(echo()).type()).as(url).isEqualTo("complete");
      }
    } finally {
      server.stop(0);
    }
  }

  @Test
  void whatIsNoHookIsRefusedAndNothingIsStored() {
    hooks(
            PostgresResource.ALICE_TOKEN,
            "[{'event':'pre_tool_use','type':'http','url':'http://x.example/'}]")
        .statusCode(200);

    for (var hook :
        List.of(
            "{'event':'later','command':'x'}",
            "{'event':'pre_tool_use'}",
            "{'event':'pre_tool_use','type':'http'}",
            "{'event':'pre_tool_use','type':'http','url':'ftp://x'}",
            "{'event':'pre_tool_use','command':'x','matcher':'('}",
            "{'event':'pre_tool_use','command':'x','type':'magic'}")) {
      hooks(PostgresResource.ADMIN_TOKEN, "[" + hook + "]")
          .statusCode(400)
          .body("code", equalTo("HOOK_INVALID"))
          .body("params.index", equalTo(0));
    }
    hooks(PostgresResource.ALICE_TOKEN, "{}").statusCode(400);
    hooks(
            PostgresResource.ALICE_TOKEN,
            "["
                + "{'event':'run_complete','type':'http','url':'http://x'},".repeat(50)
                + "{'event':'run_complete','type':'http','url':'http://x'}]")
        .statusCode(400)
        .body("code", equalTo("HOOKS_TOO_MANY"));
    hooks(PostgresResource.ALICE_TOKEN, "[{'event':'pre_tool_use','command':'x'}]").statusCode(403);
    given()
        .header("X-FengYu-Token", PostgresResource.ALICE_TOKEN)
        .get("/api/settings")
        .then()
        .body("hooks", hasSize(1))
        .body("hooks[0].timeoutSeconds", equalTo(5))
        .body("hooks[0].enabled", equalTo(true));
  }

  @Test
  void aDryRunNamesTheHooksAndAsksNone() throws IOException {
    var seen = folder.resolve("seen");
    commands(hook("pre_tool_use", "touch " + seen));

    alice
        .post("/dry-run", "{'workflow':{'steps':[{'toolName':'echo'}]}}")
        .body("hooksThatWouldRun", contains("watch"));

    assertThat(seen).doesNotExist();
  }

  @Test
  void aGatedCallAsksItsHooksOnce() throws IOException {
    var seen = folder.resolve("seen");
    commands(hook("pre_tool_use", "cat >> " + seen + "; echo >> " + seen));
    var runId = alice.start("{'workflow':{'steps':[{'toolName':'echo','requiresApproval':true}]}}");
    alice.gate(runId);

    alice.approve(runId, "").statusCode(200);

    assertThat(alice.end(runId).type()).isEqualTo("complete");
    assertThat(lines(seen)).hasSize(1);
  }
}
