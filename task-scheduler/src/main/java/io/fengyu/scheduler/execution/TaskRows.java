package io.fengyu.scheduler.execution;

import io.fengyu.contract.instance.Instances;
import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.sqlclient.Pool;
import io.vertx.mutiny.sqlclient.Row;
import io.vertx.mutiny.sqlclient.RowSet;
import io.vertx.mutiny.sqlclient.SqlConnection;
import io.vertx.mutiny.sqlclient.Tuple;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.UUID;
import org.eclipse.microprofile.config.inject.ConfigProperty;

/** The rows of tasks that run, and of those that nobody runs any more. */
@ApplicationScoped
class TaskRows {

  private static final String SERVICE_IS_ALIVE =
      " AND i.heartbeat_at > now() - $2::float8 * interval '1 millisecond'";

  // Primary key.
  private static final String RUN =
      """
      UPDATE scheduler.task SET run_id = $3
       WHERE id = $1 AND executor = $2 AND status = 'running'""";

  // As small as what runs here: task_running.
  private static final String KILLED =
      """
      SELECT id FROM scheduler.task
       WHERE executor = $1 AND status = 'running' AND cancel_requested""";

  // The same lock as the queue's turns.
  private static final String LOCK = "SELECT pg_advisory_xact_lock(7305128412)";

  // A process at the address of this one is its predecessor, and dead: the port is ours.
  private static final String BURY =
      """
      DELETE FROM platform.instances i
       USING platform.instances me
       WHERE me.id = $1 AND i.service = me.service AND i.address = me.address AND i.id <> me.id""";

  private static final String JOIN =
      """
      WITH dead AS (
        DELETE FROM scheduler.task_replica r
         WHERE r.instance <> $1
           AND NOT EXISTS (SELECT FROM platform.instances i
                            WHERE i.id = r.instance"""
          + SERVICE_IS_ALIVE
          + """
          )),
      joined AS (
        INSERT INTO scheduler.task_replica (instance) VALUES ($1) ON CONFLICT DO NOTHING)
      SELECT EXISTS (SELECT FROM scheduler.task_replica r
                       JOIN platform.instances i ON i.id = r.instance
                      WHERE r.instance <> $1"""
          + SERVICE_IS_ALIVE
          + ") AS peers";

  private static final String LEAVE = "DELETE FROM scheduler.task_replica WHERE instance = $1";

  // Whatever the service left: it was down.
  private static final String FAIL_ALL =
      """
      WITH failed AS (
        UPDATE scheduler.task
           SET status = CASE WHEN cancel_requested THEN 'cancelled' ELSE 'failed' END,
               error_code = CASE WHEN cancel_requested THEN NULL ELSE $2 END,
               output = CASE WHEN cancel_requested THEN NULL ELSE $3 END,
               request = NULL, completed_at = clock_timestamp()
         WHERE status IN ('queued', 'running') AND executor IS DISTINCT FROM $1
        RETURNING id, owner, kind, started_at IS NOT NULL AS had_started),
      emptied AS (DELETE FROM scheduler.task_owner)
      SELECT id, owner, kind, had_started, pg_notify('fengyu_task_end', id::text) FROM failed""";

  // task_running once, and a probe of the instances for each that is not ours: nothing of a living
  // process is touched. Whoever updates first has done it.
  private static final String FAIL_DEAD =
      """
      WITH failed AS (
        UPDATE scheduler.task t
           SET status = CASE WHEN cancel_requested THEN 'cancelled' ELSE 'failed' END,
               error_code = CASE WHEN cancel_requested THEN NULL ELSE $3 END,
               output = CASE WHEN cancel_requested THEN NULL ELSE $4 END,
               request = NULL, completed_at = clock_timestamp()
         WHERE t.status = 'running' AND t.executor <> $1
           AND NOT EXISTS (SELECT FROM platform.instances i
                            WHERE i.id = t.executor"""
          + SERVICE_IS_ALIVE
          + """
          )
        RETURNING t.id, t.owner, t.kind)
      SELECT id, owner, kind, true AS had_started, pg_notify('fengyu_task_end', id::text)
        FROM failed""";

