package io.fengyu.agent.mcp;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.fengyu.agent.mcp.wire.HttpTarget;
import io.fengyu.agent.mcp.wire.McpWire;
import io.fengyu.agent.process.Children;
import io.vertx.core.Vertx;
import java.net.InetSocketAddress;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;

/** The client that the protocol's conformance suite examines: calls every tool of a server once. */
final class ConformanceClient {

  private static final Duration WITHIN = Duration.ofSeconds(20);

  private ConformanceClient() {}

  public static void main(String[] args) throws Exception {
    var vertx = Vertx.vertx();
    var url = URI.create(args[args.length - 1]);
    var address = new InetSocketAddress(url.getHost(), url.getPort());
    var target = new HttpTarget(url, false, List.of(address), Map.of());
    var gone = new CountDownLatch(1);
    try (var session =
        new McpWire(vertx, new Children(WITHIN)).connect(target, WITHIN, gone::countDown)) {
      var json = JsonNodeFactory.instance;
      for (var tool : session.tools(WITHIN)) {
        session.call(
            tool.path("name").asText(),
            tool.path("inputSchema").path("properties").has("a")
                ? json.objectNode().put("a", 2).put("b", 3)
                : json.objectNode(),
            json.objectNode(),
            WITHIN);
      }
    }
    gone.await();
    vertx.close().toCompletionStage().toCompletableFuture().get();
  }
}
