package io.fengyu.agent.journal;

import io.smallrye.mutiny.Multi;
import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.sqlclient.Pool;
import io.vertx.mutiny.sqlclient.Row;
import io.vertx.mutiny.sqlclient.RowSet;
import io.vertx.mutiny.sqlclient.Tuple;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Makes runs, hands out the right to write their journal, and finds them again. */
@ApplicationScoped
public class RunStore {

  private static final String FIND =
      "SELECT " + RunRows.COLUMNS + " FROM agent.run r WHERE r.id = $1 AND r.owner = $2";

  // A range of the primary key.
  private static final String HISTORY =
      """
      SELECT seq, type, data, created_at
        FROM agent.run_event
       WHERE run_id = $1 AND audit_seq IS NOT NULL
       ORDER BY audit_seq""";

  // At most one row (run_session_active).
  private static final String ACTIVE =
      "SELECT "
          + RunRows.COLUMNS
          + """
           FROM agent.run r
          WHERE r.owner = $1 AND r.session_id = $2
            AND (r.completed_at IS NULL OR NOT r.terminal_persisted)""";

  // Check and write are one statement: of two decisions on a gate one finds it closed.
  private static final String RELEASE =
      """
      WITH me AS (
        SELECT id FROM agent.executor WHERE id = $5 FOR KEY SHARE)
      UPDATE agent.run r
         SET status = 'EXECUTING', generation = r.generation + 1, executor = $5, instance = $7,
             released_gate = r.gate_id, released_decision = $6, gate_id = NULL,
             pending_gate = NULL, execution_stopped = false, terminal_persisted = false,
             revision = r.revision + 1, updated_at = now()
       WHERE r.id = $1 AND r.owner = $2 AND r.gate_id = $3 AND r.generation = $4
         AND r.executor IS NULL AND r.completed_at IS NULL
         AND EXISTS (SELECT FROM me)
      RETURNING\s"""
          + RunRows.COLUMNS
          + ", r.next_seq, r.next_audit";

  // A run that nobody executes is taken, so that it can be ended here and now.
  private static final String CANCEL =
      """
      WITH seen AS (
        SELECT id, executor FROM agent.run
         WHERE id = $1 AND owner = $2 AND completed_at IS NULL
           FOR NO KEY UPDATE),
      told AS (
        SELECT CASE WHEN executor <> $3 THEN pg_notify('agent_cancel', id::text) END FROM seen)
      UPDATE agent.run r
         SET cancel_status = CASE WHEN r.cancel_status = 'none' THEN 'requested'
                                  ELSE r.cancel_status END,
             executor = coalesce(r.executor, $3),
             revision = r.revision + CASE WHEN r.cancel_status = 'none' THEN 1 ELSE 0 END,
             updated_at = now()
        FROM seen
       WHERE r.id = seen.id AND (SELECT count(*) FROM told) >= 0
      RETURNING\s"""
          + RunRows.COLUMNS
          + ", r.next_seq, r.next_audit, seen.executor IS NULL AS taken";

  // A pause that nobody will come back to: the process that paused it has shown no sign of life.
  // Primary keys. Whoever decides about its gate at the same time either comes first, and then
  // there is nothing to close, or finds the gate gone.
  private static final String CLOSE =
      """
      UPDATE agent.run r
         SET cancel_status = CASE WHEN r.cancel_status = 'none' THEN 'requested'
                                  ELSE r.cancel_status END,
             executor = $3, revision = r.revision + 1, updated_at = now()
       WHERE r.id = $1 AND r.owner = $2 AND r.gate_id IS NOT NULL AND r.executor IS NULL
         AND r.completed_at IS NULL
         AND NOT EXISTS (SELECT FROM platform.instances i
                          WHERE i.id = r.instance
                            AND i.heartbeat_at > now() - $4::float8 * interval '1 millisecond')
      RETURNING\s"""
          + RunRows.COLUMNS
          + ", r.next_seq, r.next_audit";

