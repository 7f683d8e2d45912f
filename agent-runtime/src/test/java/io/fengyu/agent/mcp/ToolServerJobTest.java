package io.fengyu.agent.mcp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.hasItem;

import io.fengyu.testing.mcp.Reply;
import io.fengyu.testing.mcp.Request;
import io.fengyu.testing.mcp.ToolServer;
import io.quarkus.test.junit.QuarkusTest;
import java.io.IOException;
import java.util.Queue;
import java.util.UUID;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What a tool server has only accepted is asked for until it is done. */
@QuarkusTest
class ToolServerJobTest {

  private static final String LOST = "lost";

  private final McpClient alice = McpClient.alice();
  private final ToolServer server = ToolServer.start();
  private final String job = "j-" + UUID.randomUUID();
  private final Queue<String> answers = new ConcurrentLinkedQueue<>();
  private final AtomicBoolean cancelled = new AtomicBoolean();
  private McpClient.Server own;

  @BeforeEach
  void connect() {
    server.tool("train", (request, reply) -> reply.text(json("{'async':true,'job_id':'%s'}")));
    server.tool("get_job_status", this::status);
    server.tool(
        "cancel_job",
        (request, reply) -> {
          cancelled.set(true);
          reply.text("ok");
        });
    own = alice.connected(McpClient.freshName("jobs"), McpClient.http(server.address()));
  }

  @AfterEach
  void close() {
    server.close();
  }

  private String json(String text) {
    return text.formatted(job).replace('\'', '"');
  }

  private void status(Request request, Reply reply) throws IOException {
    var answer = answers.size() > 1 ? answers.poll() : answers.element();
    if (answer.equals(LOST)) {
      throw new IOException("the server breaks off");
    }
    reply.text(json(cancelled.get() ? "{'job_id':'%s','status':'cancelled'}" : answer));
  }

  private long called(String tool) {
    return server.requests("tools/call").stream().filter(r -> named(r, tool)).count();
  }

  private static boolean named(Request request, String tool) {
    return request.body().path("params").path("name").asText().equals(tool);
  }

  @Test
  void aJobIsFollowedOverFreshConnectionsOfTheSameOperation() {
    answers.add("{'job_id':'%s','status':'running','progress':[{'progress_seq':2}]}");
    answers.add(LOST);
    answers.add("{'job_id':'%s','status':'done','result':{'accuracy':0.9}}");

    var run = own.run("train", "{}");

    assertThat(run.status()).isEqualTo("COMPLETED");
    assertThat(run.result(0)).contains("\"accuracy\":0.9", "\"async\":false");
    assertThat(run.receipt(0)).isEqualTo("done");
    assertThat(called("train")).isEqualTo(1);
    var queries =
        server.requests("tools/call").stream().filter(r -> named(r, "get_job_status")).toList();
    assertThat(queries).hasSize(3);
    assertThat(queries.stream().map(r -> r.connection()).distinct()).hasSize(3);
    assertThat(queries.stream().map(r -> r.arguments().path("after_seq").asInt()))
        .containsExactly(0, 2, 2);
    assertThat(queries)
        .allSatisfy(
            query -> {
              assertThat(query.header("x-run-id")).isEqualTo(run.id());
              assertThat(query.header("x-operation-id"))
                  .isEqualTo(run.receipts().getString("[0].invocationId"));
            });
    await().until(() -> server.sockets() == 0);
    alice
        .get("/api/agent/runs/" + run.id() + "/events")
        .body("events.type", hasItem("job_progress"));
  }

  @Test
  void anEndOfTheRunEndsItsJobAndItsConnections() {
    answers.add("{'job_id':'%s','status':'running'}");
    var runId = alice.start(own.step("train", "{}"));
    await().until(() -> called("get_job_status") > 1);

    alice.send("POST", "/api/agent/" + runId + "/cancel", "").statusCode(200);

    assertThat(alice.ended(runId).status()).isEqualTo("CANCELLED");
    assertThat(called("cancel_job")).isEqualTo(1);
    assertThat(called("train")).isEqualTo(1);
    await().until(() -> server.sockets() == 0);
    alice.get("/api/agent/jobs/" + job).body("status", equalTo("cancelled"));
  }
}
