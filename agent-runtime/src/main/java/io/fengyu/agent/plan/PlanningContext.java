package io.fengyu.agent.plan;

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

/** What a planner should know besides the goal. */
@ApplicationScoped
class PlanningContext {

  // Index run_session, newest first.
  private static final String EARLIER =
      """
      SELECT left(goal, 500), status, left(summary, 1000), left(error, 500)
        FROM agent.run
       WHERE owner = $1 AND session_id = $2 AND id <> $3
       ORDER BY created_at DESC
       LIMIT 20""";

  // The newest run of the conversation (run_session), if it did not come to its own end, and what
  // its tools confirmed: a range of the primary key of its events. A text that no column of a
  // document can give back is left out.
  private static final String CONFIRMED =
      """
      WITH last AS (
        SELECT id, status, interrupted FROM agent.run
         WHERE owner = $1 AND session_id = $2 AND id <> $3
         ORDER BY created_at DESC
         LIMIT 1)
      SELECT coalesce(told ->> 'toolName', told ->> 'name', 'tool'),
             left(coalesce(told ->> 'result', told ->> 'output'), 2001)
        FROM last
        JOIN agent.run_event e ON e.run_id = last.id AND e.audit_seq IS NOT NULL
       CROSS JOIN LATERAL (
         SELECT CASE WHEN position('\\u0000' IN e.data) = 0 THEN e.data::json END AS told) d
       WHERE (last.interrupted OR last.status = 'CANCELLED')
         AND e.type IN ('step_complete', 'tool')
         AND (e.type = 'step_complete' OR told ->> 'success' = 'true')
       ORDER BY e.audit_seq DESC
       LIMIT 20""";

  // A range of the primary key.
  private static final String FILES =
      "SELECT name, min(kind) FROM agent.run_grant WHERE run_id = $1 GROUP BY name ORDER BY name";

  private final Pool pool;

  PlanningContext(Pool pool) {
    this.pool = pool;
  }

  /** A run of the same conversation; what an unfinished one had to say is not told. */
  record Earlier(String goal, String status, @Nullable String summary, @Nullable String error) {}

  /** What a tool of an interrupted run said, its beginning at least. */
  record Confirmed(String tool, String text) {}

  /** Something that was granted to the run under a name. */
  record File(String name, String kind) {}

  /** The last runs of a conversation, oldest first. */
  Uni<List<Earlier>> earlier(String owner, @Nullable String session, UUID but) {
    return session == null
        ? Uni.createFrom().item(List.of())
        : pool.preparedQuery(EARLIER)
            .execute(Tuple.of(owner, session, but))
            .map(PlanningContext::earlier);
  }

  private static List<Earlier> earlier(RowSet<Row> rows) {
    var runs = new ArrayList<Earlier>(rows.rowCount());
    for (var row : rows) {
      runs.add(new Earlier(row.getString(0), row.getString(1), row.getString(2), row.getString(3)));
    }
    return runs.reversed();
  }

  /** What the run just before confirmed, oldest first, if it was interrupted. */
  Uni<List<Confirmed>> confirmed(String owner, @Nullable String session, UUID but) {
    return session == null
        ? Uni.createFrom().item(List.of())
        : pool.preparedQuery(CONFIRMED)
            .execute(Tuple.of(owner, session, but))
            .map(PlanningContext::confirmed);
  }

  private static List<Confirmed> confirmed(RowSet<Row> rows) {
    var results = new ArrayList<Confirmed>(rows.rowCount());
    for (var row : rows) {
      var text = row.getString(1);
      if (text != null) {
        results.add(new Confirmed(row.getString(0), text));
      }
    }
    return results.reversed();
  }

  Uni<List<File>> files(UUID runId) {
    return pool.preparedQuery(FILES).execute(Tuple.of(runId)).map(PlanningContext::files);
  }

  private static List<File> files(RowSet<Row> rows) {
    var files = new ArrayList<File>(rows.rowCount());
    rows.forEach(row -> files.add(new File(row.getString(0), row.getString(1))));
    return files;
  }
}
