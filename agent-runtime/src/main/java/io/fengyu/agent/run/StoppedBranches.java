package io.fengyu.agent.run;

import io.fengyu.agent.run.RunBranches.Seen;
import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.sqlclient.Pool;
import io.vertx.mutiny.sqlclient.Row;
import io.vertx.mutiny.sqlclient.RowSet;
import io.vertx.mutiny.sqlclient.Tuple;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * Writes down what was at work in a run when its end was asked for, and when it ended, so that any
 * replica can tell. Runs that nobody stops cost nothing.
 */
@ApplicationScoped
class StoppedBranches {

  private static final Logger LOG = Logger.getLogger(StoppedBranches.class);
  private static final Duration STORE_ANSWERS_WITHIN = Duration.ofSeconds(10);

  private static final String WRITE =
      """
      INSERT INTO agent.run_branch (run_id, kind, id, started_at, ended_at)
      SELECT $1, b.* FROM unnest($2::text[], $3::text[], $4::timestamptz[], $5::timestamptz[]) b
          ON CONFLICT (run_id, started_at, kind, id) DO UPDATE SET ended_at = EXCLUDED.ended_at""";

  // A range of the primary key.
  private static final String READ =
      """
      SELECT kind, id, started_at, ended_at FROM agent.run_branch
       WHERE run_id = $1 ORDER BY started_at, kind, id""";

  private final Pool pool;

  StoppedBranches(Pool pool) {
    this.pool = pool;
  }

  /** A branch that is written down. */
  record Written(String kind, String id, Instant startedAt, @Nullable Instant endedAt) {}

  /** Writes down what is at work now and follows it to its end. Returns at once. */
  void follow(UUID runId, RunBranches branches) {
    if (branches.watch()) {
      var first = branches.moment();
      Thread.ofVirtual().name("branches-of-" + runId).start(() -> follow(runId, branches, first));
    }
  }

  private void follow(UUID runId, RunBranches branches, RunBranches.Moment first) {
    var moment = first;
    write(runId, moment.branches());
    while (branches.awaitAfter(moment)) {
      moment = branches.moment();
      write(runId, moment.branches());
    }
  }

  // What is missing is derived from the end of the run, which comes after all of them.
  private void write(UUID runId, List<Seen> branches) {
    if (branches.isEmpty()) {
      return;
    }
    try {
      pool.preparedQuery(WRITE)
          .execute(tuple(runId, branches))
          .await()
          .atMost(STORE_ANSWERS_WITHIN);
    } catch (RuntimeException away) {
      LOG.warnf("The branches of run %s are not stored: %s", runId, away.getMessage());
    }
  }

  private static Tuple tuple(UUID runId, List<Seen> all) {
    return Tuple.tuple()
        .addUUID(runId)
        .addArrayOfString(all.stream().map(b -> b.kind().wire()).toArray(String[]::new))
        .addArrayOfString(all.stream().map(Seen::id).toArray(String[]::new))
        .addArrayOfOffsetDateTime(
            all.stream().map(b -> utc(b.startedAt())).toArray(OffsetDateTime[]::new))
        .addArrayOfOffsetDateTime(
            all.stream().map(b -> utc(b.endedAt())).toArray(OffsetDateTime[]::new));
  }

  private static @Nullable OffsetDateTime utc(@Nullable Instant at) {
    return at == null ? null : at.atOffset(ZoneOffset.UTC);
  }

  /** Those of a run, oldest first. */
  Uni<List<Written>> of(UUID runId) {
    return pool.preparedQuery(READ).execute(Tuple.of(runId)).map(StoppedBranches::read);
  }

  private static List<Written> read(RowSet<Row> rows) {
    var all = new ArrayList<Written>();
    for (var row : rows) {
      var end = row.getOffsetDateTime("ended_at");
      all.add(
          new Written(
              row.getString("kind"),
              row.getString("id"),
              row.getOffsetDateTime("started_at").toInstant(),
              end == null ? null : end.toInstant()));
    }
    return all;
  }
}
