package io.fengyu.agent.plugin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.quarkus.test.junit.QuarkusTest;
import io.vertx.mutiny.sqlclient.Pool;
import jakarta.inject.Inject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.eclipse.microprofile.config.inject.ConfigProperty;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Processes that do what they should not: the call fails cleanly, and the next one works. */
@QuarkusTest
class MisbehavingWorkerTest {

  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private final PluginClient admin = PluginClient.admin();
  private final String id = PluginClient.freshId();
  private final String tool = "tool_" + id.replace('.', '_');

  @ConfigProperty(name = "fengyu.plugins.directory")
  Path directory;

  @Inject Pool pg;

  private void plugin(String more, String handle) {
    admin.install(
        Fyp.script(
            id,
            "{'name':'" + tool + "','method':'work','description':'Works.'" + more + "}",
            handle));
  }

  @AfterEach
  void nothingIsLeft() {
    admin.uninstall(id);
    assertThat(pids()).noneMatch(pid -> living(pid));
  }

  private Path data() {
    return directory.toAbsolutePath().resolve("plugin-data").resolve(id);
  }

  private List<String> kept(String file) {
    try {
      return Files.readAllLines(data().resolve(file));
    } catch (IOException none) {
      return List.of();
    }
  }

  // In a sandbox a process has another number, so the service is asked.
  private List<Integer> pids() {
    var pids = admin.pids(id);
    return pids == null ? List.of() : pids;
  }

  private static boolean living(int pid) {
    return ProcessHandle.of(pid).map(ProcessHandle::isAlive).orElse(false);
  }

  /** Misbehaves once, then never again. */
  private static String once(String what) {
    return "if [ -e \"$FENGYU_PLUGIN_DATA/again\" ]; then answer '\"fine\"'; else"
        + " : > \"$FENGYU_PLUGIN_DATA/again\"; "
        + what
        + "; fi";
  }

  private void nextCallWorks(int starts) {
    assertThat(admin.run(tool, "{}").result(0)).isEqualTo("fine");
    assertThat(kept("pids")).hasSize(starts);
  }

  @Test
  void aProcessThatDiesInTheMiddleLeavesAnUnknownOutcomeAndItsLastWords() {
    plugin("", once("echo 'out of paper' >&2; exit 3"));

    var run = admin.run(tool, "{}");

    assertThat(run.error()).contains("ended with code 3: out of paper");
    assertThat(run.receipt(0)).isEqualTo("unknown");
    nextCallWorks(2);
  }

  @Test
  void aProcessThatNeverAnswersIsKilledAtItsTime() {
    plugin(",'timeoutSeconds':1", once("sleep 600"));

    var run = admin.run(tool, "{}");

    assertThat(run.error()).contains("did not answer within 1 s");
    assertThat(run.receipt(0)).isEqualTo("unknown");
    nextCallWorks(2);
  }

  @Test
  void aProcessThatTakesNoNoticeOfBeingAskedToEndIsKilled() {
    plugin(",'timeoutSeconds':1", once("trap '' TERM INT HUP; while :; do sleep 1; done"));

    assertThat(admin.run(tool, "{}").error()).contains("did not answer within 1 s");
    nextCallWorks(2);
  }

  @Test
  void aLittleNoiseOnTheOutputIsForgiven() {
    plugin("", once("echo hello; echo '[1,2]'; echo '{'; answer '\"heard\"'"));

    assertThat(admin.run(tool, "{}").result(0)).isEqualTo("heard");
    nextCallWorks(1);
  }

  @Test
  void aProcessThatWritesNothingButGarbageIsKilled() {
    plugin("", once("while :; do echo garbage; done"));

    assertThat(admin.run(tool, "{}").error()).contains("something else than messages");
    nextCallWorks(2);
  }

  @Test
  void aLineWithoutAnEndIsNotHeldForEver() {
    plugin("", once("head -c 50000000 /dev/zero | tr '\\0' x; sleep 600"));

    assertThat(admin.run(tool, "{}").error()).contains("a line of more than");
    nextCallWorks(2);
  }

  @Test
  void aFloodOfComplaintsIsReadAndTheEndOfItKept() {
    plugin(
        "", "head -c 20000000 /dev/zero | tr '\\0' y >&2; echo 'the end' >&2; answer '\"fine\"'");

    assertThat(admin.run(tool, "{}").result(0)).isEqualTo("fine");
    await()
        .atMost(PATIENCE)
        .untilAsserted(
            () -> {
              var log =
                  admin
                      .get("/api/plugin-runtime")
                      .extract()
                      .jsonPath()
                      .getString("find { it.id == '" + id + "' }.workers[0].log");
              assertThat(log).endsWith("the end");
              assertThat(log.length()).isLessThanOrEqualTo(16 * 1024);
            });
  }

  @Test
  void anAnswerToSomethingElseIsNoAnswer() {
    plugin(",'timeoutSeconds':2", once("id=999; answer '\"other\"'; id=x; answer '\"none\"'"));

    assertThat(admin.run(tool, "{}").error()).contains("did not answer");
    nextCallWorks(2);
  }

  @Test
  void aResultThatBreaksItsContractFailsTheCallWithItsPath() {
    admin.install(
        Fyp.script(
                id,
                "{'name':'" + tool + "','method':'work','description':'Works.'}",
                "answer '{\"n\":\"seven\",\"secret\":\"canary\"}'")
            .with(
                "manifest.json",
                "\"work\":{}",
                "\"work\":{\"outputSchema\":{\"type\":\"object\",\"properties\":{\"n\":{\"type\":\"integer\"}}}}"));

    var run = admin.run(tool, "{}");

    assertThat(run.error())
        .contains("breaks its contract at $.n")
        .doesNotContain("seven", "canary");
    assertThat(run.receipt(0)).isEqualTo("unknown");
  }

