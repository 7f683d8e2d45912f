package io.fengyu.agent.journal;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.smallrye.mutiny.Multi;
import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.sqlclient.Pool;
import io.vertx.mutiny.sqlclient.Row;
import io.vertx.mutiny.sqlclient.RowSet;
import io.vertx.mutiny.sqlclient.Tuple;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.jboss.logging.Logger;

/**
 * Ends the runs that an executor left behind. Nothing of them is repeated: calls whose outcome
 * nobody knows are marked so, and the run is shown as interrupted.
 */
final class Reconciler {

  private static final Logger LOG = Logger.getLogger(Reconciler.class);

  private static final String RESTARTED =
      "The run was interrupted by a restart of the agent runtime; nothing is repeated by itself";

  private static final String UNWRITABLE =
      "The run was interrupted: one of its events cannot be stored, which no restart will change";

  // One row per process.
  private static final String EXECUTORS =
      """
      SELECT id, lease_until < now() OR address = $2 AS dead FROM agent.executor WHERE id <> $1""";

  // Index run_executed.
  private static final String RUNS = "SELECT id FROM agent.run WHERE executor = $1";

  // Every batch of the journal locks this row too: one that is under way makes us pass over it
  // until next time, and after this statement every further batch of that executor is refused.
  private static final String DEAD =
      """
      WITH dead AS (
        DELETE FROM agent.executor
         WHERE id = (SELECT id FROM agent.executor
                      WHERE id = $1 AND ($2 OR lease_until < now() OR address = $3)
                        FOR UPDATE SKIP LOCKED)
        RETURNING id, NULL::uuid AS run_id),
      """;

  private static final String ONE_RUN =
      """
      WITH dead AS (
        SELECT id, $2::uuid AS run_id FROM agent.executor WHERE id = $1 AND $3 <> '' FOR UPDATE),
      """;

  // All in one statement. Runs by run_executed, events by primary key, receipts by receipt_of_run.
  private static final String CUT =
      """
      cut AS (
        SELECT r.id, s.next_seq, a.next_audit
          FROM agent.run r
          JOIN dead ON dead.id = r.executor AND coalesce(dead.run_id, r.id) = r.id
         CROSS JOIN LATERAL (SELECT coalesce(max(seq), -1) + 1 AS next_seq FROM agent.run_event
                              WHERE run_id = r.id AND seq >= 0) s
         CROSS JOIN LATERAL (SELECT coalesce(max(audit_seq), -1) + 1 AS next_audit
                               FROM agent.run_event WHERE run_id = r.id) a
           FOR NO KEY UPDATE OF r),
      events AS (
        INSERT INTO agent.run_event (run_id, seq, audit_seq, type, data, created_at)
        SELECT id, -1 - next_audit, next_audit, 'interrupted', '{}', now() FROM cut
         UNION ALL
        SELECT id, next_seq, next_audit + 1, 'error', $4, now() FROM cut),
      receipts AS (
        UPDATE agent.receipt p SET state = 'unknown', settled_at = now()
          FROM cut
         WHERE p.run_id = cut.id AND p.state = 'intended'),
      announced AS (
        SELECT count(pg_notify('agent_run', id::text)) AS runs FROM cut)
      UPDATE agent.run r
         SET status = 'FAILED', interrupted = true, error = $5, summary = NULL, executor = NULL,
             gate_id = NULL, pending_gate = NULL, execution_stopped = true,
             terminal_persisted = false, completed_at = now(), updated_at = now(),
             revision = r.revision + 1, next_seq = cut.next_seq + 1, next_audit = cut.next_audit + 2
        FROM cut, announced
       WHERE r.id = cut.id
      RETURNING r.id""";

  private static final String INTERRUPT = DEAD + CUT;
  private static final String INTERRUPT_ONE = ONE_RUN + CUT;

  // Ends whose writer died before he could compare; the stored last event proves them. Index
  // run_unconfirmed. A living writer compares within milliseconds and keeps trying.
  private static final String CONFIRM =
      """
      UPDATE agent.run r
         SET terminal_persisted = true,
             cancel_status = CASE WHEN r.cancel_status <> 'none' THEN 'confirmed'
                                  ELSE r.cancel_status END
       WHERE r.completed_at IS NOT NULL AND NOT r.terminal_persisted
         AND (r.id = ANY ($1) OR r.completed_at < now() - interval '30 seconds')
         AND EXISTS (SELECT FROM agent.run_event e
                      WHERE e.run_id = r.id AND e.type IN ('complete', 'error')
                        AND e.seq = (SELECT max(seq) FROM agent.run_event m
                                      WHERE m.run_id = r.id))
      RETURNING r.id""";

