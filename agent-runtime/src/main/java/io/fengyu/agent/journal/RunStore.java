package io.fengyu.agent.journal;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fengyu.contract.start.StartClaim;
import io.fengyu.contract.start.StartProblems;
import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.sqlclient.Pool;
import io.vertx.mutiny.sqlclient.Row;
import io.vertx.mutiny.sqlclient.RowSet;
import io.vertx.mutiny.sqlclient.SqlConnection;
import io.vertx.mutiny.sqlclient.Tuple;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Makes runs, hands out the right to write their journal, and finds them again. */
@ApplicationScoped
public class RunStore {

  // The first audit event is written together with the row, and with what repetitions of the start
  // are told. A claim that was cancelled or taken over by somebody else, or a lease that was taken
  // away, lets nothing be made; both rows are locked, so that a cancel of the start either is seen
  // here or finds the run. Claims are probed by their primary key.
  private static final String CREATE =
      """
      WITH me AS (
        SELECT id FROM agent.executor WHERE id = $10 FOR KEY SHARE),
      held AS (
        SELECT c.owner, c.route, c.key_digest
          FROM unnest($12::text[], $13::text[], $14::uuid[]) AS k (route, digest, holder)
          JOIN agent.start_claim c
            ON c.owner = $2 AND c.route = k.route AND c.key_digest = decode(k.digest, 'hex')
         WHERE c.holder = k.holder AND c.status IS NULL AND c.cancelled_at IS NULL
           FOR NO KEY UPDATE OF c),
      made AS (
        INSERT INTO agent.run
               (id, owner, session_id, goal, status, config, plan, inputs, resumed_from,
                sandbox_profile, executor, next_audit, ancestor, home, instance)
        SELECT $1, $2, $3, $4, 'PLANNING', $5, $6, $7, $8, $9, $10, 1 + cardinality($18::text[]),
               $16, $17, $19
         WHERE EXISTS (SELECT FROM me)
           AND (SELECT count(*) FROM held) = cardinality($12::text[])
           AND ($3::text IS NULL
                OR NOT EXISTS (SELECT FROM agent.chat_turn WHERE owner = $2 AND session_id = $3))
        RETURNING id),
      settled AS (
        UPDATE agent.start_claim c
           SET status = 200, answer = $15, subject = made.id
          FROM held, made
         WHERE c.owner = held.owner AND c.route = held.route AND c.key_digest = held.key_digest)
      INSERT INTO agent.run_event (run_id, seq, audit_seq, type, data, created_at)
      SELECT id, -1, 0, 'created', $11, now() FROM made
       UNION ALL
      SELECT made.id, -1 - i.audit_seq, i.audit_seq, 'step_complete', i.data, now()
        FROM made, unnest($18::text[]) WITH ORDINALITY AS i (data, audit_seq)""";

  private static final String START_CANCELLED =
      """
      SELECT
        FROM unnest($2::text[], $3::text[]) AS k (route, digest)
        JOIN agent.start_claim c
          ON c.owner = $1 AND c.route = k.route AND c.key_digest = decode(k.digest, 'hex')
       WHERE c.cancelled_at IS NOT NULL""";

  private static final String LOCK_SESSION = "SELECT agent.lock_session($1, $2)";

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

  private final Pool pool;
  private final RunJournal runs;
  private final List<Consumer<StoredRun>> endsAtGate = new CopyOnWriteArrayList<>();

  RunStore(Pool pool, RunJournal runs) {
    this.pool = pool;
    this.runs = runs;
  }

  /**
   * Makes the run, held by this process, status {@code PLANNING}. Fails with the problem {@code
   * SESSION_BUSY} when its conversation is taken, with {@code START_CANCELLED} when the request to
   * start it was cancelled.
   */
  public Uni<RunLog> create(NewRun run) {
    return runs.hold()
        .chain(executor -> insert(run, executor))
        .map(executor -> opened(run, executor));
  }

  /** Makes several runs without conversations, all of them or none. */
  public Uni<List<RunLog>> createAll(List<NewRun> all) {
    return runs.hold()
        .chain(
            executor ->
                pool.withTransaction(connection -> insertAll(connection, all, executor))
                    .map(made -> all.stream().map(run -> opened(run, executor)).toList()));
  }

  private Uni<Void> insertAll(SqlConnection connection, List<NewRun> all, UUID executor) {
    var made = Uni.createFrom().voidItem();
    for (var run : all) {
      made = made.chain(() -> insertOne(connection, run, executor));
    }
    return made;
  }

