package io.fengyu.agent.tool.excel;

import java.io.IOException;

/** Asked often by long work, whether it is to end. */
interface Stop {

  /** Never ends the work. */
  Stop NEVER = () -> {};

  /** Fails with {@link Stopped} once the work is to end. */
  void check() throws IOException;

  /** The work was ended from outside. */
  final class Stopped extends IOException {

    private static final long serialVersionUID = 1L;

    Stopped() {
      super("cancelled");
    }
  }
}
