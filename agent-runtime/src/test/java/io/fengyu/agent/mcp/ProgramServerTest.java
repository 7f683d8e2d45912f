package io.fengyu.agent.mcp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.hasItem;

import io.fengyu.agent.mcp.McpClient.Server;
import io.quarkus.test.junit.QuarkusTest;
import io.vertx.core.json.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Servers that are shell scripts: each line read is a message, each line written too. */
@QuarkusTest
class ProgramServerTest {

  private static final String GOOD =
      """
      echo $$ >> pids
      while read -r line; do
        id=$(printf %s "$line" | sed -n 's/.*"id":\\([0-9]*\\).*/\\1/p')
        case "$line" in
          *'"initialize"'*) echo "{\\"jsonrpc\\":\\"2.0\\",\\"id\\":$id,\\"result\\":{\\"protocolVersion\\":\\"2025-06-18\\",\\"capabilities\\":{},\\"serverInfo\\":{\\"name\\":\\"sh\\"}}}" ;;
          *'"tools/list"'*) echo "{\\"jsonrpc\\":\\"2.0\\",\\"id\\":$id,\\"result\\":{\\"tools\\":[{\\"name\\":\\"work\\"}]}}" ;;
          *'"tools/call"'*) printf '%s\\n' "$line" >> calls; work ;;
        esac
      done
      """;

  private static final String ANSWER =
      "echo \"{\\\"jsonrpc\\\":\\\"2.0\\\",\\\"id\\\":$id,\\\"result\\\":{\\\"content\\\":[{\\\"type\\\":\\\"text\\\",\\\"text\\\":\\\"$1\\\"}]}}\"";

  @TempDir Path place;

  private final McpClient admin = McpClient.admin();
  private Server own;

  @AfterEach
  void delete() {
    own.delete();
  }

  /**
   * @param work what the shell does for a call; {@code answer text} answers it
   */
  private Server program(String work, String more) throws IOException {
    var script = place.resolve("server.sh");
    Files.writeString(
        script,
        "cd '" + place + "'\nanswer() { " + ANSWER + "; }\nwork() { " + work + "; }\n" + GOOD);
    own =
        admin.connected(
            McpClient.freshName("program"),
            "'type':'stdio','command':'/bin/sh','args':['"
                + script
                + "'],'requestTimeoutSeconds':5"
                + more);
    return own;
  }

  private List<String> lines(String file) {
    try {
      return Files.readAllLines(place.resolve(file));
    } catch (IOException none) {
      return List.of();
    }
  }

  private void nothingIsLeft() {
    await()
        .untilAsserted(
            () ->
                assertThat(lines("pids"))
                    .isNotEmpty()
                    .noneMatch(pid -> ProcessHandle.of(Long.parseLong(pid)).isPresent()));
  }

  @Test
  void aProgramIsStartedForTheCallAndEndedWithIt() throws Exception {
    program("answer done", "");
    int before = lines("pids").size();

    var run = own.run("work", "{'n':1}");

    assertThat(run.result(0)).as(run.error()).isEqualTo("done");
    assertThat(lines("pids")).hasSize(before + 1);
    nothingIsLeft();
    var call = Json.decodeValue(lines("calls").getFirst()).toString();
    assertThat(call)
        .contains("\"X-User-ID\":\"default\"", "\"X-Run-ID\":\"" + run.id() + "\"")
        .contains("X-Operation-ID");
  }

  @Test
  void everybodyHasTheProgramsOfTheDeploymentAndOnlyAdminsSeeHowTheyAreStarted() throws Exception {
    program("answer shared", "");
    var alice = McpClient.alice();

    assertThat(alice.catalog()).contains(own.tool("work"));
    alice.get("/api/mcp/status").body("id", hasItem(own.id));
    assertThat(alice.get("/api/mcp/servers").extract().asString()).doesNotContain(own.id);
    alice.send("PUT", "/api/mcp/servers/" + own.id, "{'name':'x'}").statusCode(403);
    assertThat(alice.run(own.step("work", "{}")).result(0)).isEqualTo("shared");
  }

  @Test
  void aProgramSeesWhatWasConfiguredForItAndNoSecretOfOurs() throws Exception {
    program(
        "env > seen; answer ok",
        ",'env':{'MINE':'canary-79','LD_PRELOAD':'/evil.so','NODE_OPTIONS':'--require=/evil.js'}");

    own.run("work", "{}");

    assertThat(lines("seen"))
        .contains("MINE=canary-79")
        .noneMatch(line -> line.contains("evil"))
        .noneMatch(line -> line.matches("(?i)[^=]*(token|secret|password|machine_key)[^=]*=.*"));
    assertThat(own.view().getList("envKeys")).containsExactly("MINE");
    assertThat(admin.get("/api/mcp/servers").extract().asString()).doesNotContain("canary-79");
  }

  @Test
  void aProgramThatDiesLeavesAnUnknownOutcomeAndItsLastWords() throws Exception {
    program(
        "if [ -e again ]; then answer fine; else touch again; echo 'no room canary-80' >&2; exit 3;"
            + " fi",
        ",'env':{'KEY_OF_MINE':'canary-80'}");

    var run = own.run("work", "{}");

    assertThat(run.error()).contains("ended with code 3: no room ***");
    assertThat(run.receipt(0)).isEqualTo("unknown");
    assertThat(own.run("work", "{}").result(0)).isEqualTo("fine");
  }

  @Test
  void aFewLinesOfNoiseAreForgivenAndAFloodOfThemIsNot() throws Exception {
    program(
        "if [ -e again ]; then while :; do echo noise; done; else touch again; echo; echo 'Hello!';"
            + " answer fine; fi",
        "");

    assertThat(own.run("work", "{}").result(0)).isEqualTo("fine");
    var run = own.run("work", "{}");
    assertThat(run.error()).contains("something else than messages");
    nothingIsLeft();
  }

  @Test
  void stoppingARunEndsTheProgramWithEverythingItStarted() throws Exception {
    program("sleep 600 & echo $! >> pids; sleep 600", "");
    var runId = admin.start(own.step("work", "{}"));
    await().until(() -> lines("calls").size() == 1 && lines("pids").size() >= 3);

    admin.send("POST", "/api/agent/" + runId + "/cancel", "").statusCode(200);

    assertThat(admin.ended(runId).status()).isEqualTo("CANCELLED");
    nothingIsLeft();
  }

  @Test
  void aProgramThatDoesNotExistIsAnErrorWithWords() {
    own = admin.added(McpClient.freshName("none"), "'type':'stdio','command':'/no/such/program'");

    own.test().body("ok", equalTo(false));
    own.await("error");
  }
}
