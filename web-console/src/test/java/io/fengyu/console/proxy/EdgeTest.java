package io.fengyu.console.proxy;

import static io.restassured.RestAssured.given;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.notNullValue;
import static org.hamcrest.Matchers.nullValue;

import io.quarkus.test.common.http.TestHTTPResource;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.RestAssured;
import io.vertx.core.Handler;
import io.vertx.core.MultiMap;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import jakarta.inject.Inject;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;
import javax.management.JMException;
import javax.management.ObjectName;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

@QuarkusTest
class EdgeTest {

  private static final String SECRET = "test-internal-secret-0123456789abcdef";

  @Inject
  @SuppressWarnings("NullAway.Init")
  Vertx vertx;

  @Inject
  @SuppressWarnings("NullAway.Init")
  EdgeManagement management;

  @TestHTTPResource
  @SuppressWarnings("NullAway.Init")
  URI edge;

  private final List<ScriptedService> open = new ArrayList<>();

  @AfterEach
  void closeAll() {
    open.forEach(ScriptedService::close);
  }

  @Test
  void eachPathReachesItsOwner() throws Exception {
    for (var owner : Owner.values()) {
      peers(owner, service(r -> r.response().end(owner.service())).address());
    }

    reaches("/api/ai/config", "chat-service");
    reaches("/api/ai/files/1", "agent-runtime");
    reaches("/api/ai/filesystem", "chat-service");
    reaches("/api/admin/users", "chat-service");
    reaches("/api/agent", "agent-runtime");
    reaches("/api/agent/tasks/7/output", "task-scheduler");
    reaches("/api/agent/tasks", "task-scheduler");
    reaches("/api/agent/taskset", "agent-runtime");
    reaches("/api/agent/webhook-triggers", "webhook-gateway");
    reaches("/api/workflow-hooks/abc", "webhook-gateway");
    reaches("/api/workflows/1/run?x=1", "workflow-service");
    reaches("/api/workflow-templates", "workflow-service");
  }

  @Test
  void aPathWithoutOwnerIsAProblem() throws Exception {
    var service = service(r -> r.response().end("reached"));
    peers(Owner.AGENT, service.address());

    for (var path :
        List.of(
            "/api/nothing",
            "/nothing",
            "/internal/runs",
            "/q/metrics",
            "/api/agent/../../internal/peers",
            "/api/agent/%2e%2e/%2e%2e/internal/runs",
            "/api/agent/..//../q/metrics")) {
      assertThat(raw("GET " + path + " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"))
          .as(path)
          .startsWith("HTTP/1.1 404")
          .contains("application/problem+json")
          .contains("\"code\":\"NOT_FOUND\"");
    }
    assertThat(service.requests()).isZero();
  }

  @Test
  void anAddressOrHeadersThatAreTooLongAndAMissingHostAreProblems() throws Exception {
    var end = " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n";

    assertThat(raw("GET /api/agent/runs?q=" + "x".repeat(9000) + end + "\r\n"))
        .startsWith("HTTP/1.1 414")
        .contains("application/problem+json", "\"code\":\"URL_TOO_LONG\"");
    assertThat(raw("GET /api/agent/runs" + end + "X-A: " + "x".repeat(17_000) + "\r\n\r\n"))
        .startsWith("HTTP/1.1 431")
        .contains("application/problem+json", "\"code\":\"HEADERS_TOO_LARGE\"");
    assertThat(raw("GET /api/agent/runs HTTP/1.1\r\nConnection: close\r\n\r\n"))
        .startsWith("HTTP/1.1 400")
        .contains("application/problem+json", "\"code\":\"BAD_REQUEST\"");
  }

  @Test
  void anAddressThatCannotBeDecodedIsAProblem() throws Exception {
    var service = service(r -> r.response().end("reached"));
    peers(Owner.AGENT, service.address());

    for (var path :
        List.of("/%", "/%zz", "/api/agent/%zz", "/api/agent/runs?q=%", "/api/agent/a|b")) {
      assertThat(raw("GET " + path + " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"))
          .as(path)
          .startsWith("HTTP/1.1 400")
          .contains("application/problem+json", "\"code\":\"BAD_REQUEST\"");
    }
    assertThat(service.requests()).isZero();
  }

