package io.fengyu.agent.journal;

import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.RowSet;
import java.util.HashSet;
import java.util.Set;
import java.util.UUID;

/**
 * What the database says of the runs of a batch. Unless it is good for all of them, nothing of the
 * batch is stored.
 *
 * @param held runs that this process still owns
 * @param cancelled of those, the ones whose end was asked for meanwhile
 */
record JournalVerdict(Set<UUID> held, Set<UUID> cancelled) {

  static JournalVerdict of(RowSet<Row> rows) {
    var verdict = new JournalVerdict(new HashSet<>(), new HashSet<>());
    for (var row : rows) {
      verdict.held.add(row.getUUID(0));
      if (row.getBoolean(2)) {
        verdict.cancelled.add(row.getUUID(0));
      }
    }
    return verdict;
  }

  static JournalVerdict allOf(JournalBatch batch) {
    var verdict = new JournalVerdict(new HashSet<>(), Set.of());
    batch.items().forEach(item -> verdict.held.add(item.log.runId()));
    return verdict;
  }
}