  // As small as what waits for a decision that nobody may ever take: run_unattended_gate. Whoever
  // decides about a gate at the same time either comes first, and then it is not closed, or finds
  // it gone.
  private static final String CLOSE_OVERDUE =
      """
      UPDATE agent.run r
         SET executor = $1, revision = r.revision + 1, updated_at = now()
       WHERE r.id IN (SELECT o.id
                        FROM agent.run o
                       WHERE o.unattended AND o.gate_id IS NOT NULL AND o.executor IS NULL
                         AND o.completed_at IS NULL
                         AND o.gate_opened_at < now() - $2::float8 * interval '1 millisecond'
                       LIMIT 50
                         FOR NO KEY UPDATE SKIP LOCKED)
      RETURNING\s"""
          + RunRows.COLUMNS
          + ", r.next_seq, r.next_audit";

  private final Pool pool;
  private final RunJournal runs;
  private final RunCreation creation;
  private final List<Consumer<StoredRun>> endsAtGate = new CopyOnWriteArrayList<>();

  RunStore(Pool pool, RunJournal runs, RunCreation creation) {
    this.pool = pool;
    this.runs = runs;
    this.creation = creation;
  }

  /**
   * Makes the run, held by this process, status {@code PLANNING}. Fails with the problem {@code
   * SESSION_BUSY} when its conversation is taken, with {@code START_CANCELLED} when the request to
   * start it was cancelled.
   */
  public Uni<RunLog> create(NewRun run) {
    return creation.create(run, this::active);
  }

  /** Makes several runs without conversations, all of them or none. */
  public Uni<List<RunLog>> createAll(List<NewRun> all) {
    return creation.createAll(all);
  }

  /** The run, if it is the owner's; emits null when there is none. */
  public Uni<@Nullable StoredRun> find(String owner, UUID runId) {
    return pool.preparedQuery(FIND).execute(Tuple.of(runId, owner)).map(RunRows::first);
  }

  /**
   * Everything the history tells of a run, in its order: what steps came to, and how gates ended.
   */
  public Uni<List<StoredEvent>> history(UUID runId) {
    return pool.preparedQuery(HISTORY).execute(Tuple.of(runId)).map(EventPages::events);
  }

  /** The run that holds the conversation right now; emits null when none does. */
  public Uni<@Nullable StoredRun> active(String owner, String sessionId) {
    return pool.preparedQuery(ACTIVE).execute(Tuple.of(owner, sessionId)).map(RunRows::first);
  }

  /**
   * Takes a paused run up again, as the next generation, status {@code EXECUTING}.
   *
   * @param gateId the gate the decision is for
   * @param generation the stage the caller has seen
   * @param decision kept with the gate, to recognise a repetition
   * @return null when that gate is not open any more, or never was
   */
  public Uni<@Nullable Continued> release(
      String owner, UUID runId, String gateId, int generation, String decision) {
    return runs.hold()
        .chain(
            executor ->
                pool.preparedQuery(RELEASE)
                    .execute(
                        Tuple.tuple()
                            .addUUID(runId)
                            .addString(owner)
                            .addString(gateId)
                            .addInteger(generation)
                            .addUUID(executor)
                            .addString(decision)
                            .addUUID(runs.instance())))
        .map(this::continued);
  }

  private @Nullable Continued continued(RowSet<Row> rows) {
    var all = rows.iterator();
    return all.hasNext() ? continued(all.next()) : null;
  }

  private Continued continued(Row row) {
    var run = RunRows.read(row);
    var executor = row.getUUID("executor");
    return new Continued(
        run,
        runs.open(
            run.id(),
            run.owner(),
            run.generation(),
            executor,
            row.getLong("next_seq"),
            row.getInteger("next_audit")));
  }

