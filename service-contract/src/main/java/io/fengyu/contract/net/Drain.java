package io.fengyu.contract.net;

/** Steps of an orderly stop, fired in this order on the thread that stops the process. */
public enum Drain {
  /** Not ready any more. Streams are closed without an end, so that clients go elsewhere. */
  BEGINS,
  /** No new work is taken from here on. */
  CLOSED,
  /** What still runs now does not finish here: whoever runs it records it as interrupted. */
  DEADLINE
}
