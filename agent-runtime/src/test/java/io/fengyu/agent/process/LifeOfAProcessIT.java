package io.fengyu.agent.process;

import static io.restassured.RestAssured.given;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.greaterThan;
import static org.hamcrest.Matchers.notNullValue;

import com.sun.net.httpserver.HttpServer;
import io.fengyu.contract.testing.PostgresResource;
import io.fengyu.contract.testing.PostgresServer;
import io.restassured.response.Response;
import io.restassured.specification.RequestSpecification;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.io.TempDir;

/** One process from its first start on an empty database to its orderly end: a story in order. */
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class LifeOfAProcessIT {

  private static final Duration SOON = Duration.ofSeconds(60);
  private static final String ROLE = "solo";
  private static final String PAUSING_RUN =
      """
      {"goal": "look", "config": {"requirePlanApproval": true},
       "workflow": {"steps": [{"toolName": "glob", "args": {"pattern": "*"}}]}}""";

  @TempDir static Path folder;

  private static final Set<String> SIGNALS = ConcurrentHashMap.newKeySet();
  private static HttpServer collector;
  private static PackagedService service;

  @BeforeAll
  static void start() throws IOException, SQLException {
    collector = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    collector.createContext(
        "/",
        exchange -> {
          exchange.getRequestBody().readAllBytes();
          SIGNALS.add(exchange.getRequestURI().getPath());
          exchange.sendResponseHeaders(200, -1);
          exchange.close();
        });
    collector.start();
    emptyDatabase();
    var environment = PackagedService.environment(folder, ROLE, ROLE);
    for (var secret :
        Set.of("DB_PASSWORD", "FENGYU_TOKEN", "INTERNAL_SERVICE_SECRET", "FENGYU_MACHINE_KEY")) {
      var file = Files.writeString(folder.resolve(secret), environment.remove(secret) + "\n");
      environment.put(secret + "_FILE", file.toString());
    }
    environment.put("FENGYU_TOKENS", "carol:tok-carol,dave:tok-dave");
    environment.put("RATE_LIMIT_PER_MINUTE", "30");
    environment.put("START_LIMIT_PER_MINUTE", "2");
    environment.put("SHUTDOWN_DELAY", "2s");
    environment.put("SHUTDOWN_TIMEOUT", "4s");
    environment.put(
        "OTEL_EXPORTER_OTLP_ENDPOINT", "http://127.0.0.1:" + collector.getAddress().getPort());
    service = PackagedService.start(folder, environment);
    await().atMost(SOON).until(() -> status("/q/health/ready") == 200);
  }

  // A database of somebody who has nothing but this one role.
  private static void emptyDatabase() throws SQLException {
    try (var connection = PostgresServer.shared().connect();
        var statement = connection.createStatement()) {
      statement.execute(
          "CREATE ROLE %s LOGIN PASSWORD '%s'".formatted(ROLE, PostgresResource.PASSWORD));
      statement.execute("CREATE DATABASE %1$s OWNER %1$s".formatted(ROLE));
    }
  }

  @AfterAll
  static void stop() {
    service.close();
    collector.stop(0);
  }

  private static int status(String path) {
    try (var http = HttpClient.newHttpClient()) {
      var request = HttpRequest.newBuilder(URI.create(service.url(path))).build();
      return http.send(request, BodyHandlers.discarding()).statusCode();
    } catch (IOException notYet) {
      return -1;
    } catch (InterruptedException interrupted) {
      throw new IllegalStateException(interrupted);
    }
  }

  private static RequestSpecification as(String token) {
    return given().header("X-FengYu-Token", token).contentType("application/json");
  }

  @Test
  @Order(1)
  void oneRoleIsEnoughToMigrateAndToRun() {
    as(PostgresResource.ADMIN_TOKEN).get(service.url("/api/agent/runs")).then().statusCode(200);
  }

  @Test
  @Order(2)
  void secretsComeFromFiles() {
    given()
        .header("X-Internal-Secret", PostgresResource.INTERNAL_SECRET)
        .get(service.url("/internal/capabilities"))
        .then()
        .statusCode(200);
    as("wrong").get(service.url("/api/agent/runs")).then().statusCode(401);
  }

  @Test
  @Order(3)
  void anOwnerWhoCallsTooOftenIsToldWhenToComeBackAndOthersAreNot() {
    for (var i = 0; i < 30; i++) {
      as("tok-carol").get(service.url("/api/agent/tools")).then().statusCode(200);
    }

    as("tok-carol")
        .get(service.url("/api/agent/tools"))
        .then()
        .statusCode(429)
        .header("Retry-After", Integer::parseInt, greaterThan(0))
        .body("code", equalTo("RATE_LIMITED"))
        .body("retryable", equalTo(true))
        .body("retryAfterSeconds", greaterThan(0))
        .body("params.perMinute", equalTo(30));
    as(PostgresResource.ADMIN_TOKEN).get(service.url("/api/agent/tools")).then().statusCode(200);
  }

  @Test
  @Order(3)
  void anOwnerWhoStartsTooManyRunsIsToldWhenToComeBackAndStillReads() {
    for (var i = 0; i < 2; i++) {
      startAs("tok-dave").then().statusCode(200);
    }

    startAs("tok-dave")
        .then()
        .statusCode(429)
        .header("Retry-After", Integer::parseInt, greaterThan(0))
        .body("code", equalTo("RATE_LIMITED"))
        .body("params.startsPerMinute", equalTo(2));
    as("tok-dave").get(service.url("/api/agent/runs")).then().statusCode(200);
  }

  @Test
  @Order(4)
  void tracesReachTheCollector() {
    await().atMost(SOON).until(() -> SIGNALS.contains("/v1/traces"));
  }

  @Test
  @Order(5)
  void anOrderlyStopServesForAWhileThenRefusesAndClosesStreamsWithoutAnEnd() throws Exception {
    var run =
        startAs(PostgresResource.ADMIN_TOKEN)
            .then()
            .statusCode(200)
            .extract()
            .<String>path("runId");
    try (var http = HttpClient.newHttpClient();
        var slow = new Socket(InetAddress.getLoopbackAddress(), service.port())) {
      var watching =
          http.sendAsync(
              HttpRequest.newBuilder(URI.create(service.url("/api/agent/stream?runId=" + run)))
                  .header("X-FengYu-Token", PostgresResource.ADMIN_TOKEN)
                  .build(),
              BodyHandlers.ofString());
      await().atMost(SOON).until(() -> metric("fengyu_sse_connections") == 1);
      beginSlowly(slow);

      service.process().destroy();

      await().atMost(SOON).until(() -> status("/q/health/ready") == 503);
      as(PostgresResource.ADMIN_TOKEN).get(service.url("/api/agent/tools")).then().statusCode(200);
      var seen = watching.get(20, TimeUnit.SECONDS).body();
      assertThat(seen).contains("plan_approval_requested").endsWith(": draining\n\n");
      as(PostgresResource.ADMIN_TOKEN)
          .body("{}")
          .post(service.url("/api/agent/run"))
          .then()
          .statusCode(503)
          .header("Retry-After", notNullValue())
          .body("code", equalTo("UNAVAILABLE"));
    }
    assertThat(service.exitCode()).isIn(0, 143);
    assertThat(service.said()).doesNotContain("ERROR", "Exception");
  }

  private static Response startAs(String token) {
    return as(token).body(PAUSING_RUN).post(service.url("/api/agent/run"));
  }

  // A request whose body is not there yet is work that is waited for.
  private static void beginSlowly(Socket slow) throws IOException {
    slow.getOutputStream()
        .write(
            ("POST /api/agent/run HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9\r\n"
                    + "Content-Type: application/json\r\nX-FengYu-Token: "
                    + PostgresResource.ADMIN_TOKEN
                    + "\r\n\r\n")
                .getBytes(StandardCharsets.US_ASCII));
    slow.getOutputStream().flush();
  }

  private static double metric(String name) {
    return given()
        .get(service.url("/q/metrics"))
        .asString()
        .lines()
        .filter(line -> line.startsWith(name))
        .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1)))
        .sum();
  }

  @Test
  @Order(6)
  void theLastMetricsReachTheCollector() {
    assertThat(SIGNALS).contains("/v1/metrics");
  }
}
