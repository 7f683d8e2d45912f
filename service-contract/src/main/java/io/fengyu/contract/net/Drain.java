package io.fengyu.contract.net;

/** Steps of an orderly stop, fired in this order on the thread that stops the process. */
public enum Drain {
  /** Not ready any more, but still serving, until all who send work here have noticed. */
  BEGINS,
  /**
   * No new work is taken from here on. Streams are closed without an end, so that their clients go
   * on elsewhere.
   */
  CLOSED,
  /** What still runs now does not finish here: whoever runs it records it as interrupted. */
  DEADLINE
}
