package io.fengyu.agent.tool.browser;

import java.util.function.Consumer;

/** Carries messages to a browser and back. */
interface Wire extends AutoCloseable {

  /**
   * Begins to hand over messages.
   *
   * @param gone told once, when no more will come
   */
  void listen(Consumer<String> message, Runnable gone);

  /** Sends a message; what can't be sent is noticed by {@code gone}. */
  void send(String message);

  /** Ends the connection, and the browser if it is ours. Blocks. */
  @Override
  void close();
}
