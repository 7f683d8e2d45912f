package io.fengyu.scheduler.schedule;

import io.fengyu.contract.instance.Instances;
import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.sqlclient.Pool;
import io.vertx.mutiny.sqlclient.SqlConnection;
import io.vertx.mutiny.sqlclient.Tuple;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import java.time.OffsetDateTime;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;

/** Hands each occurrence to exactly one replica, and writes down what came of it. */
@Singleton
class FireClaims {

  private static final int AT_ONCE = 100;

  // Index schedule_due. Rows that another replica is submitting are not due.
  private static final String DUE =
      """
      SELECT *
        FROM scheduler.schedule
       WHERE status = 'active' AND claimed_by IS NULL
         AND next_fire_at <= now() + $1 * interval '1 millisecond'
         AND (expires_at IS NULL OR expires_at > now() + $1 * interval '1 millisecond')
         AND ($2 OR sandbox_profile = 'unsandboxed')
       ORDER BY next_fire_at, id
       LIMIT $3""";

  // One conditional write: of several replicas one finds the row as it was read. SKIP LOCKED passes
  // over what another is claiming right now, so that nobody waits; the key of the log holds what
  // was ever claimed.
  private static final String CLAIM =
      """
      WITH locked AS (
        SELECT s.id, w.due, w.next, w.missed, w.task
          FROM scheduler.schedule s
          JOIN unnest($1::uuid[], $2::timestamptz[], $3::timestamptz[], $4::bigint[], $5::uuid[])
               AS w (id, due, next, missed, task) ON w.id = s.id AND w.due = s.next_fire_at
         WHERE s.status = 'active' AND s.claimed_by IS NULL
           AND (s.expires_at IS NULL OR s.expires_at > now() + $7 * interval '1 millisecond')
         ORDER BY s.id
           FOR UPDATE OF s SKIP LOCKED
      ), claimed AS (
        UPDATE scheduler.schedule s
           SET next_fire_at = l.next, missed_fires = s.missed_fires + l.missed, held = false,
               claimed_by = $6, claimed_task = l.task
          FROM locked l
         WHERE s.id = l.id
        RETURNING s.id)
      INSERT INTO scheduler.schedule_fire
             (schedule_id, due_at, claimed_at, claimed_by, task_id, missed)
      SELECT l.id, l.due, now() + $7 * interval '1 millisecond', $6, l.task, l.missed
        FROM locked l
        JOIN claimed c USING (id)
      RETURNING task_id""";

  private static final String HOLD =
      """
      UPDATE scheduler.schedule
         SET held = true, last_error_code = $2, last_error = $3
       WHERE status = 'active' AND claimed_by IS NULL AND NOT held
         AND sandbox_profile <> 'unsandboxed'
         AND next_fire_at <= now() + $1 * interval '1 millisecond'""";

  // Held until the task is stored: a deletion either comes first, or waits and comes after.
  private static final String STILL_MINE =
      """
      SELECT 1
        FROM scheduler.schedule
       WHERE id = $1 AND claimed_by = $2 AND claimed_task = $3 AND status = 'active'
         FOR UPDATE""";

  private static final String SUBMITTED =
      """
      WITH settled AS (
        UPDATE scheduler.schedule
           SET claimed_by = NULL, claimed_task = NULL, fires = fires + 1,
               last_fire_at = now() + $4 * interval '1 millisecond', last_task_id = $3,
               last_error = NULL, last_error_code = NULL,
               status = CASE WHEN status = 'active' AND $5 THEN 'completed' ELSE status END,
               ended_at = CASE WHEN status = 'active' AND $5 THEN now() ELSE ended_at END
         WHERE id = $1 AND claimed_by = $2 AND claimed_task = $3
        RETURNING id
      ), trimmed AS (
        DELETE FROM scheduler.schedule_fire
         WHERE schedule_id IN (SELECT id FROM settled)
           AND due_at < (SELECT due_at
                           FROM scheduler.schedule_fire
                          WHERE schedule_id = $1
                          ORDER BY due_at DESC
                         OFFSET $6
                          LIMIT 1))
      UPDATE scheduler.schedule_fire
         SET outcome = 'submitted'
       WHERE task_id = $3 AND schedule_id IN (SELECT id FROM settled)""";

  private static final String FAILED =
      """
      WITH settled AS (
        UPDATE scheduler.schedule
           SET claimed_by = NULL, claimed_task = NULL, last_error_code = $4, last_error = $5,
               status = CASE WHEN status = 'active' AND $6 THEN 'failed' ELSE status END,
               ended_at = CASE WHEN status = 'active' AND $6 THEN now() ELSE ended_at END
         WHERE id = $1 AND claimed_by = $2 AND claimed_task = $3
        RETURNING id)
      UPDATE scheduler.schedule_fire
         SET outcome = $7, error_code = $4, error = $5
       WHERE task_id = $3 AND schedule_id IN (SELECT id FROM settled)""";

  private static final String ABANDONED =
      """
      SELECT s.id, s.claimed_by, s.claimed_task,
             NOT coalesce((s.timing::json->>'recurring')::boolean, true) AS single
        FROM scheduler.schedule s
       WHERE s.claimed_by IS NOT NULL
         AND CASE WHEN s.claimed_by = $1 THEN s.claimed_task <> ALL ($2::uuid[])
             ELSE NOT EXISTS (SELECT
                                FROM platform.instances i
                               WHERE i.id = s.claimed_by
                                 AND i.heartbeat_at > now() - $3 * interval '1 millisecond') END
       LIMIT 100""";

