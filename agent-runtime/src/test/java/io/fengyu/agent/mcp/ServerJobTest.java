package io.fengyu.agent.mcp;

import static org.assertj.core.api.Assertions.assertThat;

import io.fengyu.testing.mcp.Reply;
import io.fengyu.testing.mcp.Request;
import io.fengyu.testing.mcp.ToolServer;
import io.quarkus.test.junit.QuarkusTest;
import java.io.IOException;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

@QuarkusTest
class ServerJobTest {

  private final McpClient alice = McpClient.alice();
  private final AtomicInteger queries = new AtomicInteger();
  private final ToolServer server =
      ToolServer.start()
          .tool("train", (request, reply) -> reply.text("{\"async\":true,\"job_id\":\"j1\"}"))
          .tool("get_job_status", this::status);

  @AfterEach
  void close() {
    server.close();
  }

  private void status(Request request, Reply reply) throws IOException {
    switch (queries.incrementAndGet()) {
      case 1 ->
          reply.text(
              "{\"job_id\":\"j1\",\"status\":\"running\",\"progress_cursor\":1,"
                  + "\"progress_has_more\":false,"
                  + "\"progress\":[{\"progress_seq\":1,\"message\":\"half\"}]}");
      case 2 -> throw new IOException("a lost answer, on purpose");
      default ->
          reply.text(
              "{\"job_id\":\"j1\",\"status\":\"done\",\"progress_cursor\":1,"
                  + "\"progress\":[],\"progress_has_more\":false,\"result\":{\"model\":\"m7\"}}");
    }
  }

  @Test
  void aJobIsFollowedOverShortConnectionsUntilItsRealResult() {
    var own =
        alice.connected(
            McpClient.freshName("jobs"),
            McpClient.http(server.address()) + ",'disabledTools':['get_job_status']");
    assertThat(alice.catalog()).doesNotContain(own.tool("get_job_status"));

    var run = own.run("train", "{}");

    assertThat(run.status()).as(run.error()).isEqualTo("COMPLETED");
    assertThat(run.result(0)).contains("\"model\":\"m7\"", "\"async\":false");
    var calls = server.requests("tools/call");
    assertThat(calls).hasSizeGreaterThanOrEqualTo(4);
    assertThat(calls.stream().filter(c -> c.body().toString().contains("\"train\""))).hasSize(1);
    assertThat(calls.stream().map(c -> c.connection()).distinct()).hasSize(calls.size());
    assertThat(calls.getLast().arguments().path("job_id").asText()).isEqualTo("j1");
    assertThat(calls.getLast().arguments().path("after_seq").asLong()).isEqualTo(1);
    assertThat(calls.getLast().header("x-operation-id"))
        .isEqualTo(calls.getFirst().header("x-operation-id"));
  }
}
