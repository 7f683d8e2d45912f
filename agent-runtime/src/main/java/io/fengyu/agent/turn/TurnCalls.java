package io.fengyu.agent.turn;

import java.util.List;

/** What is done with the calls of a turn. Every call is told of exactly once. */
public interface TurnCalls {

  /** What a call came to. */
  enum End {
    SUCCEEDED,
    FAILED,
    /** It waits for a person. */
    PAUSED,
    /** What it began goes on somewhere else. */
    UNFINISHED
  }

  /** Makes a call, on a virtual thread of its own, and returns when it is over. */
  End make(int call);

  /**
   * A call is not made, because one that it would have waited for did not succeed.
   *
   * @param by the calls before it that did not succeed, ascending
   */
  void blocked(int call, List<Integer> by);
}
