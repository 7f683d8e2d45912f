package io.fengyu.agent.tool.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.fengyu.agent.process.Children;
import io.fengyu.agent.tool.Branches.Kind;
import io.fengyu.agent.tool.Calls;
import io.fengyu.agent.tool.LivingProcesses;
import io.fengyu.agent.tool.command.CommandConfig.Wanted;
import io.fengyu.agent.tool.command.Sandbox.Backend;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ExecuteCommandTest {

  private static final Duration SOON = Duration.ofSeconds(20);

  @TempDir Path folder;
  private Calls calls;
  private final String name = UUID.randomUUID().toString();

  @BeforeEach
  void calls() {
    calls = new Calls(folder);
    calls.unconfined = true;
  }

  private static ExecuteCommand tool(Wanted sandbox, boolean required) {
    var config = new TestCommandConfig(sandbox, required);
    return new ExecuteCommand(
        new Children(Duration.ofSeconds(15)),
        new Sandbox(config),
        new Limits(config),
        config,
        Clock.systemUTC());
  }

  private static String args(String command) {
    return JsonNodeFactory.instance.objectNode().put("command", command).toString();
  }

  private static String args(String command, int timeoutSeconds) {
    return JsonNodeFactory.instance
        .objectNode()
        .put("command", command)
        .put("timeoutSeconds", timeoutSeconds)
        .toString();
  }

  private JsonNode run(String command) throws Exception {
    return calls.result(tool(Wanted.NONE, false), args(command));
  }

  private JsonNode runSandboxed(String command) throws Exception {
    assumeThat(new Sandbox(new TestCommandConfig(Wanted.AUTO, false)).backend())
        .isEqualTo(Backend.BUBBLEWRAP);
    calls.unconfined = false;
    return calls.result(tool(Wanted.AUTO, false), args(command));
  }

  @Test
  void aCommandTellsWhatItWroteAndHowItEnded() throws Exception {
    var good = run("echo out; echo err >&2");
    assertThat(good.path("success").booleanValue()).isTrue();
    assertThat(good.path("exitCode").intValue()).isZero();
    assertThat(good.path("stdout").textValue()).isEqualTo("out\n");
    assertThat(good.path("stderr").textValue()).isEqualTo("err\n");
    assertThat(good.path("output").textValue()).contains("out\n", "err\n");
    assertThat(good.path("workingDirectory").textValue())
        .isEqualTo(calls.workspace().toRealPath().toString());

    var bad = run("exit 3");
    assertThat(bad.path("success").booleanValue()).isFalse();
    assertThat(bad.path("exitCode").intValue()).isEqualTo(3);
    assertThat(bad.path("timedOut").booleanValue()).isFalse();
  }

  @Test
  void aCommandFindsNothingToRead() throws Exception {
    assertThat(run("cat; echo done").path("stdout").textValue()).isEqualTo("done\n");
  }

  @Test
  void aBlankCommandAndAMissingDirectoryAreRefused() throws Exception {
    var tool = tool(Wanted.NONE, false);
    for (var body :
        List.of(
            "{'command':' '}",
            "{}",
            "{'command':'pwd','workingDirectory':'nowhere'}",
            "{'command':'pwd','workingDirectory':'/nowhere'}")) {
      var result = calls.result(tool, body);
      assertThat(result.path("success").booleanValue()).isFalse();
      assertThat(result.path("error").textValue()).isNotBlank();
    }
  }

  @Test
  void aConfinedCommandStaysInItsPlaces() throws Exception {
    calls.unconfined = false;
    var result =
        calls.result(tool(Wanted.NONE, false), "{'command':'pwd','workingDirectory':'/usr'}");

    assertThat(result.path("error").textValue()).isEqualTo("no such directory: /usr");
  }

  @Test
  void theEndOfALongOutputIsThere() throws Exception {
    var result = run("head -c 199997 /dev/zero | tr '\\0' x; printf END");

    assertThat(result.path("stdout").textValue())
        .hasSize(65_536 + "\n... [omitted 134464 characters] ...\n".length())
        .contains("\n... [omitted 134464 characters] ...\n")
        .endsWith("END");
    assertThat(result.path("stdoutTruncated").booleanValue()).isTrue();
    assertThat(result.path("stderrTruncated").booleanValue()).isFalse();
    assertThat(result.path("truncated").booleanValue()).isTrue();
  }

  @Test
  void threeHundredMegabytesNeedNoMemoryAndNoCharacterIsCut() throws Exception {
    run("true");
    long before = usedHeap();
    var most = new AtomicReference<>(0L);
    var running =
        CompletableFuture.supplyAsync(
            () -> {
              try {
                return calls.result(
                    tool(Wanted.NONE, false),
                    args("yes 'äöü€\uD83D\uDE00' | head -n 21428571", 300));
              } catch (Exception e) {
                throw new IllegalStateException(e);
              }
            });
    await()
        .atMost(Duration.ofSeconds(300))
        .pollInterval(Duration.ofSeconds(1))
        .until(
            () -> {
              most.accumulateAndGet(usedHeap(), Math::max);
              return running.isDone();
            });

    var result = running.join();
    assertThat(result.path("stdout").textValue())
        .startsWith("äöü€\uD83D\uDE00\n")
        .contains("\n... [omitted " + (6 * 21_428_571 - 65_536) + " characters] ...\n")
        .endsWith("äöü€\uD83D\uDE00\n")
        .doesNotContain("\uFFFD");
    assertThat(most.get() - before).isLessThan(20_000_000);
  }

  private static long usedHeap() {
    System.gc();
    return Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory();
  }

  @Test
  void aCommandThatTakesTooLongIsEndedWithAllThatCameOfIt() throws Exception {
    var started = System.nanoTime();
    var result =
        calls.unknown(
            tool(Wanted.NONE, false),
            args(
                "(setsid sh -c 'exec -a x sleep 300 "
                    + name
                    + "' || setsid sleep 300) & sh -c 'trap \"\" TERM; while :; do sleep 1; done' "
                    + name
                    + " & env -i sleep 301 & sleep 300",
                1));

    assertThat(result.path("success").booleanValue()).isFalse();
    assertThat(result.path("timedOut").booleanValue()).isTrue();
    assertThat(result.get("exitCode").isNull()).isTrue();
    assertThat(Duration.ofNanos(System.nanoTime() - started)).isLessThan(Duration.ofSeconds(10));
    assertThat(LivingProcesses.with(name)).isEmpty();
  }

  @Test
  void whatACommandLeavesInTheBackgroundEndsWithIt() throws Exception {
    var result = run("setsid sh -c 'sleep 300; : " + name + "' & (sleep 300 &) ; echo done");

    assertThat(result.path("success").booleanValue()).isTrue();
    assertThat(result.path("stdout").textValue()).isEqualTo("done\n");
    assertThat(LivingProcesses.with(name)).isEmpty();
  }

  @Test
  void anInterruptEndsTheTreeAndItsBranchLastsUntilThen() throws Exception {
    var branches = new ArrayList<String>();
    calls.branches =
        (kind, id) -> {
          branches.add(kind == Kind.PROCESS ? id : "?");
          return () -> branches.add("ended, living: " + LivingProcesses.with(name));
        };
    var worker =
        Thread.ofVirtual()
            .start(
                () ->
                    assertThatThrownBy(() -> run("sh -c 'sleep 300; : " + name + "' & sleep 300"))
                        .isInstanceOf(InterruptedException.class));
    await().atMost(SOON).until(() -> !LivingProcesses.with(name).isEmpty());

    worker.interrupt();

    assertThat(worker.join(SOON)).isTrue();
    assertThat(branches.getFirst()).matches("[0-9]+");
    assertThat(branches.get(1)).isEqualTo("ended, living: []");
  }

  @Test
  void filesItWritesCanBeFetched() throws Exception {
    run("mkdir -p a && echo x > a/made.txt && ln -s /etc/passwd linked");

    assertThat(calls.written).containsExactly(calls.workspace().resolve("a/made.txt"));
  }

  @Test
  void aFileLongerThanAllowedIsNotWritten() throws Exception {
    var result = run("head -c 70000000 /dev/zero > big; stat -c %s big");

    assertThat(result.path("stdout").textValue().strip()).isEqualTo(String.valueOf(64 << 20));
  }

  @Test
  void withoutASandboxCommandsAreRefusedWhereOneIsRequired() throws Exception {
    var result = calls.result(tool(Wanted.NONE, true), args("true"));

    assertThat(result.path("success").booleanValue()).isFalse();
    assertThat(result.path("error").textValue()).contains("sandbox");
  }

  @Test
  void theSandboxShowsTheWorkspaceAndTheSystemOnly() throws Exception {
    Files.writeString(folder.resolve("secret"), "canary");
    Files.createDirectories(calls.workspace());
    var result =
        runSandboxed(
            "echo mine > made; cat made; ls -d %s %s /root /home 2>&1; touch /usr/x /x 2>&1; pwd; ls /proc | grep -c '^[0-9]'"
                .formatted(folder.resolve("secret"), folder.resolve("state")));

    assertThat(result.path("sandboxed").booleanValue()).isTrue();
    assertThat(result.path("sandboxBackend").textValue()).isEqualTo("bubblewrap");
    assertThat(result.path("networkAllowed").booleanValue()).isFalse();
    var lines = result.path("stdout").textValue().lines().toList();
    assertThat(lines.getFirst()).isEqualTo("mine");
    assertThat(result.path("stdout").textValue()).doesNotContain("canary");
    assertThat(lines.stream().filter(line -> line.contains("No such file")).count()).isEqualTo(4);
    assertThat(lines.stream().filter(line -> line.contains("Read-only")).count()).isEqualTo(2);
    assertThat(Integer.parseInt(lines.getLast())).isLessThan(10);
    assertThat(calls.workspace().resolve("made")).hasContent("mine\n");
  }

  @Test
  void theSandboxHasNoNetworkUnlessAskedFor() throws Exception {
    var without = runSandboxed("cat /proc/net/dev | grep -c :");
    var with =
        calls.result(
            tool(Wanted.AUTO, false),
            "{\"command\":\"cat /proc/net/dev | grep -c :\",\"allowNetwork\":true}");

    assertThat(without.path("stdout").textValue().strip()).isEqualTo("1");
    assertThat(with.path("networkAllowed").booleanValue()).isTrue();
    assertThat(Integer.parseInt(with.path("stdout").textValue().strip())).isGreaterThan(1);
  }

  @ParameterizedTest
  @ValueSource(strings = {"sleep 300", "env -i setsid sleep 300 & sleep 300"})
  void theSandboxEndsWithEverythingInIt(String command) throws Exception {
    runSandboxed("true");
    var marked = command + "; : " + name;
    var result = calls.unknown(tool(Wanted.AUTO, false), args(marked, 1));

    assertThat(result.path("timedOut").booleanValue()).isTrue();
    assertThat(LivingProcesses.with(name)).isEmpty();
  }

  @Test
  void aSandboxedCommandIsAskedToEndFirst() throws Exception {
    runSandboxed("true");
    calls.unknown(
        tool(Wanted.AUTO, false),
        args("trap 'echo asked > asked; exit 0' TERM; while :; do sleep 0.1; done", 1));

    assertThat(calls.workspace().resolve("asked")).hasContent("asked\n");
  }

  private JsonNode runInLandlock(String args) throws Exception {
    assumeThat(new Sandbox(new TestCommandConfig(Wanted.LANDLOCK, false)).backend())
        .isEqualTo(Backend.LANDLOCK);
    calls.unconfined = false;
    return calls.result(tool(Wanted.LANDLOCK, false), args);
  }

  @Test
  void landlockShowsTheWorkspaceAndTheSystemOnly() throws Exception {
    Files.writeString(folder.resolve("secret"), "canary");
    Files.createDirectories(calls.workspace());
    var secret = folder.resolve("secret").toString();
    var result =
        runInLandlock(
            args(
                "echo mine > made; cat made; cat %1$s; ln -s %1$s way; cat way; ln %1$s hard;"
                        .formatted(secret)
                    + " ls /root; touch /usr/x; touch /tmp/"
                    + name
                    + "; cat /proc/self/environ /proc/$PPID/environ /proc/1/cmdline;"
                    + " echo t > $TMPDIR/t && cat $HOME/t"));

    assertThat(result.path("sandboxed").booleanValue()).isTrue();
    assertThat(result.path("sandboxBackend").textValue()).isEqualTo("landlock");
    assertThat(result.path("success").booleanValue()).as(result.toString()).isTrue();
    assertThat(result.path("stdout").textValue()).isEqualTo("mine\nt\n");
    assertThat(result.path("stderr").textValue().lines().filter(l -> l.contains("denied")).count())
        .as(result.toString())
        .isGreaterThanOrEqualTo(6);
    assertThat(Path.of("/tmp", name)).doesNotExist();
    assertThat(calls.workspace().resolve("hard")).doesNotExist();
  }

  @Test
  void landlockRefusesConnectionsUnlessAskedFor() throws Exception {
    assumeThat(Landlock.confinesTcp()).isTrue();
    var connect =
        "perl -MSocket -e 'socket(my \\$s, AF_INET, SOCK_STREAM, 0); connect(\\$s,"
            + " sockaddr_in(9, INADDR_LOOPBACK)); print \\$!{EACCES} ? 1 : 0'";
    var without = runInLandlock(args(connect.replace("\\$", "$")));
    var with =
        runInLandlock(
            JsonNodeFactory.instance
                .objectNode()
                .put("command", connect.replace("\\$", "$"))
                .put("allowNetwork", true)
                .toString());

    assertThat(without.path("stdout").textValue()).as(without.toString()).isEqualTo("1");
    assertThat(without.path("networkAllowed").booleanValue()).isFalse();
    assertThat(with.path("stdout").textValue()).as(with.toString()).isEqualTo("0");
    assertThat(with.path("networkAllowed").booleanValue()).isTrue();
  }

  @Test
  void landlockLetsGrantedPlacesBeUsedAsTheyWereGranted() throws Exception {
    var read = Files.createDirectories(folder.resolve("read"));
    var write = Files.createDirectories(folder.resolve("write"));
    Files.writeString(read.resolve("in"), "given");
    calls.granting(List.of(read), List.of(write));
    var result =
        runInLandlock(args("cat %1$s/in > %2$s/out; echo no > %1$s/out".formatted(read, write)));

    assertThat(result.path("stderr").textValue()).contains("denied");
    assertThat(write.resolve("out")).hasContent("given");
    assertThat(read.resolve("out")).doesNotExist();
  }

  @Test
  void landlockEndsWithItsCommandAndAllItStarted() throws Exception {
    runInLandlock(args("true"));
    var marked = "setsid sleep 300 & sleep 300; : " + name;
    var result = calls.unknown(tool(Wanted.LANDLOCK, false), args(marked, 1));

    assertThat(result.path("timedOut").booleanValue()).isTrue();
    assertThat(LivingProcesses.with(name)).isEmpty();
  }
}
