package io.fengyu.agent.mcp.wire;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * A connection after both sides have introduced themselves. Used by one thread; interrupting it
 * ends the waiting, and {@link #close} everything else.
 */
public final class McpSession implements AutoCloseable {

  private static final String NEWEST = "2025-11-25";
  private static final Set<String> VERSIONS =
      Set.of(NEWEST, "2025-06-18", "2025-03-26", "2024-11-05");
  private static final int MOST_PAGES = 100;
  private static final int MOST_TOOLS = 1000;

  private final Transport transport;
  private final Runnable gone;
  private final AtomicBoolean closed = new AtomicBoolean();
  private long lastId;
  private @Nullable Long unanswered;

  private McpSession(Transport transport, Runnable gone) {
    this.transport = transport;
    this.gone = gone;
  }

  /** Introduces both sides to each other; the transport is closed again when that fails. */
  static McpSession open(Transport transport, Duration within, Runnable gone)
      throws McpException, InterruptedException {
    var session = new McpSession(transport, gone);
    boolean open = false;
    try {
      session.introduce(Deadline.in(within));
      open = true;
      return session;
    } finally {
      if (!open) {
        session.close();
      }
    }
  }

  private void introduce(Deadline deadline) throws McpException, InterruptedException {
    transport.connect(deadline);
    var params = Messages.object().put("protocolVersion", NEWEST);
    params.putObject("capabilities");
    params.putObject("clientInfo").put("name", "FengYu").put("version", "1");
    var version = ask("initialize", params, deadline).path("protocolVersion").asText();
    if (!VERSIONS.contains(version)) {
      throw McpException.refused("The server speaks another version of the protocol");
    }
    transport.agreed(version);
    transport.tell(Messages.notification("notifications/initialized"), deadline);
  }

  /** Everything the server offers, as it declares it. */
  public List<ObjectNode> tools(Duration within) throws McpException, InterruptedException {
    var deadline = Deadline.in(within);
    var tools = new ArrayList<ObjectNode>();
    var cursors = new HashSet<String>();
    var params = Messages.object();
    while (cursors.size() < MOST_PAGES) {
      var page = ask("tools/list", params, deadline);
      collect(page, tools);
      var cursor = page.path("nextCursor").asText();
      if (cursor.isEmpty() || page.path("nextCursor").isNull()) {
        return tools;
      }
      if (!cursors.add(cursor)) {
        throw McpException.refused("The server lists its tools in a circle");
      }
      params = Messages.object().put("cursor", cursor);
    }
    throw McpException.refused("The server lists its tools without end");
  }

  private static void collect(ObjectNode page, List<ObjectNode> tools) throws McpException {
    if (!page.path("tools").isArray()) {
      throw McpException.refused("The server answered with something that is no list of tools");
    }
    for (var tool : page.path("tools")) {
      if (tool instanceof ObjectNode object && object.path("name").isTextual()) {
        tools.add(object);
      }
    }
    if (tools.size() > MOST_TOOLS) {
      throw McpException.refused("The server offers more than " + MOST_TOOLS + " tools");
    }
  }

  /**
   * Calls a tool and gives its result as the server made it.
   *
   * @param meta sent beside the arguments; empty for none
   */
  public ObjectNode call(String tool, ObjectNode arguments, ObjectNode meta, Duration within)
      throws McpException, InterruptedException {
    var params = Messages.object().put("name", tool);
    params.set("arguments", arguments);
    if (!meta.isEmpty()) {
      params.set("_meta", meta);
    }
    return ask("tools/call", params, Deadline.in(within));
  }

  private ObjectNode ask(String method, ObjectNode params, Deadline deadline)
      throws McpException, InterruptedException {
    long id = ++lastId;
    unanswered = id;
    var answer = transport.ask(id, Messages.request(id, method, params), deadline);
    unanswered = null;
    if (answer.get("result") instanceof ObjectNode result) {
      return result;
    }
    var error = answer.path("error");
    if (!error.isObject()) {
      throw McpException.lost("The server answered with something that is no answer");
    }
    var message = error.path("message").asText();
    throw McpException.refused(message.isBlank() ? "The server refused the request" : message);
  }

  /** True once the server said that it has other tools now. */
  public boolean toolsChanged() {
    return transport.toolsChanged();
  }

  /** Closes the connection without waiting. A request that was not answered is called off. */
  @Override
  public void close() {
    if (closed.compareAndSet(false, true)) {
      var open = unanswered;
      transport.close(open == null || open == 1 ? null : Messages.cancelled(open), gone);
    }
  }
}
