package io.fengyu.agent.run;

import io.fengyu.agent.journal.Change;
import io.fengyu.agent.journal.Change.ReceiptState;
import io.fengyu.agent.tool.Effect;
import io.fengyu.agent.tool.Tool;
import java.util.List;
import java.util.UUID;

/**
 * The receipts of one call, one per attempt. A call that only reads has none.
 *
 * @param place which call of the run it is: the index of its step
 * @param argsHash of the resolved arguments, secrets included
 */
record CallReceipt(RunWork work, int place, Tool tool, String argsHash) {

  /** True when an attempt must be on record before it is made. */
  boolean needed() {
    return tool.spec().effect() != Effect.READ;
  }

  /** What has to be on disk before an attempt. */
  List<Change> intention(int attempt) {
    return needed()
        ? List.of(
            new Change.Intended(
                invocationId(attempt),
                place,
                attempt,
                tool.spec().name(),
                tool.spec().effect(),
                argsHash))
        : List.of();
  }

  /** What became of an attempt. */
  List<Change> outcome(int attempt, ReceiptState state) {
    return needed() ? List.of(new Change.Outcome(invocationId(attempt), state)) : List.of();
  }

  /**
   * The run's id with place, stage and attempt folded into its random tail: the same for the same
   * attempt, another for any other.
   */
  UUID invocationId(int attempt) {
    long tail = (place + 1L) << 24 | (work.generation() & 0xFFFFL) << 8 | attempt;
    return new UUID(
        work.runId().getMostSignificantBits(), work.runId().getLeastSignificantBits() ^ tail);
  }
}