  private final Pool pool;
  private final LiveRuns live;
  private final String address;
  private final LeftBehind leftBehind;

  Reconciler(Pool pool, LiveRuns live, String address, LeftBehind leftBehind) {
    this.pool = pool;
    this.live = live;
    this.address = address;
    this.leftBehind = leftBehind;
  }

  /**
   * Interrupts what dead executors left: those whose lease is over, and those that listened where
   * this process does.
   *
   * @param own the name of this process
   * @return true while there were others, which may die later
   */
  Uni<Boolean> deadExecutors(UUID own) {
    return pool.preparedQuery(EXECUTORS).execute(Tuple.of(own, address)).chain(this::each);
  }

  private Uni<Boolean> each(RowSet<Row> executors) {
    var dead = new ArrayList<UUID>();
    executors.forEach(row -> addIfDead(dead, row));
    return Multi.createFrom()
        .iterable(dead)
        .onItem()
        .transformToUniAndConcatenate(executor -> interrupt(executor, false))
        .collect()
        .in(ArrayList<UUID>::new, List::addAll)
        .chain(this::confirm)
        .replaceWith(executors.rowCount() > 0);
  }

  private static void addIfDead(List<UUID> dead, Row executor) {
    if (executor.getBoolean("dead")) {
      dead.add(executor.getUUID("id"));
    }
  }

  /** Interrupts the runs of a name under which this very process does nothing any more. */
  Uni<Void> givenUp(UUID executor) {
    return interrupt(executor, true).chain(this::confirm);
  }

  /** Interrupts a single run that this process executes. */
  Uni<Void> unwritable(UUID executor, UUID runId) {
    return leftBehind.end(List.of(runId)).chain(gone -> cutOne(executor, runId, gone));
  }

  private Uni<Void> cutOne(UUID executor, UUID runId, boolean gone) {
    if (!gone) {
      return Uni.createFrom().failure(new IllegalStateException("something still works for it"));
    }
    return pool.preparedQuery(INTERRUPT_ONE)
        .execute(Tuple.of(executor, runId, address, frame(UNWRITABLE), UNWRITABLE))
        .map(Reconciler::ids)
        .chain(this::confirm);
  }

  /** What works for its runs outside of any process of ours ends first. */
  private Uni<List<UUID>> interrupt(UUID executor, boolean givenUp) {
    return pool.preparedQuery(RUNS)
        .execute(Tuple.of(executor))
        .map(Reconciler::ids)
        .chain(leftBehind::end)
        .chain(gone -> gone ? cut(executor, givenUp) : later(executor));
  }

  private static Uni<List<UUID>> later(UUID executor) {
    LOG.errorf("What executor %s started cannot be ended yet; its runs stay as they are", executor);
    return Uni.createFrom().item(List.of());
  }

  private Uni<List<UUID>> cut(UUID executor, boolean givenUp) {
    return pool.preparedQuery(INTERRUPT)
        .execute(Tuple.of(executor, givenUp, address, frame(RESTARTED), RESTARTED))
        .map(Reconciler::ids)
        .invoke(runs -> interrupted(executor, runs));
  }

  private static String frame(String message) {
    return JsonNodeFactory.instance
        .objectNode()
        .put("message", message)
        .put("code", "INTERRUPTED")
        .put("status", RunStatus.FAILED.name())
        .toString();
  }

  private static void interrupted(UUID executor, List<UUID> runs) {
    if (!runs.isEmpty()) {
      LOG.warnf("%d runs of executor %s are interrupted", runs.size(), executor);
    }
  }

  /** Ends that are stored but not yet known to be. */
  Uni<Void> confirm(List<UUID> interrupted) {
    return pool.preparedQuery(CONFIRM)
        .execute(Tuple.tuple().addArrayOfUUID(interrupted.toArray(UUID[]::new)))
        .invoke(rows -> interrupted.forEach(live::wake))
        .replaceWithVoid();
  }

  private static List<UUID> ids(RowSet<Row> rows) {
    var ids = new ArrayList<UUID>(rows.rowCount());
    rows.forEach(row -> ids.add(row.getUUID(0)));
    return ids;
  }
}
