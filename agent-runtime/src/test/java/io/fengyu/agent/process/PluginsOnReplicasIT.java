package io.fengyu.agent.process;

import static io.restassured.RestAssured.given;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fengyu.agent.plugin.Fyp;
import io.fengyu.contract.testing.PostgresResource;
import io.fengyu.contract.testing.PostgresServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Two processes over one database, each with a disk of its own, have the same plugins. */
class PluginsOnReplicasIT {

  private static final Duration SOON = Duration.ofSeconds(60);
  private static final Duration BEGINS_WITHIN = Duration.ofMinutes(2);
  private static final String ROLE = "plugged";
  private static final String ID = "io.fengyu.sample";

  @TempDir static Path folder;

  private static PackagedService one;
  private static PackagedService two;

  @BeforeAll
  static void start() throws IOException, SQLException {
    try (var connection = PostgresServer.shared().connect();
        var statement = connection.createStatement()) {
      statement.execute(
          "CREATE ROLE %s LOGIN PASSWORD '%s'".formatted(ROLE, PostgresResource.PASSWORD));
      statement.execute("CREATE DATABASE %1$s OWNER %1$s".formatted(ROLE));
    }
    one = begin("one");
    two = begin("two");
  }

  @AfterAll
  static void stop() {
    one.close();
    two.close();
  }

  private static PackagedService begin(String name) throws IOException {
    var own = Files.createDirectories(folder.resolve(name));
    var begun = PackagedService.start(own, PackagedService.environment(own, ROLE, ROLE));
    await()
        .atMost(BEGINS_WITHIN)
        .ignoreExceptions()
        .until(() -> given().get(begun.url("/q/health/ready")).statusCode() == 200);
    return begun;
  }

  private static io.restassured.specification.RequestSpecification admin() {
    return given().header("X-FengYu-Token", PostgresResource.ADMIN_TOKEN);
  }

  private static int wordsCountedAt(PackagedService service) {
    return admin()
        .contentType("application/json")
        .body("{\"method\":\"text_count\",\"params\":{\"text\":\"one two\"}}")
        .post(service.url("/api/plugin-runtime/" + ID + "/invoke"))
        .then()
        .statusCode(200)
        .extract()
        .path("words");
  }

  private static int processAt(PackagedService service) {
    return admin()
        .get(service.url("/api/plugin-runtime"))
        .then()
        .statusCode(200)
        .extract()
        .path("find { it.id == '" + ID + "' }.workers[0].pid");
  }

  private static void enable(boolean enabled) {
    admin()
        .contentType("application/json")
        .body("{\"enabled\":" + enabled + "}")
        .patch(one.url("/api/plugin-market/" + ID + "/enabled"))
        .then()
        .statusCode(200);
  }

  private static boolean knownAt(PackagedService service) {
    return admin()
        .get(service.url("/api/agent/tools"))
        .jsonPath()
        .getList("name")
        .contains("sample_count");
  }

  private static boolean living(long pid) {
    return ProcessHandle.of(pid).map(ProcessHandle::isAlive).orElse(false);
  }

  @Test
  void whatIsInstalledAtOneIsAtTheOtherAndEndsWithThePluginAndWithItsHost() throws Exception {
    admin()
        .multiPart("file", "sample.fyp", Fyp.sample().zip(), "application/octet-stream")
        .post(one.url("/api/plugin-market/upload"))
        .then()
        .statusCode(201);
    await().atMost(SOON).until(() -> knownAt(two));

    assertThat(wordsCountedAt(one)).isEqualTo(2);
    assertThat(wordsCountedAt(two)).isEqualTo(2);
    int first = processAt(one);
    int second = processAt(two);
    assertThat(living(first) && living(second)).isTrue();

    enable(false);
    assertThat(living(first)).isFalse();
    await().atMost(SOON).until(() -> !living(second));
    assertThat(knownAt(one)).isFalse();
    await().atMost(SOON).until(() -> !knownAt(two));

    enable(true);
    await().atMost(SOON).until(() -> knownAt(two));
    assertThat(wordsCountedAt(two)).isEqualTo(2);
    int third = processAt(two);
    two.process().destroyForcibly().waitFor();
    await().atMost(SOON).until(() -> !living(third));
  }
}
