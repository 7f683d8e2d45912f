package io.fengyu.agent.journal;

import io.fengyu.contract.db.Migrations;
import io.quarkus.runtime.StartupEvent;
import io.smallrye.mutiny.Uni;
import io.vertx.core.Vertx;
import io.vertx.mutiny.sqlclient.Pool;
import io.vertx.mutiny.sqlclient.Tuple;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import java.time.Duration;
import org.jboss.logging.Logger;

/** Removes fragments of old runs; what the audit tells stays until the run is deleted. */
@ApplicationScoped
class Retention {

  private static final Logger LOG = Logger.getLogger(Retention.class);
  private static final Duration RHYTHM = Duration.ofMinutes(20);
  private static final int BATCH = 50;

  // Index run_unswept, oldest first. What is removed moves the start of the window behind it, so
  // that no reader meets a hole.
  private static final String SWEEP =
      """
      WITH old AS (
        SELECT id FROM agent.run
         WHERE completed_at < now() - $1 * interval '1 millisecond' AND NOT swept
         ORDER BY completed_at
         LIMIT $2
           FOR NO KEY UPDATE SKIP LOCKED),
      gone AS (
        DELETE FROM agent.run_event e USING old
         WHERE e.run_id = old.id AND e.audit_seq IS NULL
        RETURNING e.run_id, e.seq)
      UPDATE agent.run r
         SET swept = true,
             window_start = coalesce((SELECT max(seq) + 1 FROM gone WHERE run_id = r.id),
                                     r.window_start)
        FROM old
       WHERE r.id = old.id""";

  private final Vertx vertx;
  private final Pool pool;
  private final JournalConfig config;
  private final Migrations migrations;

  Retention(Vertx vertx, Pool pool, JournalConfig config, Migrations migrations) {
    this.vertx = vertx;
    this.pool = pool;
    this.config = config;
    this.migrations = migrations;
  }

  void start(@Observes StartupEvent started) {
    vertx.setPeriodic(RHYTHM.toMillis(), tick -> sweepInBackground());
  }

  private void sweepInBackground() {
    if (migrations.complete()) {
      sweep()
          .subscribe()
          .with(
              done -> {},
              failure -> LOG.warnf("Old events are not removed: %s", failure.getMessage()));
    }
  }

  /** Goes on, a small batch at a time, until nothing is old enough. */
  Uni<Void> sweep() {
    return pool.preparedQuery(SWEEP)
        .execute(Tuple.of(config.eventRetention().toMillis(), BATCH))
        .chain(rows -> rows.rowCount() == BATCH ? sweep() : Uni.createFrom().voidItem());
  }
}
