package io.fengyu.agent.mcp;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fengyu.agent.mcp.wire.McpException;
import io.fengyu.agent.tool.Branches;
import io.fengyu.agent.tool.ToolCall;
import io.fengyu.agent.tool.ToolException;
import io.smallrye.mutiny.Uni;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import org.eclipse.microprofile.config.inject.ConfigProperty;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/** Calls tools, each call on a connection of its own that is closed when the call ends. */
@ApplicationScoped
class McpCalls {

  private static final Logger LOG = Logger.getLogger(McpCalls.class);
  private static final String AGENT = "fengyu";
  private static final long STORE_ANSWERS_WITHIN_MS = 5_000;

  private final ServerStore store;
  private final DiscoveryStore discoveries;
  private final McpConnections connections;
  private final boolean cancelEnabled;
  // Tells the connections of one call apart.
  private final AtomicLong connection = new AtomicLong();

  McpCalls(
      ServerStore store,
      DiscoveryStore discoveries,
      McpConnections connections,
      @ConfigProperty(name = "fengyu.runs.cancel-enabled") boolean cancelEnabled) {
    this.store = store;
    this.discoveries = discoveries;
    this.connections = connections;
    this.cancelEnabled = cancelEnabled;
  }

  /**
   * The result of a tool, as the server made it.
   *
   * @param args what the tool gets, on behalf of {@code call}
   * @throws ToolException when there is none; it tells whether the tool may have done its work
   */
  ObjectNode call(UUID id, String tool, ObjectNode args, ToolCall call)
      throws ToolException, InterruptedException {
    var server = now(store.find(id));
    if (server == null
        || !(McpTools.callable(server, tool) || McpTools.tellsAboutJobs(server, tool))) {
      throw new ToolException(
          "The tool '" + tool + "' is not offered any more, or not as it was accepted");
    }
    return call(server, tool, args, call);
  }

  private ObjectNode call(McpServer server, String tool, ObjectNode args, ToolCall call)
      throws ToolException, InterruptedException {
    var within = Duration.ofSeconds(server.settings().requestTimeoutSeconds());
    var identity = identity(call);
    boolean asked = false;
    try (var session =
        connections.open(server, work(server, call), identity, branch(server, call))) {
      asked = true;
      var result = session.call(tool, args, meta(server, identity), within);
      if (session.toolsChanged()) {
        lookAgain(server);
      }
      return connections.masked(server, result);
    } catch (McpException e) {
      var message = connections.masked(server, e.text());
      throw asked && e.kind() == McpException.Kind.LOST
          ? ToolException.unknown(message)
          : new ToolException(message);
    }
  }

  private static String work(McpServer server, ToolCall call) {
    return String.valueOf(call.runId() == null ? server.id() : call.runId());
  }

  private Runnable branch(McpServer server, ToolCall call) {
    var branch =
        call.branches()
            .begin(
                Branches.Kind.MCP,
                server.prefix() + ":" + call.invocationId() + ":" + connection.incrementAndGet());
    return branch::close;
  }

  /** Who calls, told by us: no argument of a tool changes it. */
  private Map<String, String> identity(ToolCall call) {
    var identity = new LinkedHashMap<String, String>();
    identity.put("X-User-ID", call.owner());
    put(identity, "X-Session-ID", call.sessionId());
    put(identity, "X-Run-ID", call.runId());
    identity.put("X-Agent-ID", AGENT);
    if (cancelEnabled) {
      identity.put("X-Execution-Generation", Integer.toString(call.generation()));
      identity.put("X-Operation-ID", call.invocationId());
    }
    return identity;
  }

  // Ids that people choose may hold what no header can.
  private static void put(Map<String, String> identity, String name, @Nullable Object value) {
    if (value != null && value.toString().chars().allMatch(c -> c >= ' ' && c < 127)) {
      identity.put(name, value.toString());
    }
  }

  /** Where there are no headers, they travel in the message. */
  private static ObjectNode meta(McpServer server, Map<String, String> identity) {
    var meta = com.fasterxml.jackson.databind.node.JsonNodeFactory.instance.objectNode();
    if (server.settings().program()) {
      identity.forEach(meta::put);
    }
    return meta;
  }

  private void lookAgain(McpServer server) {
    discoveries
        .soon(server.id())
        .subscribe()
        .with(
            done -> {},
            failure -> LOG.debugf("New tools are noticed later: %s", failure.getMessage()));
  }

  // Waiting that can be interrupted, unlike that of a Uni.
  private static <T extends @Nullable Object> T now(Uni<T> value)
      throws ToolException, InterruptedException {
    try {
      return value.subscribeAsCompletionStage().get(STORE_ANSWERS_WITHIN_MS, TimeUnit.MILLISECONDS);
    } catch (TimeoutException | ExecutionException away) {
      throw new ToolException("The configuration of the server cannot be read now");
    }
  }
}