  @Test
  void pagesOfNamedOriginsMayCallAndServicesAreNotAsked() throws Exception {
    var seen = new CompletableFuture<MultiMap>();
    var service =
        service(
            r -> {
              seen.complete(MultiMap.caseInsensitiveMultiMap().addAll(r.headers()));
              r.response().end("done");
            });
    peers(Owner.AGENT, service.address());

    given()
        .header("Origin", "https://page.example")
        .header("Access-Control-Request-Method", "POST")
        .options("/api/agent/run")
        .then()
        .statusCode(204)
        .header("Access-Control-Allow-Origin", "https://page.example");
    assertThat(service.requests()).isZero();
    given()
        .header("Origin", "https://page.example")
        .get("/api/agent/runs")
        .then()
        .statusCode(200)
        .header("Access-Control-Allow-Origin", "https://page.example");
    assertThat(seen.get(5, TimeUnit.SECONDS).contains("Origin")).isFalse();
    given()
        .header("Origin", "https://evil.example")
        .get("/api/nothing")
        .then()
        .statusCode(404)
        .header("Access-Control-Allow-Origin", nullValue());
  }

  @Test
  void theManagementPortTellsOfHealthOnly() {
    var port = management.port().orElseThrow();

    given().port(port).get("/q/health/ready").then().statusCode(200);
    given().port(port).get("/api/health").then().statusCode(404).body("code", equalTo("NOT_FOUND"));
    given().port(port).get("/").then().statusCode(404);
  }

  @Test
  void aReplicaThatHangsIsNotWaitedFor() throws Exception {
    var healthy = service(r -> r.response().end("from the other"));
    try (var hanging = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
      peers(Owner.AGENT, address(hanging), healthy.address());

      for (var i = 0; i < 4; i++) {
        given().get("/api/agent/runs").then().statusCode(200).body(equalTo("from the other"));
      }
      for (var i = 0; i < 4; i++) {
        given().body("{}").post("/api/agent/run").then().statusCode(200);
      }
    }
  }

  @Test
  void aWriteThatMetAHangingReplicaIsNotSentAgainAndTheNextOneIsRefusedAtOnce() throws Exception {
    try (var hanging = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
      peers(Owner.WORKFLOW, address(hanging));

      given()
          .body("{}")
          .post("/api/workflows")
          .then()
          .statusCode(504)
          .body("code", equalTo("DEPENDENCY_TIMEOUT"));
      given()
          .body("{}")
          .post("/api/workflows")
          .then()
          .statusCode(503)
          .body("code", equalTo("DEPENDENCY_UNAVAILABLE"));
    }
  }

  @Test
  void aReplicaThatWorksLongIsWaitedFor() throws Exception {
    peers(
        Owner.SCHEDULER,
        service(r -> vertx.setTimer(4_000, late -> r.response().end("done"))).address());

    given().body("{}").post("/api/agent/tasks").then().statusCode(200).body(equalTo("done"));
  }

  @Test
  void theStreamOfAHangingReplicaEndsBetweenTwoEvents() throws Exception {
    try (var hanging = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
      peers(Owner.AGENT, address(hanging));

      try (var client = new Lines("/api/agent/stream?runId=1");
          var connection = hanging.accept()) {
        var head = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n";
        var out = connection.getOutputStream();
        out.write((head + "id: 0\ndata: first\n\n").getBytes(StandardCharsets.US_ASCII));

        client.expect("data: first");
        client.expect(": draining");
        client.expectEnd();
      }
    }
  }

  private static String address(ServerSocket socket) {
    return "http://127.0.0.1:" + socket.getLocalPort();
  }

  @Test
  void problemsSpeakTheCallersLanguage() {
    given()
        .urlEncodingEnabled(false)
        .header("Accept-Language", "zh-CN,en;q=0.5")
        .get("/api/nothing")
        .then()
        .statusCode(404)
        .body("title", equalTo("未找到"))
        .body("success", equalTo(false))
        .body("traceId", notNullValue());
  }