  @Test
  void whatAPluginCallsAFailureIsOne() {
    plugin("", "answer '{\"success\":false,\"error\":\"no such sheet\"}'");

    assertThat(admin.run(tool, "{}").error()).contains("no such sheet");
  }

  @Test
  void aProcessThatBreaksAgainAndAgainIsStartedAgainAfterAPauseOnly() {
    plugin("", "exit 1");
    admin.run(tool, "{}");
    admin.run(tool, "{}");
    int started = kept("pids").size();

    var refused = admin.run(tool, "{}");

    assertThat(refused.error()).contains("broke 2 times in a row");
    assertThat(refused.receipt(0)).isEqualTo("failed");
    assertThat(kept("pids")).hasSize(started);
  }

  @Test
  void callsTravelSideBySideAndFindTheirAnswersByTheirIds() {
    plugin(
        ",'effect':'read'",
        "if [ -z \"$first\" ]; then first=$id; else answer '\"second\"'; id=$first;"
            + " answer '\"first\"'; fi");

    var results =
        admin
            .send(
                "POST",
                "/api/agent/tools/batch",
                "{'permissionMode':'full-access','calls':[{'id':'a','name':'%s','arguments':{}},"
                        .formatted(tool)
                    + "{'id':'b','name':'%s','arguments':{}}]}".formatted(tool))
            .statusCode(200)
            .extract()
            .jsonPath();

    assertThat(results.getList("results.output", String.class))
        .containsExactlyInAnyOrder("first", "second");
    assertThat(kept("pids")).hasSize(1);
  }

  @Test
  void aStopTellsTheProcessFirstAndLeavesItWhenItListens() {
    admin.install(
        Fyp.script(
                id,
                "{'name':'" + tool + "','method':'work','description':'Works.'}",
                "case \"$line\" in *cancelRequest*) id=1; answer '\"stopped\"' ;; *'\"quick\"'*)"
                    + " answer '\"fine\"' ;; esac")
            .with("backend/worker.sh", "answer() {", "CANCELS=yes\nanswer() {"));

    cancelled();

    assertThat(kept("lines")).anyMatch(line -> line.contains("$/cancelRequest"));
    var pids = pids();
    assertThat(pids).hasSize(1);
    assertThat(admin.run(tool, "{'quick':1}").result(0)).isEqualTo("fine");
    assertThat(pids()).isEqualTo(pids);
  }

  @Test
  void aStopKillsAProcessThatDoesNotListen() {
    plugin("", once("sleep 600"));

    cancelled();

    nextCallWorks(2);
  }

  private void cancelled() {
    var run = admin.start(PluginClient.step(tool, "{}"), "[]");
    await().atMost(PATIENCE).until(() -> !kept("lines").isEmpty());
    admin.cancel(run).statusCode(200);
    assertThat(admin.ended(run).detail().getString("status")).isEqualTo("CANCELLED");
  }

  @Test
  void aProcessSeesNoSecretOfOursAndNothingThatLoadsCode() {
    plugin("", "env > \"$FENGYU_PLUGIN_DATA/env\"; answer '\"fine\"'");

    admin.run(tool, "{}");

    assertThat(kept("env"))
        .anyMatch(line -> line.startsWith("FENGYU_PLUGIN_ROOT="))
        .noneMatch(line -> line.matches("(?i)[^=]*(token|secret|password|machine_key)[^=]*=.*"))
        .noneMatch(line -> line.startsWith("LD_") || line.startsWith("JAVA_TOOL_OPTIONS"));
  }

  @Test
  void aProcessIsToldWhoCallsAndCannotBeToldOtherwise() {
    plugin("", "answer '\"fine\"'");

    var run = admin.run(tool, "{'userId':'mallory'}");

    assertThat(kept("lines").getLast())
        .contains("\"context\":{\"userId\":\"default\"", "\"runId\":\"" + run.id() + "\"");
  }

  @Test
  void whatAnotherReplicaSwitchesOffStopsHereToo() {
    plugin("", "answer '\"fine\"'");
    admin.run(tool, "{}");
    int pid = pids().getFirst();

    pg.query("UPDATE agent.plugin SET enabled = false WHERE id = '" + id + "'")
        .execute()
        .chain(() -> pg.query("SELECT pg_notify('fengyu_plugins', '')").execute())
        .await()
        .atMost(PATIENCE);

    await().atMost(PATIENCE).until(() -> !living(pid));
    assertThat(admin.catalog()).doesNotContain(tool);
  }

  @Test
  void aDirectoryToWriteIntoIsNotGrantedWithoutThePermission() {
    plugin("", "answer '\"fine\"'");

    var run =
        admin.ended(
            admin.start(
                PluginClient.step(tool, "{'place':'@file:shared'}"),
                "[{'name':'shared','createSharedDirectory':true}]"));

    assertThat(run.error()).contains("no granted file");
    assertThat(kept("lines")).isEmpty();
  }

  @Test
  void whatAPluginLeavesRunningEndsWithIt() {
    plugin("", "sleep 987654 & answer '\"fine\"'");
    admin.run(tool, "{}");
    assertThat(sleepers()).isNotEmpty();

    admin.enable(id, false).statusCode(200);

    assertThat(sleepers()).isEmpty();
  }

  private static List<Long> sleepers() {
    return ProcessHandle.allProcesses()
        .filter(one -> one.info().commandLine().orElse("").contains("sleep 987654"))
        .map(ProcessHandle::pid)
        .toList();
  }
}
