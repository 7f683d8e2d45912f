package io.fengyu.agent.run;

import io.fengyu.agent.history.EarlierReceipts;
import io.fengyu.agent.history.Receipt;
import io.fengyu.contract.db.DatabaseAway;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.UUID;

/**
 * The earlier calls of one run, read from its receipts and those of its ancestors.
 *
 * @param expected true when there may be any
 */
record StoredCalls(EarlierReceipts receipts, UUID runId, boolean expected) implements EarlierCalls {

  // A database that was killed is back within that; a call that may be a repetition waits for it.
  private static final Duration PATIENCE = Duration.ofSeconds(25);
  private static final Duration LONGEST = Duration.ofSeconds(30);

  static StoredCalls of(EarlierReceipts receipts, RunWork work, boolean replanned) {
    return new StoredCalls(receipts, work.runId(), replanned || work.origin().ancestor() != null);
  }

  @Override
  public List<Receipt> with(Collection<String> hashes) {
    return DatabaseAway.outwaited(receipts.of(runId, hashes), PATIENCE).await().atMost(LONGEST);
  }
}
