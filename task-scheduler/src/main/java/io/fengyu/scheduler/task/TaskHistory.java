package io.fengyu.scheduler.task;

import io.fengyu.scheduler.queue.Place;
import io.fengyu.scheduler.queue.Places;
import io.fengyu.scheduler.queue.Turns;
import io.quarkus.runtime.StartupEvent;
import io.smallrye.mutiny.Uni;
import io.vertx.core.Vertx;
import io.vertx.mutiny.sqlclient.Pool;
import io.vertx.mutiny.sqlclient.Row;
import io.vertx.mutiny.sqlclient.RowSet;
import io.vertx.mutiny.sqlclient.Tuple;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/** Finds an owner's tasks, and forgets those that ended longest ago. */
@ApplicationScoped
class TaskHistory {

  static final int KEPT = 100;

  private static final Logger LOG = Logger.getLogger(TaskHistory.class);
  private static final long TIDY_AFTER_MS = 1_000;

  private static final String COLUMNS =
      """
      id, number, priority, kind, description, status, created_at, started_at, completed_at, output,
      cancel_requested, workflow_id, run_id, error_code,
      (extract(epoch FROM coalesce(started_at, completed_at, clock_timestamp()) - created_at)
        * 1000)::bigint AS wait_ms,
      (extract(epoch FROM coalesce(completed_at, clock_timestamp()) - started_at)
        * 1000)::bigint AS run_ms
      """;

  // What is not over is as little as an owner may have queued and running (task_open); of the rest
  // the newest (task_ended).
  private static final String LIST =
      "SELECT * FROM (SELECT "
          + COLUMNS
          + " FROM scheduler.task WHERE owner = $1 AND completed_at IS NULL UNION ALL (SELECT "
          + COLUMNS
          + """
             FROM scheduler.task
            WHERE owner = $1 AND completed_at IS NOT NULL
            ORDER BY completed_at DESC, number DESC
            LIMIT $2)) AS t
           ORDER BY number DESC""";

  // Primary key.
  private static final String FIND =
      "SELECT " + COLUMNS + " FROM scheduler.task WHERE id = ANY ($2::uuid[]) AND owner = $1";

  // A range of task_ended behind the newest. The gateway comes for the ends of its deliveries
  // every second; what a flood of them pushes out waits for that.
  private static final String TIDY =
      """
      DELETE FROM scheduler.task
       WHERE id IN (SELECT t.id
                      FROM unnest($1::text[]) AS o (owner)
                     CROSS JOIN LATERAL (SELECT e.id, e.kind, e.completed_at
                                           FROM scheduler.task e
                                          WHERE e.owner = o.owner AND e.completed_at IS NOT NULL
                                          ORDER BY e.completed_at DESC, e.number DESC
                                         OFFSET $2) t
                     WHERE t.kind <> 'workflow-webhook'
                        OR t.completed_at < now() - interval '20 seconds')""";

  private final Pool pool;
  private final Places places;
  private final Turns turns;
  private final Vertx vertx;
  private final Set<String> untidy = ConcurrentHashMap.newKeySet();
  private final AtomicBoolean planned = new AtomicBoolean();

  TaskHistory(Pool pool, Places places, Turns turns, Vertx vertx) {
    this.pool = pool;
    this.places = places;
    this.turns = turns;
    this.vertx = vertx;
  }

  void start(@Observes StartupEvent started) {
    turns.onEndOf(this::ended);
  }

  /** Newest first: everything that is not over, and the newest of what is. */
  Uni<List<TaskSnapshot>> list(String owner) {
    return pool.preparedQuery(LIST)
        .execute(Tuple.of(owner, KEPT))
        .map(TaskHistory::snapshots)
        .chain(all -> placed(owner, all));
  }

  /** Those of the given ids that are the owner's, in no order. */
  Uni<List<TaskSnapshot>> find(String owner, Collection<UUID> ids) {
    return pool.preparedQuery(FIND)
        .execute(Tuple.tuple().addString(owner).addArrayOfUUID(ids.toArray(UUID[]::new)))
        .map(TaskHistory::snapshots)
        .chain(all -> placed(owner, all));
  }

  private Uni<List<TaskSnapshot>> placed(String owner, List<TaskSnapshot> all) {
    return all.stream().noneMatch(TaskSnapshot::queued)
        ? Uni.createFrom().item(all)
        : places.of(owner).map(known -> placed(known, all));
  }

  private static List<TaskSnapshot> placed(Map<UUID, Place> places, List<TaskSnapshot> all) {
    return all.stream()
        .map(task -> task.queued() ? task.at(places.get(task.taskId())) : task)
        .toList();
  }

  private static List<TaskSnapshot> snapshots(RowSet<Row> rows) {
    var all = new ArrayList<TaskSnapshot>(rows.size());
    rows.forEach(row -> all.add(snapshot(row)));
    return all;
  }

  private static TaskSnapshot snapshot(Row row) {
    return new TaskSnapshot(
        row.getUUID("id"),
        row.getString("priority"),
        row.getString("kind"),
        row.getString("description"),
        row.getString("status"),
        row.getOffsetDateTime("created_at").toInstant(),
        row.getLong("wait_ms"),
        time(row, "started_at"),
        row.getLong("run_ms"),
        time(row, "completed_at"),
        row.getString("output"),
        row.getBoolean("cancel_requested"),
        row.getString("workflow_id"),
        row.getUUID("run_id"),
        row.getString("error_code"),
        null,
        null);
  }

  private static @Nullable Instant time(Row row, String column) {
    var time = row.getOffsetDateTime(column);
    return time == null ? null : time.toInstant();
  }

  private void ended(Set<String> owners) {
    untidy.addAll(owners);
    plan();
  }

  private void plan() {
    if (!untidy.isEmpty() && planned.compareAndSet(false, true)) {
      vertx.setTimer(TIDY_AFTER_MS, now -> tidy());
    }
  }

  private void tidy() {
    var owners = List.copyOf(untidy);
    owners.forEach(untidy::remove);
    pool.preparedQuery(TIDY)
        .execute(Tuple.tuple().addArrayOfString(owners.toArray(String[]::new)).addInteger(KEPT))
        .onTermination()
        .invoke(
            () -> {
              planned.set(false);
              plan();
            })
        .subscribe()
        .with(
            done -> {},
            failure -> LOG.debugf("Old tasks are removed later: %s", failure.getMessage()));
  }
}
