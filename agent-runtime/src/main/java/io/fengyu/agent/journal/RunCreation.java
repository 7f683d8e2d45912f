package io.fengyu.agent.journal;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fengyu.contract.start.StartClaim;
import io.fengyu.contract.start.StartProblems;
import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.sqlclient.Pool;
import io.vertx.mutiny.sqlclient.SqlConnection;
import io.vertx.mutiny.sqlclient.Tuple;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Makes the rows of new runs, held by this process, and settles what asked for them. */
@ApplicationScoped
class RunCreation {

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
                sandbox_profile, executor, next_audit, ancestor, home, instance,
                unattended)
        SELECT $1, $2, $3, $4, 'PLANNING', $5, $6, $7, $8, $9, $10, 1 + cardinality($18::text[]),
               $16, $17, $19, $20
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

  private final Pool pool;
  private final RunJournal runs;

  RunCreation(Pool pool, RunJournal runs) {
    this.pool = pool;
    this.runs = runs;
  }

  /**
   * @param active finds the run that holds a conversation
   */
  Uni<RunLog> create(NewRun run, Active active) {
    return runs.hold()
        .chain(executor -> insert(run, executor, active))
        .map(executor -> opened(run, executor));
  }

  /** Who has a conversation right now. */
  interface Active {

    Uni<@Nullable StoredRun> in(String owner, String session);
  }

  Uni<List<RunLog>> createAll(List<NewRun> all) {
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

  private Uni<UUID> insert(NewRun run, UUID executor, Active active) {
    var row = row(run, executor);
    var session = run.sessionId();
    if (session == null) {
      return pool.preparedQuery(CREATE)
          .execute(row)
          .chain(
              rows -> rows.rowCount() > 0 ? Uni.createFrom().item(executor) : refused(run, active));
    }
    return pool.withTransaction(
            connection -> insertUnderLock(connection, run.owner(), session, row))
        .onFailure(DatabaseFailures::isDuplicate)
        .recoverWithItem(false)
        .chain(made -> made ? Uni.createFrom().item(executor) : refused(run, active));
  }

  private Uni<UUID> refused(NewRun run, Active active) {
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
                        : busy(active, run.owner(), session));
  }

  private static Uni<Boolean> insertUnderLock(
      SqlConnection connection, String owner, String session, Tuple row) {
    return connection
        .preparedQuery(LOCK_SESSION)
        .execute(Tuple.of(owner, session))
        .chain(locked -> connection.preparedQuery(CREATE).execute(row))
        .map(rows -> rows.rowCount() > 0);
  }

  private static Uni<UUID> busy(Active active, String owner, String session) {
    return active
        .in(owner, session)
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
        .addUUID(runs.instance())
        .addBoolean(run.unattended());
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
}
