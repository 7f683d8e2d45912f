package io.fengyu.agent.history;

import io.fengyu.agent.journal.RunRows;
import io.fengyu.agent.journal.StoredRun;
import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.sqlclient.Pool;
import io.vertx.mutiny.sqlclient.Row;
import io.vertx.mutiny.sqlclient.RowSet;
import io.vertx.mutiny.sqlclient.Tuple;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Finds runs of one owner. */
@ApplicationScoped
class RunQueries {

  // Free again when neither a run nor a chat turn holds the conversation; two index probes
  // (run_session_active, chat_turn), written so that the planner can't hash the whole table for a
  // long list. A run outside of any conversation answers for itself.
  private static final String CAN_SEND =
      """
      (CASE WHEN r.session_id IS NULL THEN r.completed_at IS NOT NULL AND r.terminal_persisted
            ELSE (SELECT true FROM agent.run a
                   WHERE a.owner = r.owner AND a.session_id = r.session_id
                     AND (a.completed_at IS NULL OR NOT a.terminal_persisted)
                   LIMIT 1) IS NULL
             AND (SELECT true FROM agent.chat_turn t
                   WHERE t.owner = r.owner AND t.session_id = r.session_id
                   LIMIT 1) IS NULL
       END) AS can_send""";

  private static final String ITEM =
      """
      SELECT r.id, r.session_id, r.goal,
             CASE WHEN r.goal LIKE '%{{%' THEN r.inputs END AS goal_inputs, r.status, r.summary, r.error, r.resumed_from,
             r.sandbox_profile, r.interrupted, r.cancel_status, r.execution_stopped,
             r.terminal_persisted, r.generation, r.revision, r.created_at, r.updated_at,
             r.completed_at,\s"""
          + CAN_SEND
          + " FROM agent.run r ";

  // Walks run_history from its head, or from the cursor's place in it, until the page is full.
  private static final String NEWEST =
      ITEM
          + """
            WHERE r.owner = $1
              AND (r.updated_at, r.id) < (coalesce($3::timestamptz, 'infinity'),
                                          coalesce($4::uuid,
                                                   'ffffffff-ffff-ffff-ffff-ffffffffffff'))
            ORDER BY r.updated_at DESC, r.id DESC
            LIMIT $2""";

  // The same walk; what does not match is passed over. Bounded by the owner's own history.
  private static final String MATCHING =
      ITEM
          + """
            WHERE r.owner = $1
              AND (r.updated_at, r.id) < (coalesce($3::timestamptz, 'infinity'),
                                          coalesce($4::uuid,
                                                   'ffffffff-ffff-ffff-ffff-ffffffffffff'))
              AND (r.goal ILIKE $5 OR r.summary ILIKE $5 OR r.error ILIKE $5)
            ORDER BY r.updated_at DESC, r.id DESC
            LIMIT $2""";

  private static final String PLACE =
      "SELECT updated_at FROM agent.run WHERE id = $1 AND owner = $2";

  // Index run_session.
  private static final String OF_SESSION =
      ITEM
          + """
            WHERE r.owner = $1 AND r.session_id = $2
            ORDER BY r.created_at DESC
            LIMIT $3""";

  private static final String TURN_HOLDS =
      "SELECT EXISTS (SELECT FROM agent.chat_turn WHERE owner = $1 AND session_id = $2)";

  private static final String DETAIL =
      "SELECT "
          + RunRows.COLUMNS
          + ", "
          + CAN_SEND
          + """
            , coalesce((SELECT max(seq) FROM agent.run_event e
                         WHERE e.run_id = r.id AND e.seq >= 0), -1) AS last_event_seq
             FROM agent.run r
            WHERE r.id = $1 AND r.owner = $2""";

  // A range of the primary key; what only the stream shows is passed over, and what nobody is
  // shown leaves no gap.
  private static final String AUDIT =
      """
      SELECT (row_number() OVER (ORDER BY audit_seq) - 1)::int, type, data, created_at
        FROM agent.run_event
       WHERE run_id = $1 AND audit_seq IS NOT NULL AND type NOT IN ('model_turn', 'usage')
       ORDER BY audit_seq""";

  // Index receipt_of_run.
  private static final String RECEIPTS =
      """
      SELECT invocation_id, step, attempt, tool, effect, args_hash, state, intended_at, settled_at
        FROM agent.receipt
       WHERE run_id = $1
       ORDER BY intended_at, step, attempt""";

