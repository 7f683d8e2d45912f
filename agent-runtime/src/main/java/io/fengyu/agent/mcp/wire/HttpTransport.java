package io.fengyu.agent.mcp.wire;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fengyu.agent.mcp.wire.HttpLink.Call;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What both protocols over HTTP have in common: messages are posted, and say what was agreed on.
 */
abstract class HttpTransport implements Transport {

  private static final Duration REPLY_WITHIN = Duration.ofSeconds(5);

  final HttpLink link;
  final HttpTarget target;
  final Memory.Share memory;
  final Inbox inbox = new Inbox(this::reply);
  private @Nullable String version;

  HttpTransport(HttpLink link, HttpTarget target, Memory.Share memory) {
    this.link = link;
    this.target = target;
    this.memory = memory;
  }

  /** The request that brings a message to the server. */
  abstract Call post(ObjectNode message);

  @Override
  public final void tell(ObjectNode message, Deadline deadline)
      throws McpException, InterruptedException {
    var reply = link.send(post(message), deadline);
    try {
      HttpStatus.check(reply, deadline);
    } finally {
      link.settle(reply);
    }
  }

  private void reply(ObjectNode message) throws McpException, InterruptedException {
    tell(message, Deadline.in(REPLY_WITHIN));
  }

  /** To be added to. */
  Map<String, String> headers(String accept) {
    var headers = new LinkedHashMap<>(target.headers());
    headers.put("Accept", accept);
    if (version != null) {
      headers.put("MCP-Protocol-Version", version);
    }
    return headers;
  }

  @Override
  public final void agreed(String agreedVersion) {
    version = agreedVersion;
  }

  @Override
  public final boolean toolsChanged() {
    return inbox.toolsChanged();
  }

  /** The last messages of a session; none where nothing was agreed on. */
  List<Call> farewell(@Nullable ObjectNode lastWord) {
    return lastWord == null || version == null ? List.of() : List.of(post(lastWord));
  }
}
