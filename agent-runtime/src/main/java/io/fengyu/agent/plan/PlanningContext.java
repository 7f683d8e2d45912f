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

  // A range of the primary key.
  private static final String FILES =
      "SELECT name, min(kind) FROM agent.run_grant WHERE run_id = $1 GROUP BY name ORDER BY name";

  private final Pool pool;

  PlanningContext(Pool pool) {
    this.pool = pool;
  }

  /** A run of the same conversation; what an unfinished one had to say is not told. */
  record Earlier(String goal, String status, @Nullable String summary, @Nullable String error) {}

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

  Uni<List<File>> files(UUID runId) {
    return pool.preparedQuery(FILES).execute(Tuple.of(runId)).map(PlanningContext::files);
  }

  private static List<File> files(RowSet<Row> rows) {
    var files = new ArrayList<File>(rows.rowCount());
    rows.forEach(row -> files.add(new File(row.getString(0), row.getString(1))));
    return files;
  }
}
