package io.fengyu.scheduler.schedule;

import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.sqlclient.Pool;
import io.vertx.mutiny.sqlclient.Row;
import io.vertx.mutiny.sqlclient.RowSet;
import io.vertx.mutiny.sqlclient.SqlConnection;
import io.vertx.mutiny.sqlclient.Tuple;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The schedules of owners. */
@ApplicationScoped
class ScheduleStore {

  /** Told the id of a schedule whose next look should not be waited for. */
  static final String CHANNEL = "fengyu_schedules";

  private static final int MOST_LISTED = 1_000;

  // One creation of an owner at a time, so that the count below it stays true to the end.
  private static final String LOCK =
      """
      SELECT pg_advisory_xact_lock(hashtextextended('fengyu-schedules ' || $1, 0)),
             date_trunc('milliseconds', now() + $2 * interval '1 millisecond') AS now""";

  // Index schedule_by_owner.
  private static final String COUNT =
      """
      SELECT count(*)::int AS active
        FROM scheduler.schedule
       WHERE owner = $1 AND status = 'active'
         AND (expires_at IS NULL OR expires_at > now() + $2 * interval '1 millisecond')""";

  private static final String INSERT =
      """
      WITH made AS (
        INSERT INTO scheduler.schedule
               (id, owner, workflow_id, timing, inputs, permission_mode, sandbox_profile,
                created_at, next_fire_at, expires_at)
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
        RETURNING *)
      SELECT made.*, pg_notify('fengyu_schedules', made.id::text) FROM made""";

  // Index schedule_by_owner.
  private static final String LIST =
      """
      SELECT *
        FROM scheduler.schedule
       WHERE owner = $1
         AND ($2 OR (status = 'active'
                     AND (expires_at IS NULL
                          OR expires_at > now() + $3 * interval '1 millisecond')))
       ORDER BY created_at, id
       LIMIT $4""";

  // A claim of this occurrence finds another status and submits nothing.
  private static final String CANCEL =
      """
      UPDATE scheduler.schedule
         SET status = 'cancelled', ended_at = now()
       WHERE id = $1 AND owner = $2 AND status = 'active'
         AND (expires_at IS NULL OR expires_at > now() + $3 * interval '1 millisecond')""";

  private static final String OWNED =
      "SELECT 1 FROM scheduler.schedule WHERE id = $1 AND owner = $2";

  // The primary key, backwards.
  private static final String FIRES =
      """
      SELECT due_at, claimed_at, task_id, missed, outcome, error_code, error
        FROM scheduler.schedule_fire
       WHERE schedule_id = $1
       ORDER BY due_at DESC
       LIMIT $2""";

  private final Pool pool;
  private final ScheduleTime time;

  ScheduleStore(Pool pool, ScheduleTime time) {
    this.pool = pool;
    this.time = time;
  }

  /**
   * A schedule to be made.
   *
   * @param inputs as JSON text
   */
  record Draft(
      String owner,
      String workflowId,
      TimingWish timing,
      String inputs,
      String permissionMode,
      String sandboxProfile) {}

  Uni<Integer> active(String owner) {
    return pool.preparedQuery(COUNT)
        .execute(Tuple.of(owner, time.aheadMs()))
        .map(rows -> rows.iterator().next().getInteger("active"));
  }

  /** Makes it; null when the owner has as many as allowed. */
  Uni<@Nullable Schedule> create(Draft draft, int most) {
    return pool.withTransaction(
        transaction ->
            transaction
                .preparedQuery(LOCK)
                .execute(Tuple.of(draft.owner, time.aheadMs()))
                .map(rows -> Times.of(rows.iterator().next(), "now"))
                .chain(now -> create(transaction, draft, most, now)));
  }

  private Uni<@Nullable Schedule> create(
      SqlConnection transaction, Draft draft, int most, Instant now) {
    return transaction
        .preparedQuery(COUNT)
        .execute(Tuple.of(draft.owner, time.aheadMs()))
        .map(rows -> rows.iterator().next().getInteger("active"))
        .chain(
            active ->
                active >= most
                    ? Uni.createFrom().nullItem()
                    : insert(transaction, draft, now).map(ScheduleStore::first));
  }

  private static Uni<RowSet<Row>> insert(SqlConnection transaction, Draft draft, Instant now) {
    return transaction
        .preparedQuery(INSERT)
        .execute(
            Tuple.tuple()
                .addUUID(UUID.randomUUID())
                .addString(draft.owner)
                .addString(draft.workflowId)
                .addString(draft.timing.text())
                .addString(draft.inputs)
                .addString(draft.permissionMode)
                .addString(draft.sandboxProfile)
                .addOffsetDateTime(Times.value(now))
                .addOffsetDateTime(Times.value(draft.timing.first(now)))
                .addOffsetDateTime(Times.value(draft.timing.timing(now).expiresAt())));
  }

  private static Schedule first(RowSet<Row> rows) {
    return Schedule.of(rows.iterator().next());
  }

  /** Oldest first; those that ended too, if wanted. */
  Uni<List<Schedule>> list(String owner, boolean ended) {
    return pool.preparedQuery(LIST)
        .execute(Tuple.of(owner, ended, time.aheadMs(), MOST_LISTED))
        .map(rows -> all(rows, Schedule::of));
  }

  /** False for an unknown, foreign or ended one. */
  Uni<Boolean> cancel(UUID id, String owner) {
    return pool.preparedQuery(CANCEL)
        .execute(Tuple.of(id, owner, time.aheadMs()))
        .map(rows -> rows.rowCount() == 1);
  }

  /** Newest first; empty when the owner has no such schedule. */
  Uni<Optional<List<FireRecord>>> fires(UUID id, String owner, int limit) {
    return pool.preparedQuery(OWNED)
        .execute(Tuple.of(id, owner))
        .chain(
            rows ->
                rows.rowCount() == 0
                    ? Uni.createFrom().item(Optional.empty())
                    : pool.preparedQuery(FIRES)
                        .execute(Tuple.of(id, limit))
                        .map(found -> Optional.of(all(found, FireRecord::of))));
  }

  private static <T> List<T> all(RowSet<Row> rows, Function<Row, T> each) {
    return rows.stream().map(each).toList();
  }
}
