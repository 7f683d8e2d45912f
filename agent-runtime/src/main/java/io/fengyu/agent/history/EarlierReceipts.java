package io.fengyu.agent.history;

import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.sqlclient.Pool;
import io.vertx.mutiny.sqlclient.Row;
import io.vertx.mutiny.sqlclient.RowSet;
import io.vertx.mutiny.sqlclient.Tuple;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.UUID;

/** What was done before a run, by those it goes on with, and by the run itself. */
@ApplicationScoped
public class EarlierReceipts {

  // Ancestors by primary key, at most 64 of them; their receipts by receipt_of_run, and the plans
  // of the run itself by the primary key of its events. Of its own calls those count that belong
  // to an earlier plan, or whose outcome nobody knows: two equal steps of one plan are meant.
  private static final String EARLIER =
      """
      WITH RECURSIVE line AS (
        SELECT id, owner, ancestor, 0 AS depth FROM agent.run WHERE id = $1
         UNION ALL
        SELECT r.id, r.owner, r.ancestor, l.depth + 1
          FROM line l
          JOIN agent.run r ON r.id = l.ancestor AND r.owner = l.owner
         WHERE l.depth < 64)
      SELECT p.run_id, p.invocation_id, p.step, p.attempt, p.tool, p.effect, p.args_hash, p.state,
             p.intended_at, p.settled_at
        FROM line
        JOIN agent.receipt p ON p.run_id = line.id
       WHERE p.args_hash = ANY ($2)
         AND p.state IN ('done', 'unknown')
         AND (line.depth > 0 OR p.state = 'unknown'
              OR p.intended_at < (SELECT max(created_at) FROM agent.run_event
                                   WHERE run_id = $1 AND type = 'plan_ready'))
       ORDER BY p.intended_at, p.step, p.attempt
       LIMIT 1000""";

  private final Pool pool;

  EarlierReceipts(Pool pool) {
    this.pool = pool;
  }

  /** Receipts, done or unknown, of calls with such arguments, oldest first. */
  public Uni<List<Receipt>> of(UUID runId, Collection<String> hashes) {
    return pool.preparedQuery(EARLIER)
        .execute(Tuple.of(runId, hashes.toArray(String[]::new)))
        .map(EarlierReceipts::receipts);
  }

  private static List<Receipt> receipts(RowSet<Row> rows) {
    var receipts = new ArrayList<Receipt>(rows.rowCount());
    rows.forEach(row -> receipts.add(Receipt.of(row.getUUID("run_id"), row)));
    return receipts;
  }
}
