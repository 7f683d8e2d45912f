package io.fengyu.agent.mcp.wire;

import java.util.concurrent.atomic.AtomicLong;

/** Bounds what servers can make this process hold: for one message, and for all at one time. */
final class Memory {

  static final int MESSAGE = 24 * 1024 * 1024;
  private static final long ALL = 64L * 1024 * 1024;

  private final AtomicLong held = new AtomicLong();

  /** The share of one connection. */
  Share share() {
    return new Share();
  }

  /** Used by one thread. */
  final class Share {

    private int taken;

    /** Counts more bytes of the message that is being read. */
    void take(int bytes) throws McpException {
      if (taken + bytes > MESSAGE) {
        throw McpException.lost("The server's answer is larger than " + MESSAGE + " bytes");
      }
      taken += bytes;
      if (held.addAndGet(bytes) > ALL) {
        throw McpException.lost("Too many large answers of servers are being read at once");
      }
    }

    /** The message is of no use any more. */
    void free() {
      held.addAndGet(-taken);
      taken = 0;
    }
  }
}