  private Uni<Void> insertOne(SqlConnection connection, NewRun run, UUID executor) {
    return connection
        .preparedQuery(CREATE)
        .execute(row(run, executor))
        .chain(
            rows ->
                rows.rowCount() == 1
                    ? Uni.createFrom().voidItem()
                    : Uni.createFrom().failure(RunProblems.unavailable()));
  }

  private Uni<UUID> insert(NewRun run, UUID executor) {
    var row = row(run, executor);
    var session = run.sessionId();
    if (session == null) {
      return pool.preparedQuery(CREATE)
          .execute(row)
          .chain(rows -> rows.rowCount() > 0 ? Uni.createFrom().item(executor) : refused(run));
    }
    return pool.withTransaction(
            connection -> insertUnderLock(connection, run.owner(), session, row))
        .onFailure(RunStore::sessionTaken)
        .recoverWithItem(false)
        .chain(made -> made ? Uni.createFrom().item(executor) : refused(run));
  }

  private Uni<UUID> refused(NewRun run) {
    var session = run.sessionId();
    var claims = claims(run);
    var keys =
        Tuple.tuple()
            .addString(run.owner())
            .addArrayOfString(routes(claims))
            .addArrayOfString(digests(claims));
    return pool.preparedQuery(START_CANCELLED)
        .execute(keys)
        .chain(
            rows ->
                rows.rowCount() > 0
                    ? Uni.createFrom().failure(StartProblems.cancelled())
                    : session == null
                        ? Uni.createFrom().failure(RunProblems.unavailable())
                        : busy(run.owner(), session));
  }

  private static Uni<Boolean> insertUnderLock(
      SqlConnection connection, String owner, String session, Tuple row) {
    return connection
        .preparedQuery(LOCK_SESSION)
        .execute(Tuple.of(owner, session))
        .chain(locked -> connection.preparedQuery(CREATE).execute(row))
        .map(rows -> rows.rowCount() > 0);
  }

  private static boolean sessionTaken(Throwable failure) {
    return DatabaseFailures.isDuplicate(failure);
  }

  private Uni<UUID> busy(String owner, String session) {
    return active(owner, session)
        .chain(run -> Uni.createFrom().failure(RunProblems.sessionBusy(session, run)));
  }

  private static List<StartClaim> claims(NewRun run) {
    return run.settlement() == null ? List.of() : run.settlement().claims();
  }

  private static String[] routes(List<StartClaim> claims) {
    return claims.stream().map(claim -> claim.key().route()).toArray(String[]::new);
  }

  private static String[] digests(List<StartClaim> claims) {
    return claims.stream().map(claim -> claim.key().digest().hex()).toArray(String[]::new);
  }

  private static UUID[] holders(List<StartClaim> claims) {
    return claims.stream().map(StartClaim::holder).toArray(UUID[]::new);
  }

  private Tuple row(NewRun run, UUID executor) {
    var goal = storable(run.goal());
    var claims = claims(run);
    var lineage = run.lineage();
    var resumedFrom = lineage == null ? null : lineage.resumedFrom();
    return Tuple.tuple()
        .addUUID(run.id())
        .addString(run.owner())
        .addString(run.sessionId())
        .addString(goal)
        .addString(run.config().toString())
        .addString(text(run.plan()))
        .addString(text(run.inputs()))
        .addUUID(resumedFrom)
        .addString(run.sandboxProfile())
        .addUUID(executor)
        .addString(created(goal, resumedFrom))
        .addArrayOfString(routes(claims))
        .addArrayOfString(digests(claims))
        .addArrayOfUUID(holders(claims))
        .addString(run.settlement() == null ? null : run.settlement().answer())
        .addUUID(lineage == null ? null : lineage.ancestor())
        .addUUID(lineage == null ? null : lineage.home())
        .addArrayOfString(inherited(run))
        .addUUID(runs.instance());
  }

  private static String[] inherited(NewRun run) {
    var lineage = run.lineage();
    return lineage == null
        ? new String[0]
        : lineage.inherited().stream().map(Lineage.Inherited::data).toArray(String[]::new);
  }

  private static String created(String goal, @Nullable UUID resumedFrom) {
    return JsonNodeFactory.instance
        .objectNode()
        .put("goal", goal)
        .put("resumedFrom", resumedFrom == null ? "" : resumedFrom.toString())
        .toString();
  }

  private static String storable(String text) {
    return text.replace('\0', '\uFFFD');
  }

  private static @Nullable String text(@Nullable ObjectNode json) {
    return json == null ? null : json.toString();
  }

  private RunLog opened(NewRun run, UUID executor) {
    return runs.open(run.id(), run.owner(), 1, executor, 0, 1 + inherited(run).length);
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