  /**
   * Asks for an end. The executing process learns of it, wherever it is; a paused run is ended at
   * once, and the answer shows it ended.
   *
   * @return the run after the request; null when there is none of that id
   */
  public Uni<@Nullable StoredRun> cancel(String owner, UUID runId) {
    return runs.hold()
        .chain(
            executor ->
                pool.preparedQuery(CANCEL)
                    .execute(Tuple.of(runId, owner, executor))
                    .chain(rows -> requested(owner, runId, executor, rows)));
  }

  private Uni<@Nullable StoredRun> requested(
      String owner, UUID runId, UUID executor, RowSet<Row> rows) {
    var all = rows.iterator();
    if (!all.hasNext()) {
      return find(owner, runId);
    }
    var row = all.next();
    if (row.getBoolean("taken")) {
      return endPaused(continued(row).log()).chain(done -> ended(owner, runId));
    }
    if (executor.equals(row.getUUID("executor"))) {
      runs.cancelRequested(runId);
    }
    return Uni.createFrom().item(RunRows.read(row));
  }

  /**
   * Ends a run as cancelled that is paused and was left alone by the process that paused it.
   *
   * @return the run ended; null when there is no such run, or it is not that way
   */
  public Uni<@Nullable StoredRun> closeAbandoned(String owner, UUID runId) {
    return runs.hold()
        .chain(
            executor ->
                pool.preparedQuery(CLOSE)
                    .execute(Tuple.of(runId, owner, executor, runs.silenceOfTheDead())))
        .chain(rows -> closed(owner, runId, continued(rows)));
  }

  /**
   * Ends runs as failed that nobody watches and whose gate has been open for too long.
   *
   * @param last the last event of each
   */
  public Uni<Void> closeOverdue(Duration limit, RunLog.Entry last, String error) {
    return runs.hold()
        .chain(
            executor ->
                pool.preparedQuery(CLOSE_OVERDUE)
                    .execute(Tuple.of(executor, (double) limit.toMillis())))
        .onItem()
        .transformToMulti(rows -> Multi.createFrom().iterable(rows))
        .map(this::continued)
        .onItem()
        .transformToUniAndConcatenate(overdue -> fail(overdue, last, error))
        .collect()
        .last()
        .replaceWithVoid();
  }

  private Uni<StoredRun> fail(Continued overdue, RunLog.Entry last, String error) {
    var log = overdue.log();
    log.append(List.of(last), List.of(new Change.End(RunStatus.FAILED, null, error, false)));
    return Uni.createFrom()
        .completionStage(log::durable)
        .chain(() -> ended(overdue.run().owner(), overdue.run().id()))
        .replaceWith(overdue.run());
  }

  private Uni<@Nullable StoredRun> closed(String owner, UUID runId, @Nullable Continued abandoned) {
    return abandoned == null
        ? Uni.createFrom().nullItem()
        : endPaused(abandoned.log()).chain(done -> ended(owner, runId));
  }

  private Uni<@Nullable StoredRun> ended(String owner, UUID runId) {
    return find(owner, runId).<@Nullable StoredRun>map(this::told);
  }

  private @Nullable StoredRun told(@Nullable StoredRun run) {
    if (run != null) {
      endsAtGate.forEach(told -> told.accept(run));
    }
    return run;
  }

  /** Tells {@code told} from now on of runs that end while nobody executes them. */
  public void onEndAtGate(Consumer<StoredRun> told) {
    endsAtGate.add(told);
  }

  /**
   * Tells what works on the run in this process to stop, without asking or telling the database;
   * does nothing when it is somebody else's run, or executed elsewhere.
   */
  public void stopHere(String owner, UUID runId) {
    runs.stopHere(owner, runId);
  }

  private static Uni<Void> endPaused(RunLog log) {
    log.append(CancelEvents.all(log.runId(), false), List.of(CancelEvents.END));
    return Uni.createFrom().completionStage(log::durable);
  }

  /** Tells {@code signals} from now on when work on a run has to stop. */
  public void onStop(StopSignals signals) {
    runs.onStop(signals);
  }

  /** A run that goes on after its gate. */
  public record Continued(StoredRun run, RunLog log) {}
}
