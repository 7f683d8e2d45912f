package io.fengyu.agent.journal;

import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.sqlclient.Pool;
import io.vertx.mutiny.sqlclient.Row;
import io.vertx.mutiny.sqlclient.RowSet;
import io.vertx.mutiny.sqlclient.Tuple;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Reads streamed events back from the table, page by page. */
@ApplicationScoped
public class EventPages {

  /** Bytes of event data in one page, unless a single event is larger. */
  public static final int PAGE_BYTES = 256 * 1024;

  // A range of the primary key. The size of a long text is known without reading it, so a page
  // stays small even where single results are large.
  private static final String PAGE =
      """
      SELECT seq, type, data, created_at
        FROM (SELECT p.*, sum(octet_length(p.data)) OVER (ORDER BY p.seq)
                            - octet_length(p.data) AS before
                FROM (SELECT seq, type, data, created_at
                        FROM agent.run_event
                       WHERE run_id = $1 AND seq > $2
                       ORDER BY seq
                       LIMIT $3) p) page
       WHERE before < $4
       ORDER BY seq""";

  // Three probes of the primary key. The end that is written for a dead executor has the number
  // after what was stored; when text was streaming, a client may have seen a fragment of that
  // number.
  private static final String WINDOW =
      """
      SELECT r.window_start, r.completed_at IS NOT NULL AS ended,
             coalesce((SELECT max(seq) FROM agent.run_event e
                        WHERE e.run_id = r.id AND e.seq >= 0), -1) AS last_seq,
             r.interrupted
               AND coalesce((SELECT e.type IN ('plan_tokens', 'tokens', 'thinkings', 'step_failed', 'tool')
                               FROM agent.run_event e
                              WHERE e.run_id = r.id AND e.seq >= 0
                              ORDER BY e.seq DESC OFFSET 1 LIMIT 1), true) AS torn
        FROM agent.run r
       WHERE r.id = $1 AND r.owner = $2""";

  /**
   * Which events of a run can be read.
   *
   * @param start the first one that is kept
   * @param last the newest one; -1 when there is none
   * @param ended true when nothing more will come
   * @param torn true when the last number may stand for a fragment that was shown and never stored
   */
  public record Window(long start, long last, boolean ended, boolean torn) {

    /** True when the stream can go on after {@code cursor} without a hole. */
    public boolean holds(long cursor) {
      return cursor >= start - 1 && (torn ? cursor < last : cursor <= last);
    }
  }

  private final Pool pool;

  EventPages(Pool pool) {
    this.pool = pool;
  }

  /** What follows {@code cursor}: at most {@code limit} events, and about {@link #PAGE_BYTES}. */
  public Uni<List<StoredEvent>> after(UUID runId, long cursor, int limit) {
    return pool.preparedQuery(PAGE)
        .execute(Tuple.of(runId, Math.max(cursor, -1), limit, (long) PAGE_BYTES))
        .map(rows -> TextPiece.expanded(events(rows), cursor, limit));
  }

  /** Emits null when the owner has no such run. */
  public Uni<@Nullable Window> window(String owner, UUID runId) {
    return pool.preparedQuery(WINDOW).execute(Tuple.of(runId, owner)).map(EventPages::window);
  }

  private static @Nullable Window window(RowSet<Row> rows) {
    var all = rows.iterator();
    if (!all.hasNext()) {
      return null;
    }
    var row = all.next();
    return new Window(
        row.getLong("window_start"),
        row.getLong("last_seq"),
        row.getBoolean("ended"),
        row.getBoolean("torn"));
  }

  static List<StoredEvent> events(RowSet<Row> rows) {
    var events = new ArrayList<StoredEvent>(rows.rowCount());
    for (var row : rows) {
      events.add(
          new StoredEvent(
              row.getLong(0),
              row.getString(1),
              row.getString(2),
              RunRows.instant(row.getOffsetDateTime(3))));
    }
    return events;
  }
}