  // A calendar of a time zone that this Java does not know any more, for example.
  private static final String GIVE_UP =
      """
      UPDATE scheduler.schedule
         SET status = 'failed', ended_at = now(),
             last_error_code = 'SCHEDULE_UNREADABLE', last_error = 'Its timing cannot be read.'
       WHERE id = ANY ($1) AND status = 'active' AND claimed_by IS NULL""";

  private final Pool pool;
  private final UUID replica;
  private final long leaseMs;
  private final ScheduleTime time;
  private final ScheduleConfig config;

  @Inject
  FireClaims(Pool pool, Instances instances, ScheduleTime time, ScheduleConfig config) {
    this(pool, instances.id(), instances.leaseTtl().toMillis(), time, config);
  }

  FireClaims(Pool pool, UUID replica, long leaseMs, ScheduleTime time, ScheduleConfig config) {
    this.pool = pool;
    this.replica = replica;
    this.leaseMs = leaseMs;
    this.time = time;
    this.config = config;
  }

  /**
   * A claim that nobody goes on with.
   *
   * @param single true when the schedule has no other occurrence
   */
  record Abandoned(Claim claim, boolean single) {}

  /** The longest due first, at most a hundred; the sandboxed ones only when wanted. */
  Uni<List<Schedule>> due(boolean sandboxedToo) {
    return pool.preparedQuery(DUE)
        .execute(Tuple.of(time.aheadMs(), sandboxedToo, AT_ONCE))
        .map(rows -> rows.stream().map(Schedule::of).toList());
  }

  /** Claims what is still as it was read; the claims are committed when this answers. */
  Uni<List<Occurrence>> claim(List<Occurrence> due) {
    var values =
        Tuple.tuple()
            .addArrayOfUUID(due.stream().map(one -> one.schedule().id()).toArray(UUID[]::new))
            .addArrayOfOffsetDateTime(
                due.stream().map(one -> Times.value(one.dueAt())).toArray(OffsetDateTime[]::new))
            .addArrayOfOffsetDateTime(
                due.stream().map(one -> Times.value(one.next())).toArray(OffsetDateTime[]::new))
            .addArrayOfLong(due.stream().map(Occurrence::missed).toArray(Long[]::new))
            .addArrayOfUUID(due.stream().map(Occurrence::taskId).toArray(UUID[]::new))
            .addUUID(replica)
            .addLong(time.aheadMs());
    return pool.preparedQuery(CLAIM)
        .execute(values)
        .map(rows -> rows.stream().map(row -> row.getUUID("task_id")).collect(Collectors.toSet()))
        .map(mine -> due.stream().filter(one -> mine.contains(one.taskId())).toList());
  }

  /** Ends schedules that cannot be read. */
  Uni<Void> giveUp(List<UUID> unreadable) {
    return unreadable.isEmpty()
        ? Uni.createFrom().voidItem()
        : pool.preparedQuery(GIVE_UP)
            .execute(Tuple.tuple().addArrayOfUUID(unreadable.toArray(UUID[]::new)))
            .replaceWithVoid();
  }

  /** Marks what is due and must not fire while the sandbox is off. */
  Uni<Void> hold(String code, String text) {
    return pool.preparedQuery(HOLD).execute(Tuple.of(time.aheadMs(), code, text)).replaceWithVoid();
  }

  /** The claim of this process. */
  Claim mine(Occurrence one) {
    return new Claim(one.schedule().id(), replica, one.taskId());
  }

  /** Within the transaction that stays open until the task is stored; false when it was lost. */
  Uni<Boolean> stillMine(SqlConnection transaction, Claim claim) {
    return transaction
        .preparedQuery(STILL_MINE)
        .execute(named(claim))
        .map(rows -> rows.rowCount() == 1);
  }

  /** Clears a mark whose task is stored. */
  Uni<Void> submitted(SqlConnection transaction, Claim claim, boolean single) {
    return transaction
        .preparedQuery(SUBMITTED)
        .execute(
            named(claim)
                .addLong(time.aheadMs())
                .addBoolean(single)
                .addInteger(config.rememberedFires() - 1))
        .replaceWithVoid();
  }

  /** The same outside of a transaction. */
  Uni<Void> submitted(Claim claim, boolean single) {
    return pool.withConnection(connection -> submitted(connection, claim, single));
  }

  /** Clears a mark that no task came of. */
  Uni<Void> failed(Claim claim, boolean single, String outcome, String code, String text) {
    return pool.preparedQuery(FAILED)
        .execute(named(claim).addString(code).addString(text).addBoolean(single).addString(outcome))
        .replaceWithVoid();
  }

  /**
   * Claims of processes that are dead, and those of this one that it is not working on.
   *
   * @param atWork tasks that this process is submitting
   */
  Uni<List<Abandoned>> abandoned(Collection<UUID> atWork) {
    var values =
        Tuple.tuple()
            .addUUID(replica)
            .addArrayOfUUID(Set.copyOf(atWork).toArray(UUID[]::new))
            .addLong(leaseMs);
    return pool.preparedQuery(ABANDONED)
        .execute(values)
        .map(
            rows ->
                rows.stream()
                    .map(row -> new Abandoned(Claim.of(row), row.getBoolean("single")))
                    .toList());
  }

  private static Tuple named(Claim claim) {
    return Tuple.tuple().addUUID(claim.scheduleId()).addUUID(claim.by()).addUUID(claim.taskId());
  }
}
