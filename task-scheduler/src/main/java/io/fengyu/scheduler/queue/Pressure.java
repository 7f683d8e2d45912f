package io.fengyu.scheduler.queue;

import io.fengyu.contract.db.Migrations;
import io.smallrye.mutiny.Uni;
import io.smallrye.mutiny.infrastructure.Infrastructure;
import io.vertx.mutiny.sqlclient.Pool;
import io.vertx.mutiny.sqlclient.Row;
import io.vertx.mutiny.sqlclient.RowSet;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/** What waits right now, on all replicas; asked of the database at most once a second. */
@ApplicationScoped
class Pressure {

  private static final Logger LOG = Logger.getLogger(Pressure.class);
  private static final Duration FRESH = Duration.ofSeconds(1);
  private static final Duration ANSWERED_WITHIN = Duration.ofSeconds(2);

  // The ring is as small as the owners who wait; the oldest of each of their lanes is one probe of
  // task_lane.
  private static final String READ =
      """
      SELECT p.priority, sum(p.amount)::int AS queued,
             coalesce(extract(epoch FROM clock_timestamp() - min(h.created_at)) * 1000, 0)::float8
               AS oldest_ms
        FROM scheduler.task_owner o
       CROSS JOIN LATERAL (VALUES ('interactive', o.interactive), ('normal', o.normal),
                                  ('batch', o.batch)) AS p (priority, amount)
       CROSS JOIN LATERAL (SELECT t.created_at
                             FROM scheduler.task t
                            WHERE t.status = 'queued'
                              AND t.owner = o.owner AND t.priority = p.priority
                            ORDER BY t.number
                            LIMIT 1) h
       WHERE p.amount > 0
       GROUP BY p.priority""";

  /**
   * One reading.
   *
   * @param readAt nanoseconds of this process's clock
   */
  record Reading(Map<Priority, Integer> queued, Map<Priority, Double> oldest, long readAt) {

    int queued(Priority priority) {
      return queued.getOrDefault(priority, 0);
    }

    double oldestMs(Priority priority) {
      return oldest.getOrDefault(priority, 0.0);
    }
  }

  private final Pool pool;
  private final BooleanSupplier tables;
  private final AtomicBoolean reading = new AtomicBoolean();
  private volatile @Nullable Reading last;

  @Inject
  Pressure(Pool pool, Migrations migrations) {
    this(pool, migrations::complete);
  }

  /**
   * @param tables true once there are any
   */
  Pressure(Pool pool, BooleanSupplier tables) {
    this.pool = pool;
    this.tables = tables;
  }

  /** The reading in force; a newer one is awaited where that is allowed. */
  Reading now() {
    var known = last;
    if (known != null && System.nanoTime() - known.readAt() < FRESH.toNanos()) {
      return known;
    }
    if (tables.getAsBoolean() && reading.compareAndSet(false, true)) {
      refresh();
    }
    var newest = last;
    return newest == null ? new Reading(Map.of(), Map.of(), 0) : newest;
  }

  private void refresh() {
    var asked =
        read().invoke(fresh -> last = fresh).onTermination().invoke(() -> reading.set(false));
    if (!Infrastructure.canCallerThreadBeBlocked()) {
      asked.subscribe().with(fresh -> {}, Pressure::away);
      return;
    }
    try {
      asked.await().atMost(ANSWERED_WITHIN);
    } catch (RuntimeException away) {
      away(away);
    }
  }

  private static void away(Throwable failure) {
    LOG.debugf("What waits is not known now: %s", failure);
  }

  private Uni<Reading> read() {
    return pool.preparedQuery(READ).execute().map(Pressure::reading);
  }

  private static Reading reading(RowSet<Row> rows) {
    var queued = new EnumMap<Priority, Integer>(Priority.class);
    var oldest = new EnumMap<Priority, Double>(Priority.class);
    for (var row : rows) {
      var priority = Priority.of(row.getString("priority"));
      queued.put(priority, row.getInteger("queued"));
      oldest.put(priority, row.getDouble("oldest_ms"));
    }
    return new Reading(queued, oldest, System.nanoTime());
  }
}