  @Test
  void identityHeadersNeverPassAndForwardedOnesAreTheEdgesOwn() throws Exception {
    var seen = new CompletableFuture<MultiMap>();
    peers(
        Owner.AGENT,
        service(
                r -> {
                  seen.complete(MultiMap.caseInsensitiveMultiMap().addAll(r.headers()));
                  r.response().end();
                })
            .address());

    given()
        .header("X-Internal-Secret", SECRET)
        .header("X-User-ID", "alice")
        .header("x-session-id", "s")
        .header("X-RUN-ID", "r")
        .header("X-Agent-ID", "a")
        .header("X-Execution-Generation", "1")
        .header("X-Operation-ID", "o")
        .header("X-Forwarded-For", "203.0.113.9")
        .header("X-Forwarded-Proto", "https")
        .header("Forwarded", "for=203.0.113.9")
        .header("X-Hop", "1")
        .header("Connection", "X-Hop, keep-alive")
        .header("X-FengYu-Token", "tok")
        .header("X-Request-ID", "req-1")
        .get("/api/agent/runs")
        .then()
        .statusCode(200)
        .header("X-Request-ID", "req-1");

    var headers = seen.get(5, TimeUnit.SECONDS);
    assertThat(headers.names().stream().map(String::toLowerCase))
        .doesNotContain(
            "x-internal-secret",
            "x-user-id",
            "x-session-id",
            "x-run-id",
            "x-agent-id",
            "x-execution-generation",
            "x-operation-id",
            "forwarded",
            "x-hop");
    assertThat(headers.get("X-FengYu-Token")).isEqualTo("tok");
    assertThat(headers.get("X-Forwarded-For")).isEqualTo("127.0.0.1");
    assertThat(headers.get("X-Forwarded-Proto")).isEqualTo("http");
    assertThat(headers.get("X-Request-ID")).isEqualTo("req-1");
    assertThat(headers.get("traceparent")).matches("00-[0-9a-f]{32}-[0-9a-f]{16}-01");
  }

  @Test
  void statusHeadersAndBodyOfAnAnswerAreUnchanged() throws Exception {
    peers(
        Owner.WORKFLOW,
        service(
                r ->
                    r.response()
                        .setStatusCode(409)
                        .putHeader("Content-Type", "application/problem+json")
                        .putHeader("Retry-After", "7")
                        .putHeader("ETag", "\"3\"")
                        .end("{\"code\":\"STALE\"}"))
            .address());

    given()
        .body("{}")
        .put("/api/workflows/1")
        .then()
        .statusCode(409)
        .header("Content-Type", "application/problem+json")
        .header("Retry-After", "7")
        .header("ETag", "\"3\"")
        .body(equalTo("{\"code\":\"STALE\"}"));
  }

  @Test
  void anEventArrivesWhileTheStreamIsStillOpen() throws Exception {
    var stream = new CompletableFuture<HttpServerResponse>();
    peers(Owner.AGENT, service(r -> stream.complete(openStream(r))).address());

    try (var client = new Lines("/api/agent/stream?runId=1")) {
      var response = stream.get(5, TimeUnit.SECONDS);
      client.expect("HTTP/1.1 200 OK");

      response.write("id: 0\ndata: first\n\n");
      client.expect("data: first");
      response.write("id: 1\ndata: second\n\n");
      client.expect("data: second");

      assertThat(response.ended()).isFalse();
      response.end();
      client.expectEnd();
    }
  }

  @Test
  void aHundredMegabytesPassWithoutBeingHeld() throws Exception {
    var total = 100L << 20;
    var received = new AtomicLong();
    var arrived = new CompletableFuture<HttpServerRequest>();
    peers(
        Owner.AGENT,
        service(
                r -> {
                  r.pause();
                  r.handler(piece -> received.addAndGet(piece.length()));
                  r.endHandler(ended -> r.response().end("stored " + received));
                  arrived.complete(r);
                })
            .address());

    try (var socket = connect()) {
      var sent = new AtomicLong();
      var sending = CompletableFuture.runAsync(() -> upload(socket, total, sent));
      var request = arrived.get(5, TimeUnit.SECONDS);
      var stalled = new AtomicLong(-1);
      await()
          .pollInterval(300, TimeUnit.MILLISECONDS)
          .until(() -> stalled.getAndSet(sent.get()) == sent.get() && sent.get() > 0);

      assertThat(sent.get()).as("taken in while the service reads nothing").isLessThan(32L << 20);

      request.resume();
      sending.get(30, TimeUnit.SECONDS);
      assertThat(answer(socket)).contains("stored " + total);
    }
  }

