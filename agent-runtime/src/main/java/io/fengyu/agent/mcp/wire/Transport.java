package io.fengyu.agent.mcp.wire;

import com.fasterxml.jackson.databind.node.ObjectNode;
import org.jspecify.annotations.Nullable;

/** One connection to one server. Used by one thread, which may be interrupted. */
interface Transport {

  /** Makes the connection, as far as there is one before the first message. */
  void connect(Deadline deadline) throws McpException, InterruptedException;

  /** Sends a request and waits for its answer. */
  ObjectNode ask(long id, ObjectNode request, Deadline deadline)
      throws McpException, InterruptedException;

  /** Sends a message that has no answer. */
  void tell(ObjectNode message, Deadline deadline) throws McpException, InterruptedException;

  /** Both sides speak this version from now on. */
  void agreed(String version);

  /** True once the server said that it has other tools now. */
  boolean toolsChanged();

  /**
   * Ends the connection without waiting, whatever is under way on it.
   *
   * @param lastWord said before if that is still possible
   * @param gone called when nothing is left of the connection
   */
  void close(@Nullable ObjectNode lastWord, Runnable gone);
}
