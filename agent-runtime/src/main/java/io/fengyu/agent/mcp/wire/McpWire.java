package io.fengyu.agent.mcp.wire;

import io.vertx.core.Vertx;
import java.time.Duration;

/** Opens connections to servers. Each one is its own: nothing is shared, pooled or kept. */
public final class McpWire {

  private final Vertx vertx;
  private final Memory memory = new Memory();

  /** All connections opened here have one bound of memory together. */
  public McpWire(Vertx vertx) {
    this.vertx = vertx;
  }

  /**
   * Connects to a server over HTTP, on a thread that may wait.
   *
   * @param gone called once, when nothing is left of the connection, also of one that failed
   */
  public McpSession connect(HttpTarget target, Duration within, Runnable gone)
      throws McpException, InterruptedException {
    var link = new HttpLink(vertx, target.addresses());
    var share = memory.share();
    return McpSession.open(
        target.events()
            ? new LegacySse(link, target, share)
            : new StreamableHttp(link, target, share),
        within,
        gone);
  }
}
