package io.fengyu.agent.process;

import java.time.Duration;

/** A child with everything that came of it. */
interface Tree {

  /**
   * Asks all members to end, and kills those that are left two seconds later. Takes no interrupt.
   *
   * @param patience how long to try before giving up
   * @return true when nothing of it is left
   */
  boolean end(Duration patience);
}
