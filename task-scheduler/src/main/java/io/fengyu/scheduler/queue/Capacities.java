package io.fengyu.scheduler.queue;

import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.sqlclient.Pool;
import io.vertx.mutiny.sqlclient.Row;
import io.vertx.mutiny.sqlclient.Tuple;
import jakarta.enterprise.context.ApplicationScoped;

/** How full the queue is, read from the tables that all replicas share. */
@ApplicationScoped
public class Capacities {

  private static final String POLICY = "owner-round-robin-weighted-priority";

  // What runs (task_running), the ring, and for each lane of it the head (task_lane).
  private static final String READ =
      """
      WITH running AS (
        SELECT owner FROM scheduler.task WHERE status = 'running'),
      lanes AS (
        SELECT o.owner, p.priority, p.amount, h.created_at
          FROM scheduler.task_owner o
         CROSS JOIN LATERAL (VALUES ('interactive', o.interactive), ('normal', o.normal),
                                    ('batch', o.batch)) AS p (priority, amount)
          LEFT JOIN LATERAL (SELECT t.created_at
                               FROM scheduler.task t
                              WHERE t.status = 'queued'
                                AND t.owner = o.owner AND t.priority = p.priority
                              ORDER BY t.number
                              LIMIT 1) h ON true
         WHERE p.amount > 0),
      waits AS (
        SELECT owner, priority, amount,
               extract(epoch FROM clock_timestamp() - created_at) * 1000 AS ms
          FROM lanes)
      SELECT (SELECT count(*) FROM running)::int AS running,
             (SELECT count(*) FROM running WHERE owner = $1)::int AS own_running,
             (SELECT count(*) FROM (SELECT owner FROM running
                                     UNION SELECT owner FROM scheduler.task_owner) a)::int
               AS owners,
             coalesce(sum(amount) FILTER (WHERE priority = 'interactive'), 0)::int AS interactive,
             coalesce(sum(amount) FILTER (WHERE priority = 'normal'), 0)::int AS normal,
             coalesce(sum(amount) FILTER (WHERE priority = 'batch'), 0)::int AS batch,
             coalesce(sum(amount) FILTER (WHERE owner = $1 AND priority = 'interactive'), 0)::int
               AS own_interactive,
             coalesce(sum(amount) FILTER (WHERE owner = $1 AND priority = 'normal'), 0)::int
               AS own_normal,
             coalesce(sum(amount) FILTER (WHERE owner = $1 AND priority = 'batch'), 0)::int
               AS own_batch,
             coalesce(max(ms) FILTER (WHERE priority = 'interactive'), 0)::bigint
               AS oldest_interactive,
             coalesce(max(ms) FILTER (WHERE priority = 'normal'), 0)::bigint AS oldest_normal,
             coalesce(max(ms) FILTER (WHERE priority = 'batch'), 0)::bigint AS oldest_batch
        FROM waits""";

  private final Pool pool;
  private final Turns turns;

  Capacities(Pool pool, Turns turns) {
    this.pool = pool;
    this.turns = turns;
  }

  /** As the owner sees it. */
  public Uni<Capacity> of(String owner) {
    return pool.preparedQuery(READ)
        .execute(Tuple.of(owner))
        .map(rows -> capacity(rows.iterator().next(), turns.limits()));
  }

  private static Capacity capacity(Row row, QueueLimits limits) {
    int running = row.getInteger("running");
    int interactive = row.getInteger("interactive");
    int normal = row.getInteger("normal");
    int batch = row.getInteger("batch");
    int queued = interactive + normal + batch;
    int owned =
        row.getInteger("own_interactive")
            + row.getInteger("own_normal")
            + row.getInteger("own_batch");
    int available = available(limits, running, queued);
    int ownAvailable = Math.max(0, limits.owner().queued() - owned);
    long oldestInteractive = row.getLong("oldest_interactive");
    long oldestNormal = row.getLong("oldest_normal");
    long oldestBatch = row.getLong("oldest_batch");
    return new Capacity(
        running,
        queued,
        limits.running(),
        limits.all().queued(),
        available,
        row.getInteger("own_running"),
        owned,
        limits.owner().queued(),
        ownAvailable,
        ownAvailable == 0,
        limits.all().batch(),
        limits.all().nonInteractive(),
        limits.owner().batch(),
        limits.owner().nonInteractive(),
        interactive,
        normal,
        batch,
        row.getInteger("own_interactive"),
        row.getInteger("own_normal"),
        row.getInteger("own_batch"),
        row.getInteger("owners"),
        Math.max(oldestInteractive, Math.max(oldestNormal, oldestBatch)),
        oldestInteractive,
        oldestNormal,
        oldestBatch,
        available == 0 || queued >= limits.all().queued(),
        POLICY);
  }

  private static int available(QueueLimits limits, int running, int queued) {
    int all = limits.running() + limits.all().queued() - running - queued;
    int free = queued == 0 ? all : Math.min(all, limits.all().queued() - queued);
    return Math.max(0, free);
  }
}
