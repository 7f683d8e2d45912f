package io.fengyu.launcher;

import static java.net.http.HttpResponse.BodyHandlers.ofString;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.io.TempDir;

/** The packaged system, started and mistreated as a person would: one story in order. */
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class SystemIT {

  private static final Duration SOON = Duration.ofSeconds(60);

  @TempDir static Path folder;

  private static Path data = Path.of("");
  private static RunningSystem system = RunningSystem.NONE;
  private static String run = "";

  @BeforeAll
  static void start() throws Exception {
    data = folder.resolve("data");
    system = RunningSystem.start(data);
  }

  @AfterAll
  static void stop() throws Exception {
    system.kill();
    await().atMost(SOON).until(() -> system.leftovers().isEmpty());
  }

  @Test
  @Order(1)
  void everyServiceAnswersAtOneAddressAndSecretsArePrivate() throws IOException {
    assertThat(Http.get(system.port(), "/api/health")).isEqualTo(200);
    assertThat(Http.get(system.port(), "/api/workflows")).isEqualTo(401);
    assertThat(Http.get(system.port(), "/api/agent/tools")).isEqualTo(401);
    for (var secret : List.of("token", "secrets", "control.sock")) {
      assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(data.resolve(secret))))
          .isEqualTo("rw-------");
    }
  }

  @Test
  @Order(1)
  void aFreshStartWarnsOfNothing() throws IOException {
    try (var logs = Files.list(data.resolve("logs"))) {
      assertThat(logs.filter(log -> !log.endsWith("postgres.log")).flatMap(SystemIT::warnings))
          .isEmpty();
    }
  }

  /** What a machine lacks, or that it is busy, is said in warnings, too: those are in order. */
  private static Stream<String> warnings(Path log) {
    try {
      return Files.readAllLines(log).stream()
          .filter(line -> line.contains(" WARN ") || line.contains(" ERROR "))
          .filter(line -> !line.contains("andbox") && !line.contains("BlockedThreadChecker"))
          .map(line -> log.getFileName() + ": " + line);
    } catch (IOException unreadable) {
      throw new UncheckedIOException(unreadable);
    }
  }

  @Test
  @Order(2)
  void aSecondStartOnTheSameDataIsRefused() throws Exception {
    var second = RunningSystem.launcher(data, "up", "--port=0");

    assertThat(second.waitFor()).isEqualTo(1);
    assertThat(new String(second.getInputStream().readAllBytes(), StandardCharsets.UTF_8))
        .contains("runs already on " + data);
  }

  @Test
  @Order(2)
  void filesMayHaveNamesOfAnyScriptUnderAPlainLocale() throws Exception {
    var plan =
        """
        {"config":{"permissionMode":"full-access"},"workflow":{"goal":"g","steps":[
          {"toolName":"write_file","args":{"path":"华东.txt","content":"x"}}]}}""";
    try (var http = HttpClient.newHttpClient()) {
      var started = http.send(call("run").POST(BodyPublishers.ofString(plan)).build(), ofString());
      run = started.body().replaceAll(".*\"runId\":\"([^\"]+)\".*", "$1");
      http.send(call("stream?runId=" + run).build(), ofString());

      var files = http.send(call("runs/" + run + "/files").build(), ofString());
      assertThat(files.body()).contains("workspace/华东.txt");
    }
  }

  private static HttpRequest.Builder call(String path) throws IOException {
    var address = "http://127.0.0.1:" + system.port() + "/api/agent/" + path;
    return HttpRequest.newBuilder(URI.create(address))
        .header("Content-Type", "application/json")
        .header("X-FengYu-Token", system.token());
  }

  @Test
  @Order(3)
  void aKilledServiceComesBackAndTheOthersGoOn() throws IOException {
    var before = system.pid("workflow-service");

    ProcessHandle.of(before).orElseThrow().destroyForcibly();

    assertThat(Http.get(system.port(), "/api/agent/tools")).isEqualTo(401);
    await().atMost(SOON).until(() -> system.pid("workflow-service") != before);
    await().atMost(SOON).until(() -> Http.get(system.port(), "/api/workflows") == 401);
  }

  @Test
  @Order(4)
  void aServiceIsScaledAndRestartedWithoutAGap() throws Exception {
    assertThat(system.command("scale", "agent-runtime", "2")).isZero();
    assertThat(system.pid("agent-runtime-2")).isPositive();

    var first = system.pid("agent-runtime");
    var second = system.pid("agent-runtime-2");
    assertThat(system.command("kill", "agent-runtime", "2")).isZero();
    await()
        .atMost(SOON)
        .until(
            () ->
                system.pid("agent-runtime-2") != second
                    && Http.get(system.port("agent-runtime-2"), "/q/health/ready") == 200);
    assertThat(system.pid("agent-runtime")).isEqualTo(first);

    ProcessHandle.of(first).orElseThrow().destroyForcibly();
    for (var i = 0; i < 20; i++) {
      assertThat(Http.get(system.port(), "/api/agent/tools")).isEqualTo(401);
    }

    assertThat(system.command("restart", "agent-runtime")).isZero();
    assertThat(Http.get(system.port(), "/api/agent/tools")).isEqualTo(401);
    assertThat(system.command("scale", "agent-runtime", "1")).isZero();
  }

  @Test
  @Order(5)
  void aKilledDatabaseComesBack() {
    var before = system.pid("postgres");

    ProcessHandle.of(before).orElseThrow().destroyForcibly();

    await()
        .atMost(SOON)
        .until(
            () ->
                system.pid("postgres") != before
                    && Http.get(system.port("workflow-service"), "/q/health/ready") == 200);
  }

  @Test
  @Order(6)
  void twoSystemsKeepToThemselvesThoughAPortIsTakenWhileOneStarts() throws Exception {
    var others = folder.resolve("others");
    try (var thief = new ServerSocket()) {
      var theft = Thread.startVirtualThread(() -> takePortOfAgent(others, thief));
      var other = RunningSystem.start(others);
      try {
        theft.join();
        assertThat(thief.isBound()).isTrue();
        assertThat(other.port("agent-runtime")).isNotEqualTo(thief.getLocalPort());
        assertThat(Http.get(other.port(), streamWith(other.token()))).isEqualTo(404);
        assertThat(Http.get(other.port(), streamWith(system.token()))).isEqualTo(401);
        assertThat(Http.get(system.port(), streamWith(system.token()))).isEqualTo(404);
      } finally {
        other.command("down");
      }
    }
  }

  /** Takes the port that the edge was told of, before agent-runtime does. */
  private static void takePortOfAgent(Path data, ServerSocket thief) {
    var edge = new RunningSystem(data, List.of());
    var told = Pattern.compile("\\x00AGENT_URL=http://127.0.0.1:([0-9]+)\\x00");
    await()
        .atMost(SOON)
        .pollInterval(Duration.ofMillis(20))
        .until(
            () -> {
              var url = told.matcher(edge.environment("web-console"));
              if (url.find()) {
                thief.bind(
                    new InetSocketAddress(
                        InetAddress.getLoopbackAddress(), Integer.parseInt(url.group(1))));
              }
              return thief.isBound();
            });
  }

  private static String streamWith(String token) {
    return "/api/agent/stream?runId=" + UUID.randomUUID() + "&token=" + token;
  }

  @Test
  @Order(7)
  void afterTheLauncherIsKilledNothingRemainsAndTheNextStartRecovers() throws Exception {
    system.killLauncher();
    await().atMost(Duration.ofSeconds(15)).until(() -> system.leftovers().isEmpty());

    system = RunningSystem.start(data);

    assertThat(Http.get(system.port(), "/api/workflows")).isEqualTo(401);
  }

  @Test
  @Order(8)
  void downLeavesNothingRunning() throws Exception {
    var began = System.nanoTime();

    assertThat(system.command("down")).isZero();

    assertThat(Duration.ofNanos(System.nanoTime() - began)).isLessThan(Duration.ofSeconds(40));
    await().atMost(Duration.ofSeconds(5)).until(() -> system.leftovers().isEmpty());
  }

  @Test
  @Order(9)
  void aCopyOfTheDataDirectoryIsABackup() throws Exception {
    var copy = folder.resolve("copy");
    var copying = new ProcessBuilder("cp", "-a", data.toString(), copy.toString()).start();
    assertThat(copying.waitFor()).isZero();

    system = RunningSystem.start(copy);
    try (var http = HttpClient.newHttpClient()) {
      var kept = http.send(call("runs/" + run).build(), ofString());
      var file = URLEncoder.encode("华东.txt", StandardCharsets.UTF_8);
      var content = http.send(call("runs/" + run + "/files/workspace/" + file).build(), ofString());

      assertThat(kept.body()).contains("\"status\":\"COMPLETED\"");
      assertThat(content.body()).isEqualTo("x");
    } finally {
      system.command("down");
    }
  }

  @Test
  @Order(10)
  void dataOfAnotherPostgresVersionAreNotTouched() throws Exception {
    var version = data.resolve("postgres/data/PG_VERSION");
    Files.writeString(version, "11\n");

    var refused = RunningSystem.launcher(data, "up", "--port=0");

    assertThat(refused.waitFor()).isEqualTo(1);
    assertThat(new String(refused.getInputStream().readAllBytes(), StandardCharsets.UTF_8))
        .contains("Postgres 11");
  }
}
