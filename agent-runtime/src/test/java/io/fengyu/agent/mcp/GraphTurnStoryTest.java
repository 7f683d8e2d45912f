package io.fengyu.agent.mcp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.hamcrest.Matchers.contains;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.everyItem;
import static org.hamcrest.Matchers.is;

import io.fengyu.testing.mcp.ToolServer;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.response.ValidatableResponse;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The calls of one turn, on a server of the company that says nothing about its resources. */
@QuarkusTest
class GraphTurnStoryTest {

  private final McpClient admin = McpClient.admin();
  private final ToolServer server = ToolServer.start();
  private final AtomicInteger writing = new AtomicInteger();
  private final AtomicInteger mostWriting = new AtomicInteger();
  private final CyclicBarrier reads = new CyclicBarrier(3);

  @AfterEach
  void close() {
    server.close();
  }

  private McpClient.Server connected() {
    for (var looks : new String[] {"get_graph_info", "degree_analysis", "community_detection"}) {
      server.tool(
          looks,
          (request, reply) -> {
            try {
              reads.await(30, TimeUnit.SECONDS);
              reply.text("met");
            } catch (Exception alone) {
              reply.error("alone");
            }
          });
    }
    server.tool(
        "load_constructed_graph",
        (request, reply) -> {
          mostWriting.accumulateAndGet(writing.incrementAndGet(), Math::max);
          try {
            Thread.sleep(100);
          } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
          }
          writing.decrementAndGet();
          if (request.arguments().path("dataset_id").asText().equals("none")) {
            reply.text("{\"success\":false,\"error\":\"no graph\"}");
          } else {
            reply.text("{\"success\":true}");
          }
        });
    server.tool("infer", (request, reply) -> reply.text("inferred"));
    return admin.connected(
        McpClient.freshName("turn"), McpClient.http(server.address()) + ",'internal':true");
  }

  private ValidatableResponse batch(String... calls) {
    return admin
        .send(
            "POST",
            "/api/agent/tools/batch",
            "{'permissionMode':'approve-for-me','calls':[" + String.join(",", calls) + "]}")
        .statusCode(200);
  }

  private static String call(String id, String name, String args) {
    return "{'id':'" + id + "','name':'" + name + "','arguments':" + args + "}";
  }

  @Test
  void readsMeetWritesDoNotAndNobodyIsAsked() {
    var own = connected();

    batch(
            call("l1", own.tool("load_constructed_graph"), "{'dataset_id':'a'}"),
            call("r1", own.tool("get_graph_info"), "{}"),
            call("r2", own.tool("degree_analysis"), "{}"),
            call("r3", own.tool("community_detection"), "{}"),
            call("l2", own.tool("load_constructed_graph"), "{'dataset_id':'b'}"),
            call("l3", own.tool("load_constructed_graph"), "{'dataset_id':'c'}"))
        .body("results.success", everyItem(is(true)))
        .body("results[1].output", equalTo("met"));

    assertThat(mostWriting).hasValue(1);
    own.delete();
  }

  @Test
  void aFailedLoadBlocksWhatNeedsTheGraphAndWhatNeedsThatAndNothingElse() {
    var own = connected();

    batch(
            call("load", own.tool("load_constructed_graph"), "{'dataset_id':'none'}"),
            call("look", own.tool("degree_analysis"), "{}"),
            call("again", own.tool("load_constructed_graph"), "{'dataset_id':'b'}"),
            call("other", "echo", "{'n':1}"))
        .body("results.success", contains(false, false, false, true))
        .body("results[1].code", equalTo("TOOL_DEPENDENCY_BLOCKED"))
        .body("results[1].blocked_by", contains("load"))
        .body("results[2].code", equalTo("TOOL_DEPENDENCY_BLOCKED"))
        .body("results[2].blocked_by", contains("load", "look"));

    assertThat(server.requests("tools/call")).hasSize(1);
    own.delete();
  }

  @Test
  void whatIsConfirmedPausesWhatDependsOnIt() {
    server.tool("clear_graph", (request, reply) -> reply.text("cleared"));
    var own = connected();

    batch(
            call("clear", own.tool("clear_graph"), "{}"),
            call("look", own.tool("degree_analysis"), "{}"),
            call("other", "echo", "{'n':1}"))
        .body("results.code", contains("APPROVAL_REQUIRED", "TOOL_DEPENDENCY_BLOCKED", null));

    assertThat(server.requests("tools/call")).isEmpty();
    own.delete();
  }
}
