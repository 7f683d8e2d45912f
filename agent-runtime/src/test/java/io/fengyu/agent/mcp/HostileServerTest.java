package io.fengyu.agent.mcp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fengyu.agent.mcp.McpClient.Ran;
import io.fengyu.agent.mcp.McpClient.Server;
import io.fengyu.testing.mcp.ToolServer;
import io.fengyu.testing.mcp.ToolServer.Handler;
import io.quarkus.test.junit.QuarkusTest;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

@QuarkusTest
class HostileServerTest {

  private static final Handler DIE =
      (request, reply) -> {
        throw new IOException("on purpose");
      };

  private final McpClient alice = McpClient.alice();
  private final ToolServer server =
      ToolServer.start().tool("good", (request, reply) -> reply.text("fine"));
  private final CountDownLatch release = new CountDownLatch(1);

  @AfterEach
  void close() {
    release.countDown();
    server.close();
  }

  private Server with(Handler bad) {
    server.tool("bad", bad);
    return alice.connected(McpClient.freshName("hostile"), McpClient.http(server.address()));
  }

  private void failsCleanly(Handler bad, String words) {
    var own = with(bad);

    var run = own.run("bad", "{}");

    assertThat(run.status()).isEqualTo("FAILED");
    assertThat(run.error()).startsWith("Step 0 failed: ").contains(words);
    assertThat(run.receipt(0)).isEqualTo("unknown");
    release.countDown();
    worksAgain(own);
  }

  private void worksAgain(Server own) {
    var next = own.run("good", "{}");
    assertThat(next.status()).as(next.error()).isEqualTo("COMPLETED");
    assertThat(next.result(0)).isEqualTo("fine");
    await().until(() -> server.sockets() == 0);
  }

  @Test
  void aServerThatDiesInTheMiddleOfACallLeavesAnUnknownOutcome() {
    failsCleanly(DIE, "connection to the server was lost");
  }

  @Test
  void aServerThatDiesInTheMiddleOfItsAnswerLeavesAnUnknownOutcome() {
    failsCleanly(
        (request, reply) -> {
          reply.head(200, Map.of("content-type", "application/json"), 1000);
          reply.raw("{\"jsonrpc\":\"2.0\",".getBytes(StandardCharsets.UTF_8));
          throw new IOException("on purpose");
        },
        "connection to the server was lost");
  }

  @Test
  void aServerThatAnswersTooLateIsToldToStopAndDisturbsNobody() {
    failsCleanly(this::held, "did not answer in time");

    var call = server.requests("tools/call").getFirst();
    assertThat(server.requests("notifications/cancelled"))
        .singleElement()
        .satisfies(
            told ->
                assertThat(told.body().path("params").path("requestId"))
                    .isEqualTo(call.body().path("id")));
  }

  private void held(Object request, io.fengyu.testing.mcp.Reply reply) throws Exception {
    release.await(60, TimeUnit.SECONDS);
    reply.text("late");
  }

  @Test
  void garbageInsteadOfAnAnswerIsAFailure() {
    failsCleanly(
        (request, reply) ->
            reply.respond(200, Map.of("content-type", "application/json"), "<html>{{{"),
        "no answer");
    failsCleanly(
        (request, reply) -> reply.raw("garbage \0\1\2\r\n\r\n".getBytes(StandardCharsets.UTF_8)),
        "lost");
    failsCleanly(
        (request, reply) ->
            reply.respond(200, Map.of("content-type", "text/event-stream"), "data: {oops\n\n"),
        "no message");
    failsCleanly(
        (request, reply) ->
            reply.respond(
                200,
                Map.of("content-type", "application/json"),
                "{\"jsonrpc\":\"2.0\",\"id\":4711,\"result\":{}}"),
        "no answer");
    failsCleanly(
        (request, reply) ->
            reply.respond(200, Map.of("content-type", "application/json"), "[".repeat(100_000)),
        "no answer");
    failsCleanly((request, reply) -> reply.respond(502, Map.of(), "oops"), "HTTP 502");
  }

  @Test
  void anAnswerOfThreeHundredMegabytesIsNotTakenIn() {
    failsCleanly((request, reply) -> reply.flood(300L * 1024 * 1024), "larger than");
  }

  @Test
  void aRedirectIsNotFollowed() {
    try (var elsewhere = ToolServer.start().tool("bad", DIE)) {
      var own =
          with(
              (request, reply) ->
                  reply.respond(
                      307, Map.of("location", elsewhere.address().toString()), "over there"));

      var run = own.run("bad", "{}");

      assertThat(run.error()).contains("redirects");
      assertThat(run.receipt(0)).isEqualTo("failed");
      assertThat(elsewhere.requests()).isEmpty();
      worksAgain(own);
    }
  }

