package io.fengyu.agent.approval;

import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.sqlclient.Pool;
import io.vertx.mutiny.sqlclient.Row;
import io.vertx.mutiny.sqlclient.RowSet;
import io.vertx.mutiny.sqlclient.SqlConnection;
import io.vertx.mutiny.sqlclient.Tuple;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** What opened and closed, numbered for its readers. */
@ApplicationScoped
class InboxLog {

  private static final int NUMBERED_AT_ONCE = 500;
  private static final int SWEPT_AT_ONCE = 500;

  // Index approval_event_unread; a page at a time.
  private static final String UNREAD =
      "SELECT FROM agent.approval_event WHERE owner = $1 AND position IS NULL LIMIT 1";

  private static final String LOCK =
      """
      INSERT INTO agent.approval_cursor AS c (owner, last) VALUES ($1, 0)
      ON CONFLICT (owner) DO UPDATE SET last = c.last
      RETURNING last""";

  // Under that lock. A closing is committed after its opening and has the higher id.
  private static final String NUMBER =
      """
      WITH fresh AS (
        SELECT id, row_number() OVER (ORDER BY id) AS n
          FROM (SELECT id FROM agent.approval_event
                 WHERE owner = $1 AND position IS NULL
                 ORDER BY id
                 LIMIT $3) unread),
      numbered AS (
        UPDATE agent.approval_event e SET position = $2 + f.n FROM fresh f WHERE e.id = f.id
        RETURNING e.position)
      UPDATE agent.approval_cursor
         SET last = $2 + (SELECT count(*) FROM numbered)
       WHERE owner = $1""";

  private static final String BOUNDS =
      "SELECT last, swept FROM agent.approval_cursor WHERE owner = $1";

  // Index approval_event_position.
  private static final String AFTER =
      """
      SELECT position, source, subject, gate_id, type, outcome, at
        FROM agent.approval_event
       WHERE owner = $1 AND position > $2
       ORDER BY position
       LIMIT $3""";

  // Two probes for each owner that is watched here.
  private static final String NEWS =
      """
      SELECT w.owner,
             EXISTS (SELECT FROM agent.approval_event e
                      WHERE e.owner = w.owner AND e.position IS NULL) AS unread,
             coalesce((SELECT c.last FROM agent.approval_cursor c WHERE c.owner = w.owner), 0)
               AS last
        FROM unnest($1::text[]) AS w (owner)""";

  // Index approval_event_age. What goes without ever having been numbered leaves a hole on
  // purpose, so that an old cursor is seen to be too old.
  private static final String SWEEP =
      """
      WITH gone AS (
        DELETE FROM agent.approval_event
         WHERE id IN (SELECT id FROM agent.approval_event
                       WHERE at < now() - interval '7 days'
                       ORDER BY at
                       LIMIT $1
                         FOR UPDATE SKIP LOCKED)
        RETURNING owner, position),
      noted AS (
        UPDATE agent.approval_cursor c
           SET last = c.last + CASE WHEN g.unread THEN 1 ELSE 0 END,
               swept = CASE WHEN g.unread THEN c.last + 1 ELSE greatest(c.swept, g.highest) END
          FROM (SELECT owner, bool_or(position IS NULL) AS unread, max(position) AS highest
                  FROM gone
                 GROUP BY owner) g
         WHERE c.owner = g.owner)
      SELECT count(*)::int FROM gone""";

  private final Pool pool;

  InboxLog(Pool pool) {
    this.pool = pool;
  }

  /**
   * Which positions there are.
   *
   * @param last the newest
   * @param swept up to this one they may be gone
   */
  record Bounds(long last, long swept) {

    boolean holds(long cursor) {
      return cursor >= swept && cursor <= last;
    }
  }

  /** Numbers what is new, and tells what there is. */
  Uni<Bounds> bounds(String owner) {
    return number(owner)
        .chain(() -> pool.preparedQuery(BOUNDS).execute(Tuple.of(owner)))
        .map(InboxLog::bounds);
  }

  private static Bounds bounds(RowSet<Row> rows) {
    for (var row : rows) {
      return new Bounds(row.getLong("last"), row.getLong("swept"));
    }
    return new Bounds(0, 0);
  }

  /** What came after a position, in order; numbers what is new before. */
  Uni<List<InboxEvent>> after(String owner, long position, int limit) {
    return number(owner)
        .chain(() -> pool.preparedQuery(AFTER).execute(Tuple.of(owner, position, limit)))
        .map(InboxLog::events);
  }

  private static List<InboxEvent> events(RowSet<Row> rows) {
    var events = new ArrayList<InboxEvent>(rows.size());
    for (var row : rows) {
      events.add(
          new InboxEvent(
              row.getLong("position"),
              row.getString("source"),
              row.getString("subject"),
              row.getString("gate_id"),
              row.getString("type"),
              row.getString("outcome"),
              row.getOffsetDateTime("at").toInstant()));
    }
    return events;
  }

  private Uni<Void> number(String owner) {
    return pool.preparedQuery(UNREAD)
        .execute(Tuple.of(owner))
        .chain(
            rows ->
                rows.rowCount() == 0
                    ? Uni.createFrom().voidItem()
                    : pool.withTransaction(connection -> number(connection, owner)));
  }

  private static Uni<Void> number(SqlConnection connection, String owner) {
    return connection
        .preparedQuery(LOCK)
        .execute(Tuple.of(owner))
        .map(rows -> rows.iterator().next().getLong("last"))
        .chain(
            last ->
                connection.preparedQuery(NUMBER).execute(Tuple.of(owner, last, NUMBERED_AT_ONCE)))
        .replaceWithVoid();
  }

  /** The newest position of each owner; one more where something is not numbered yet. */
  Uni<Map<String, Long>> newest(Set<String> owners) {
    return pool.preparedQuery(NEWS)
        .execute(Tuple.tuple().addArrayOfString(owners.toArray(String[]::new)))
        .map(
            rows -> {
              var newest = new HashMap<String, Long>();
              for (var row : rows) {
                var last = row.getLong("last");
                newest.put(row.getString("owner"), row.getBoolean("unread") ? last + 1 : last);
              }
              return newest;
            });
  }

  /** Removes what is older than a week, a small batch at a time. */
  Uni<Void> sweep() {
    return pool.preparedQuery(SWEEP)
        .execute(Tuple.of(SWEPT_AT_ONCE))
        .map(rows -> rows.iterator().next().getInteger(0))
        .chain(gone -> gone == SWEPT_AT_ONCE ? sweep() : Uni.createFrom().voidItem());
  }
}