  @Test
  void aClientThatLeavesAfterItsAnswerBreaksNobodyElsesRequest() throws Exception {
    var service =
        service(r -> r.endHandler(whole -> vertx.setTimer(2, t -> r.response().end("done"))));
    peers(Owner.CHAT, service.address());
    var answers = ConcurrentHashMap.<String>newKeySet();

    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      var clients = new ArrayList<Callable<Boolean>>();
      for (var client = 0; client < 16; client++) {
        clients.add(
            () -> {
              for (var i = 0; i < 40; i++) {
                answers.add(statusOfPostOnItsOwnConnection());
              }
              return true;
            });
      }
      for (var done : threads.invokeAll(clients)) {
        assertThat(done.get()).isTrue();
      }
    }

    assertThat(answers).containsExactly("HTTP/1.1 200 OK");
  }

  @Test
  void streamsThatHaveEndedLeaveNothingInMemory() throws Exception {
    peers(Owner.AGENT, service(r -> openStream(r).end(": done\n\n")).address());

    for (int i = 0; i < 100; i++) {
      assertThat(
              raw("GET /api/agent/stream HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"))
          .contains(": done");
    }

    await().atMost(Duration.ofSeconds(30)).until(() -> alive(Exchange.class) < 50);
  }

  /** How many objects of a class are reachable, counted by the virtual machine. */
  private static long alive(Class<?> type) throws JMException {
    var commands = new ObjectName("com.sun.management:type=DiagnosticCommand");
    Object[] none = {new String[0]};
    var histogram =
        (String)
            ManagementFactory.getPlatformMBeanServer()
                .invoke(
                    commands, "gcClassHistogram", none, new String[] {String[].class.getName()});
    return histogram
        .lines()
        .map(line -> line.strip().split("\\s+"))
        .filter(row -> row.length > 3 && row[3].equals(type.getName()))
        .mapToLong(row -> Long.parseLong(row[1]))
        .sum();
  }

  private static String statusOfPostOnItsOwnConnection() throws Exception {
    try (var socket = new Socket("localhost", RestAssured.port)) {
      socket
          .getOutputStream()
          .write(
              "POST /api/ai/send HTTP/1.1\r\nHost: localhost\r\nContent-Length: 2\r\n\r\n{}"
                  .getBytes(StandardCharsets.UTF_8));
      var reader =
          new BufferedReader(
              new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8));
      var status = reader.readLine();
      for (var line = reader.readLine(); line != null && !line.isEmpty(); ) {
        line = reader.readLine();
      }
      assertThat(reader.read(new char[4])).isEqualTo(4);
      return String.valueOf(status);
    }
  }

  @Test
  void aDeadReplicaIsPassedOver() throws Exception {
    var alive = service(r -> r.response().end("alive"));
    peers(Owner.CHAT, "http://127.0.0.1:" + freePort(), alive.address());

    for (var i = 0; i < 6; i++) {
      given().body("{}").post("/api/ai/send").then().statusCode(200).body(equalTo("alive"));
    }
    assertThat(alive.requests()).isEqualTo(6);
  }

  @Test
  void replicasTakeTurns() throws Exception {
    var one = service(r -> r.response().end());
    var two = service(r -> r.response().end());
    peers(Owner.CHAT, one.address(), two.address());

    for (var i = 0; i < 6; i++) {
      given().get("/api/ai/config").then().statusCode(200);
    }

    assertThat(one.requests()).isEqualTo(3);
    assertThat(two.requests()).isEqualTo(3);
  }

  @Test
  void withoutALiveReplicaTheAnswerNamesTheService() throws Exception {
    peers(Owner.SCHEDULER, "http://127.0.0.1:" + freePort(), "http://127.0.0.1:" + freePort());

    given()
        .get("/api/agent/tasks")
        .then()
        .statusCode(503)
        .header("Retry-After", "1")
        .contentType("application/problem+json")
        .body("code", equalTo("DEPENDENCY_UNAVAILABLE"))
        .body("params.service", equalTo("task-scheduler"));
  }

  @Test
  void anAnswerThatBreaksOffIsNotEndedCleanly() throws Exception {
    peers(
        Owner.AGENT,
        service(
                r -> {
                  var response = r.response().setChunked(true);
                  response.write("half").onSuccess(w -> r.connection().close());
                })
            .address());

    var answer = raw("GET /api/agent/runs HTTP/1.1\r\nHost: localhost\r\n\r\n");

    assertThat(answer).startsWith("HTTP/1.1 200").contains("half").doesNotContain("\r\n0\r\n");
  }

  @Test
  void aPostThatMayHaveBeenActedUponIsNotSentAgain() throws Exception {
    var one = service(r -> r.connection().close());
    var two = service(r -> r.connection().close());
    peers(Owner.AGENT, one.address(), two.address());

    given()
        .body("{}")
        .post("/api/agent/run")
        .then()
        .statusCode(502)
        .body("code", equalTo("DEPENDENCY_FAILED"));
    assertThat(one.requests() + two.requests()).isEqualTo(1);
  }

  @Test
  void aReadIsAskedAgainElsewhere() throws Exception {
    var dying = service(r -> r.connection().close());
    var alive = service(r -> r.response().end("alive"));
    peers(Owner.AGENT, dying.address(), alive.address());

    for (var i = 0; i < 2; i++) {
      given().get("/api/agent/runs").then().statusCode(200).body(equalTo("alive"));
    }
  }

  @Test
  void aClientThatLeavesEndsTheRequestAtTheService() throws Exception {
    var stream = new CompletableFuture<HttpServerResponse>();
    var gone = new CompletableFuture<Void>();
    peers(
        Owner.AGENT,
        service(
                r -> {
                  r.response().closeHandler(gone::complete);
                  stream.complete(openStream(r));
                })
            .address());

    try (var client = new Lines("/api/agent/stream?runId=1")) {
      stream.get(5, TimeUnit.SECONDS);
      client.expect("HTTP/1.1 200 OK");
    }

    gone.get(5, TimeUnit.SECONDS);
  }

  @Test
  void anEarlyRefusalReachesAClientThatIsStillSending() throws Exception {
    peers(
        Owner.AGENT,
        service(
                r -> {
                  r.pause();
                  r.response().setStatusCode(413).putHeader("Connection", "close").end("too large");
                })
            .address());

    try (var socket = connect()) {
      var sent = new AtomicLong();
      Thread.ofVirtual().start(() -> uploadUntilRefused(socket, sent));

      assertThat(answer(socket)).startsWith("HTTP/1.1 413").contains("too large");
    }
  }

  @Test
  void strangersCannotChangeAddresses() {
    given()
        .header("X-Internal-Secret", "wrong")
        .body("{\"agent\":[\"http://127.0.0.1:1\"]}")
        .put("/internal/peers")
        .then()
        .statusCode(401)
        .body("code", equalTo("INTERNAL_UNAUTHENTICATED"));
  }

  @Test
  void badAddressesChangeNothing() throws Exception {
    peers(Owner.CHAT, service(r -> r.response().end("still here")).address());

    given()
        .header("X-Internal-Secret", SECRET)
        .body("{\"chat\":[\"ftp://nowhere\"]}")
        .put("/internal/peers")
        .then()
        .statusCode(400)
        .body("code", equalTo("INVALID_PEERS"));

    reaches("/api/ai/config", "still here");
  }

  @Test
  void aForeignHostNameIsRefused() throws Exception {
    assertThat(raw("GET /api/health HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n"))
        .startsWith("HTTP/1.1 403")
        .contains("HOST_NOT_ALLOWED");
  }

  @Test
  void healthNeedsNoService() {
    given().get("/api/health").then().statusCode(200).body("status", equalTo("ok"));
    given().get("/q/health/ready").then().statusCode(200);
    given().get("/q/health/live").then().statusCode(200);
  }

  @Test
  void thePagesWorkWithoutTheInternet() {
    given().get("/").then().statusCode(200).body(containsString("FengYu Server"));
    given().get("/docs").then().statusCode(200).body(containsString("swagger-ui-bundle.js"));
    given().get("/docs/swagger-ui-bundle.js").then().statusCode(200);
    given().get("/docs/swagger-ui.css").then().statusCode(200);
    given().get("/docs/docs.js").then().statusCode(200).body(containsString("/api/openapi.json"));
    given().get("/api/openapi.json").then().statusCode(200).body("openapi", equalTo("3.1.0"));
  }

  private ScriptedService service(Handler<HttpServerRequest> script) throws Exception {
    var service = new ScriptedService(vertx, script);
    open.add(service);
    return service;
  }

  private static void peers(Owner owner, String... addresses) {
    var list = Arrays.stream(addresses).collect(Collectors.joining("\",\"", "[\"", "\"]"));
    given()
        .header("X-Internal-Secret", SECRET)
        .body("{\"" + owner.key() + "\":" + list + "}")
        .put("/internal/peers")
        .then()
        .statusCode(204);
  }

  private static void reaches(String path, String who) {
    given().get(path).then().statusCode(200).body(equalTo(who));
  }

  private static HttpServerResponse openStream(HttpServerRequest request) {
    var response = request.response().putHeader("Content-Type", "text/event-stream");
    response.setChunked(true).writeHead();
    return response;
  }

  private Socket connect() throws IOException {
    var socket = new Socket(InetAddress.getLoopbackAddress(), edge.getPort());
    socket.setSoTimeout(20_000);
    return socket;
  }

  private String raw(String request) throws IOException {
    try (var socket = connect()) {
      socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
      return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  private static String answer(Socket socket) throws IOException {
    return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
  }

  private static void upload(Socket socket, long total, AtomicLong sent) {
    try {
      var out = socket.getOutputStream();
      head(out, total);
      var piece = new byte[64 * 1024];
      while (sent.get() < total) {
        out.write(piece);
        sent.addAndGet(piece.length);
      }
    } catch (IOException broken) {
      throw new java.io.UncheckedIOException(broken);
    }
  }

  private static void uploadUntilRefused(Socket socket, AtomicLong sent) {
    assertThatThrownBy(() -> upload(socket, 10L << 30, sent)).isNotNull();
  }

  private static void head(OutputStream out, long length) throws IOException {
    var head =
        "POST /api/agent/uploads HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Length: "
            + length
            + "\r\n\r\n";
    out.write(head.getBytes(StandardCharsets.US_ASCII));
  }

  private static int freePort() throws IOException {
    try (var socket = new ServerSocket(0)) {
      return socket.getLocalPort();
    }
  }

  /** A client that reads an answer line by line, as it comes. */
  private final class Lines implements AutoCloseable {

    private static final String END = "<end>";

    private final Socket socket = connect();
    private final BlockingQueue<String> lines = new LinkedBlockingQueue<>();

    Lines(String path) throws IOException {
      var request = "GET " + path + " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n";
      socket.getOutputStream().write(Buffer.buffer(request).getBytes());
      Thread.ofVirtual().start(this::read);
    }

    void expect(String line) throws InterruptedException {
      String next;
      do {
        next = lines.poll(5, TimeUnit.SECONDS);
        assertThat(next).as("while waiting for %s", line).isNotNull().isNotEqualTo(END);
      } while (!line.equals(next));
    }

    void expectEnd() throws InterruptedException {
      String next;
      do {
        next = lines.poll(5, TimeUnit.SECONDS);
        assertThat(next).isNotNull();
      } while (!END.equals(next));
    }

    private void read() {
      try (var in =
          new BufferedReader(
              new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8))) {
        for (var line = in.readLine(); line != null; line = in.readLine()) {
          lines.add(line);
        }
      } catch (IOException closed) {
        lines.add("closed: " + closed.getMessage());
      }
      lines.add(END);
    }

    @Override
    public void close() throws IOException {
      socket.close();
    }
  }
}