  private final Pool pool;

  RunQueries(Pool pool) {
    this.pool = pool;
  }

  /** A run with what only its detail shows. */
  record Detail(StoredRun run, boolean canSend, long lastEventSeq) {}

  /**
   * Newest first.
   *
   * @param q literal part of goal, summary or error; null for all
   * @param after the last run of the page before; null for the first page
   */
  Uni<List<RunItem>> newest(String owner, @Nullable String q, int limit, @Nullable UUID after) {
    return after == null
        ? page(owner, q, limit, null, null)
        : place(owner, after)
            .chain(place -> place == null ? none() : page(owner, q, limit, place, after));
  }

  private static Uni<List<RunItem>> none() {
    return Uni.createFrom().item(List.of());
  }

  private Uni<@Nullable OffsetDateTime> place(String owner, UUID run) {
    return pool.preparedQuery(PLACE).execute(Tuple.of(run, owner)).map(RunQueries::time);
  }

  private static @Nullable OffsetDateTime time(RowSet<Row> rows) {
    var all = rows.iterator();
    return all.hasNext() ? all.next().getOffsetDateTime(0) : null;
  }

  private Uni<List<RunItem>> page(
      String owner,
      @Nullable String q,
      int limit,
      @Nullable OffsetDateTime before,
      @Nullable UUID after) {
    var values =
        Tuple.tuple().addString(owner).addInteger(limit).addOffsetDateTime(before).addUUID(after);
    return q == null
        ? pool.preparedQuery(NEWEST).execute(values).map(RunQueries::items)
        : pool.preparedQuery(MATCHING).execute(values.addString(pattern(q))).map(RunQueries::items);
  }

  /** Matches the text itself: its percent signs and underscores mean nothing. */
  static String pattern(String q) {
    var literal = q.replace("\\", "\\\\").replace("%", "\\%").replace("_", "\\_");
    return "%" + literal.replace("\0", "") + "%";
  }

  Uni<List<RunItem>> ofSession(String owner, String sessionId, int limit) {
    return pool.preparedQuery(OF_SESSION)
        .execute(Tuple.of(owner, sessionId, limit))
        .map(RunQueries::items);
  }

  /** True when a chat turn holds the conversation. */
  Uni<Boolean> heldByTurn(String owner, String sessionId) {
    return pool.preparedQuery(TURN_HOLDS)
        .execute(Tuple.of(owner, sessionId))
        .map(rows -> rows.iterator().next().getBoolean(0));
  }

  /** Emits null when the owner has no such run. */
  Uni<@Nullable Detail> detail(String owner, UUID runId) {
    return pool.preparedQuery(DETAIL).execute(Tuple.of(runId, owner)).map(RunQueries::detail);
  }

  private static @Nullable Detail detail(RowSet<Row> rows) {
    var all = rows.iterator();
    if (!all.hasNext()) {
      return null;
    }
    var row = all.next();
    return new Detail(RunRows.read(row), row.getBoolean("can_send"), row.getLong("last_event_seq"));
  }

  /** What the audit has of a run, in order. */
  Uni<List<AuditEvent>> audit(UUID runId) {
    return pool.preparedQuery(AUDIT).execute(Tuple.of(runId)).map(RunQueries::auditEvents);
  }

  Uni<List<Receipt>> receipts(UUID runId) {
    return pool.preparedQuery(RECEIPTS).execute(Tuple.of(runId)).map(rows -> receipts(runId, rows));
  }

  private static List<RunItem> items(RowSet<Row> rows) {
    var items = new ArrayList<RunItem>(rows.rowCount());
    rows.forEach(row -> items.add(RunItem.of(row)));
    return items;
  }

  private static List<AuditEvent> auditEvents(RowSet<Row> rows) {
    var events = new ArrayList<AuditEvent>(rows.rowCount());
    for (var row : rows) {
      events.add(
          new AuditEvent(
              row.getInteger(0),
              row.getString(1),
              row.getString(2),
              row.getOffsetDateTime(3).toInstant()));
    }
    return events;
  }

  private static List<Receipt> receipts(UUID runId, RowSet<Row> rows) {
    var receipts = new ArrayList<Receipt>(rows.rowCount());
    rows.forEach(row -> receipts.add(Receipt.of(runId, row)));
    return receipts;
  }
}