  @Test
  void aServerThatIsGoneCannotHaveDoneAnything() {
    var own = with(DIE);
    server.close();

    var run = own.run("good", "{}");

    assertThat(run.error()).contains("cannot be connected to");
    assertThat(run.receipt(0)).isEqualTo("failed");
  }

  @Test
  void aBrokenCallLeavesParallelOnesAlone() throws Exception {
    var died = new CountDownLatch(1);
    server.tool(
        "patient",
        (request, reply) -> {
          died.await(30, TimeUnit.SECONDS);
          reply.text("still here");
        });
    var own =
        with(
            (request, reply) -> {
              await().until(() -> server.requests("tools/call").size() == 2);
              died.countDown();
              throw new IOException("on purpose");
            });
    int before = server.requests("initialize").size();

    var run = alice.run(own.step("bad", "{}") + "," + own.step("patient", "{}"));

    assertThat(run.detail().getString("executions[0].status")).isEqualTo("FAILED");
    assertThat(run.result(1)).isEqualTo("still here");
    assertThat(server.requests("initialize")).hasSize(before + 2);
  }

  @Test
  void stoppingARunClosesItsConnectionsAtOnce() {
    var own = with(this::held);
    var runId = alice.start(own.step("bad", "{}"));
    await().until(() -> server.requests("tools/call").size() == 1);

    long started = System.nanoTime();
    alice.send("POST", "/api/agent/" + runId + "/cancel", "").statusCode(200);
    Ran run = alice.ended(runId);

    assertThat(Duration.ofNanos(System.nanoTime() - started)).isLessThan(Duration.ofSeconds(4));
    assertThat(run.status()).isEqualTo("CANCELLED");
    assertThat(run.receipt(0)).isEqualTo("unknown");
    await().until(() -> server.requests("notifications/cancelled").size() == 1);
    await().until(() -> server.requests("DELETE").size() >= 1);
  }

  @Test
  void aStreamThatEndsEarlyIsGoneOnWithAndTheCallIsNotMadeAgain() {
    var answer = new ObjectNode[1];
    server.on(
        "GET",
        (request, reply) ->
            reply.respond(
                200,
                Map.of("content-type", "text/event-stream"),
                "id: e2\ndata: " + answer[0] + "\n\n"));
    var own =
        with(
            (request, reply) -> {
              var result = JsonNodeFactory.instance.objectNode();
              result.putArray("content").addObject().put("type", "text").put("text", "resumed");
              answer[0] = reply.message(result);
              reply.respond(
                  200,
                  Map.of("content-type", "text/event-stream"),
                  ": hello\r\nid: e1\r\nretry: 100\r\ndata:\r\n\r\n");
            });

    var run = own.run("bad", "{}");

    assertThat(run.result(0)).isEqualTo("resumed");
    assertThat(server.requests("tools/call")).hasSize(1);
    assertThat(server.requests("GET").getFirst().header("last-event-id")).isEqualTo("e1");
  }

  @Test
  void aServerThatAsksSomethingIsAnswered() {
    var own =
        with(
            (request, reply) -> {
              var result = JsonNodeFactory.instance.objectNode();
              result.putArray("content").addObject().put("type", "text").put("text", "asked");
              reply.respond(
                  200,
                  Map.of("content-type", "text/event-stream"),
                  "data: {\"jsonrpc\":\"2.0\",\"id\":\"p\",\"method\":\"ping\"}\n\n"
                      + "data:"
                      + " {\"jsonrpc\":\"2.0\",\"id\":\"s\",\"method\":\"sampling/createMessage\"}\n\n"
                      + "data: "
                      + reply.message(result)
                      + "\n\n");
            });

    assertThat(own.run("bad", "{}").result(0)).isEqualTo("asked");

    var replies =
        server.requests("POST").stream().map(r -> r.body()).filter(b -> b.has("id")).toList();
    assertThat(replies).hasSize(2);
    assertThat(replies.get(0).toString()).contains("\"id\":\"p\"", "\"result\":{}");
    assertThat(replies.get(1).toString()).contains("\"id\":\"s\"", "-32601");
  }

  @Test
  void discoveryOutlivesEveryKindOfNonsense() {
    var own = with(DIE);
    for (Handler nonsense :
        new Handler[] {
          DIE,
          (request, reply) -> reply.result(JsonNodeFactory.instance.objectNode()),
          (request, reply) -> reply.result(circle()),
          (request, reply) -> reply.flood(40L * 1024 * 1024)
        }) {
      server.on("tools/list", nonsense);
      assertThat(own.test().statusCode(200).extract().<Boolean>path("ok")).isFalse();
      assertThat(alice.catalog()).contains(own.tool("good"));
    }
  }

  private static ObjectNode circle() {
    var page = JsonNodeFactory.instance.objectNode().put("nextCursor", "again");
    page.putArray("tools");
    return page;
  }
}