  // Two probes.
  private static final String WAITING = "SELECT EXISTS (SELECT FROM scheduler.task_owner) AS some";

  private final Pool pool;
  private final Instances instances;
  private final boolean ownAddress;

  TaskRows(
      Pool pool, Instances instances, @ConfigProperty(name = "fengyu.address") String address) {
    this.pool = pool;
    this.instances = instances;
    this.ownAddress = !address.contains("//0.0.0.0") && !address.endsWith(":0");
  }

  /**
   * A task that was interrupted.
   *
   * @param hadStarted false when it was still queued
   */
  record Interrupted(UUID id, String owner, String kind, boolean hadStarted) {}

  Uni<Void> runs(UUID task, UUID runId) {
    return pool.preparedQuery(RUN).execute(Tuple.of(task, instances.id(), runId)).replaceWithVoid();
  }

  /** Running here, and somebody asked for their end. */
  Uni<List<UUID>> killed() {
    return pool.preparedQuery(KILLED).execute(Tuple.of(instances.id())).map(TaskRows::ids);
  }

  private static List<UUID> ids(RowSet<Row> rows) {
    var ids = new ArrayList<UUID>(rows.size());
    rows.forEach(row -> ids.add(row.getUUID("id")));
    return ids;
  }

  /** This process joins those that work on the queue; emits what it found left behind. */
  Uni<List<Interrupted>> join() {
    return pool.withTransaction(
        connection ->
            connection
                .query(LOCK)
                .execute()
                .chain(locked -> bury(connection))
                .chain(
                    buried ->
                        connection.preparedQuery(JOIN).execute(Tuple.of(instances.id(), ttl())))
                .chain(
                    rows ->
                        rows.iterator().next().getBoolean("peers")
                            ? failDead(connection)
                            : failAll(connection)));
  }

  private Uni<Void> bury(SqlConnection connection) {
    return ownAddress
        ? connection.preparedQuery(BURY).execute(Tuple.of(instances.id())).replaceWithVoid()
        : Uni.createFrom().voidItem();
  }

  private double ttl() {
    return instances.leaseTtl().toMillis();
  }

  private Uni<List<Interrupted>> failAll(SqlConnection connection) {
    return connection
        .preparedQuery(FAIL_ALL)
        .execute(Tuple.of(instances.id(), BodyEnd.INTERRUPTED, BodyEnd.INTERRUPTED_WORDS))
        .map(TaskRows::interrupted);
  }

  private Uni<List<Interrupted>> failDead(SqlConnection connection) {
    return connection.preparedQuery(FAIL_DEAD).execute(dead()).map(TaskRows::interrupted);
  }

  private Tuple dead() {
    return Tuple.of(instances.id(), ttl(), BodyEnd.INTERRUPTED, BodyEnd.INTERRUPTED_WORDS);
  }

  /** Ends what dead processes left running. */
  Uni<List<Interrupted>> sweep() {
    return pool.preparedQuery(FAIL_DEAD).execute(dead()).map(TaskRows::interrupted);
  }

  private static List<Interrupted> interrupted(RowSet<Row> rows) {
    var all = new ArrayList<Interrupted>(rows.size());
    for (var row : rows) {
      all.add(
          new Interrupted(
              row.getUUID("id"),
              row.getString("owner"),
              row.getString("kind"),
              row.getBoolean("had_started")));
    }
    return all;
  }

  /** True when anything waits. */
  Uni<Boolean> anyWaiting() {
    return pool.preparedQuery(WAITING)
        .execute()
        .map(rows -> rows.iterator().next().getBoolean("some"));
  }

  /** This process works on the queue no more. */
  Uni<Void> leave() {
    return pool.preparedQuery(LEAVE).execute(Tuple.of(instances.id())).replaceWithVoid();
  }

  /** Wakes the others: slots are free that this process does not give away any more. */
  Uni<Void> announceSlots() {
    return pool.query("SELECT pg_notify('fengyu_task_slot', '')").execute().replaceWithVoid();
  }

  static Collection<Interrupted> started(List<Interrupted> all) {
    return all.stream().filter(Interrupted::hadStarted).toList();
  }
}
