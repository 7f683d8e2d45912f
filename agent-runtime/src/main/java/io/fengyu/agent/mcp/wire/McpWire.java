package io.fengyu.agent.mcp.wire;

import io.fengyu.agent.process.Children;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/** Opens connections to servers. Each one is its own: nothing is shared, pooled or kept. */
public final class McpWire {

  private static final int MOST_PROGRAMS = 16;

  private final Vertx vertx;
  private final Children children;
  private final Memory memory = new Memory();
  private final Semaphore programs = new Semaphore(MOST_PROGRAMS, true);

  /** All connections opened here have one bound of memory together, and one of programs. */
  public McpWire(Vertx vertx, Children children) {
    this.vertx = vertx;
    this.children = children;
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

  /**
   * Starts a program and connects to it, on a thread that may wait.
   *
   * @param gone called once, when nothing is left of the program, also of one that failed
   */
  public McpSession connect(Program program, Duration within, Runnable gone)
      throws McpException, InterruptedException {
    boolean room = false;
    try {
      room = programs.tryAcquire(within.toMillis(), TimeUnit.MILLISECONDS);
    } finally {
      if (!room) {
        gone.run();
      }
    }
    if (!room) {
      throw McpException.unreachable("Too many programs of servers are running at once");
    }
    return McpSession.open(
        new StdioTransport(children, program, memory.share()),
        within,
        () -> {
          programs.release();
          gone.run();
        });
  }
}
