package io.fengyu.agent.mcp.wire;

import org.jspecify.annotations.Nullable;

/** Bytes in the order they come, fetched only as fast as they are used. */
interface Bytes {

  /**
   * The next piece; null at the end.
   *
   * @throws McpException when they broke off, or none came in time
   */
  byte @Nullable [] next(Deadline deadline) throws McpException, InterruptedException;
}
