package io.fengyu.console.proxy;

import static io.restassured.RestAssured.given;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;
import static org.hamcrest.Matchers.equalTo;

import io.quarkus.test.junit.QuarkusTest;
import io.restassured.RestAssured;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** What passes between a client and a service, piece by piece. */
@QuarkusTest
class BodiesTest extends EdgeScene {

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

  private static HttpServerResponse openStream(HttpServerRequest request) {
    var response = request.response().putHeader("Content-Type", "text/event-stream");
    response.setChunked(true).writeHead();
    return response;
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
}
