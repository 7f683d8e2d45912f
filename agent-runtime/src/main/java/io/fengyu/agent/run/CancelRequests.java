package io.fengyu.agent.run;

import io.fengyu.agent.journal.RunStore;
import io.fengyu.agent.journal.StoredRun;
import io.fengyu.contract.problem.ProblemException;
import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.sqlclient.Pool;
import io.vertx.mutiny.sqlclient.Row;
import io.vertx.mutiny.sqlclient.RowSet;
import io.vertx.mutiny.sqlclient.Tuple;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Duration;
import java.util.UUID;
import org.eclipse.microprofile.config.inject.ConfigProperty;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/** Requests to stop a run that have an id of their own, so that their end can be asked for. */
@ApplicationScoped
class CancelRequests {

  private static final Logger LOG = Logger.getLogger(CancelRequests.class);
  private static final Duration STORE_ANSWERS_WITHIN = Duration.ofSeconds(5);

  // The events of one run are a range of the primary key.
  private static final String REGISTER =
      """
      INSERT INTO agent.cancel_request (owner, request_id, run_id, start_request_id, seen_audit)
      SELECT $1, $2, $3, $4, coalesce(max(e.audit_seq), -1)
        FROM agent.run_event e
       WHERE e.run_id = coalesce($3, (SELECT s.subject FROM agent.start_claim s
                                       WHERE s.owner = $1 AND s.route = 'start_request_id'
                                         AND s.key_digest = sha256(convert_to($4, 'UTF8'))))
      ON CONFLICT (owner, request_id) DO NOTHING""";

  // Two probes of primary keys.
  private static final String FIND =
      """
      SELECT c.run_id, c.start_request_id, c.seen_audit, s.subject AS started,
             s.refused_at IS NOT NULL AS refused
        FROM agent.cancel_request c
        LEFT JOIN agent.start_claim s
               ON s.owner = c.owner AND s.route = 'start_request_id'
              AND s.key_digest = sha256(convert_to(c.start_request_id, 'UTF8'))
       WHERE c.owner = $1 AND c.request_id = $2""";

  private final Pool pool;
  private final RunStore store;
  private final StartRequests starts;
  private final CancelBranches branches;
  private final boolean enabled;

  CancelRequests(
      Pool pool,
      RunStore store,
      StartRequests starts,
      CancelBranches branches,
      @ConfigProperty(name = "fengyu.runs.cancel-enabled", defaultValue = "false")
          boolean enabled) {
    this.pool = pool;
    this.store = store;
    this.starts = starts;
    this.branches = branches;
    this.enabled = enabled;
  }

  /**
   * A request that is stored.
   *
   * @param seenAudit the last event of the run's history when the request came
   * @param started the run that began under the start's id
   * @param refused true when that start was turned away
   */
  private record Stored(
      CancelTarget target, int seenAudit, @Nullable UUID started, boolean refused) {

    @Nullable UUID run() {
      return target.runId() == null ? started : target.runId();
    }
  }

  /**
   * Takes a request, or the same one again, and tells what is to stop. Fails with the problem
   * {@code CANCEL_REQUEST_CONFLICT} when the id stands for another target, and with {@code
   * CANCEL_NOT_CONFIRMED} when the database is away; work in this process is stopped even then.
   */
  Uni<CancelState> request(String owner, CancelTarget target) {
    checkEnabled();
    return known(owner, target)
        .chain(() -> register(owner, target))
        .chain(() -> stop(owner, target))
        .chain(() -> state(owner, target.requestId()))
        .ifNoItem()
        .after(STORE_ANSWERS_WITHIN)
        .fail()
        .onFailure(failure -> !(failure instanceof ProblemException))
        .recoverWithUni(failure -> stopHere(owner, target, failure));
  }

  /** How far a request has come. */
  Uni<CancelState> find(String owner, String requestId) {
    checkEnabled();
    if (!CancelTarget.wellFormed(requestId)) {
      throw RunRefusals.cancelUnknown(requestId);
    }
    return state(owner, requestId).ifNoItem().after(STORE_ANSWERS_WITHIN).fail();
  }

  private void checkEnabled() {
    if (!enabled) {
      throw RunRefusals.cancelDisabled();
    }
  }

  private Uni<Void> known(String owner, CancelTarget target) {
    var runId = target.runId();
    return runId == null
        ? Uni.createFrom().voidItem()
        : store.find(owner, runId).invoke(run -> Runs.known(run, runId)).replaceWithVoid();
  }

  private Uni<Void> register(String owner, CancelTarget target) {
    return pool.preparedQuery(REGISTER)
        .execute(Tuple.of(owner, target.requestId(), target.runId(), target.startId()))
        .chain(
            rows ->
                rows.rowCount() == 1
                    ? Uni.createFrom().voidItem()
                    : checkSame(owner, target).replaceWithVoid());
  }

  private Uni<Stored> checkSame(String owner, CancelTarget target) {
    return stored(owner, target.requestId())
        .invoke(
            stored -> {
              if (!stored.target().equals(target)) {
                throw RunRefusals.cancelConflict(target.requestId());
              }
            });
  }

  private Uni<Void> stop(String owner, CancelTarget target) {
    return run(owner, target)
        .chain(
            runId ->
                runId == null
                    ? Uni.createFrom().voidItem()
                    : store.cancel(owner, runId).replaceWithVoid());
  }

  private Uni<@Nullable UUID> run(String owner, CancelTarget target) {
    var startId = target.startId();
    return startId == null ? Uni.createFrom().item(target.runId()) : starts.cancel(owner, startId);
  }

  private Uni<CancelState> state(String owner, String requestId) {
    return stored(owner, requestId).chain(stored -> state(owner, stored));
  }

  private Uni<CancelState> state(String owner, Stored stored) {
    var runId = stored.run();
    return runId == null
        ? withoutRun(stored)
        : store
            .find(owner, runId)
            .chain(run -> run == null ? withoutRun(stored) : state(stored, run));
  }

  private Uni<CancelState> state(Stored stored, StoredRun run) {
    var target = stored.target();
    return branches
        .of(run, stored.seenAudit())
        .map(all -> CancelState.of(target.requestId(), target.startId(), run, all));
  }

  private static Uni<CancelState> withoutRun(Stored stored) {
    var target = stored.target();
    var startId = target.startId();
    if (startId == null) {
      throw RunRefusals.cancelUnknown(target.requestId());
    }
    return Uni.createFrom()
        .item(CancelState.withoutRun(target.requestId(), startId, stored.refused()));
  }

  private Uni<Stored> stored(String owner, String requestId) {
    return pool.preparedQuery(FIND)
        .execute(Tuple.of(owner, requestId))
        .map(rows -> stored(requestId, rows));
  }

  private static Stored stored(String requestId, RowSet<Row> rows) {
    var all = rows.iterator();
    if (!all.hasNext()) {
      throw RunRefusals.cancelUnknown(requestId);
    }
    var row = all.next();
    var target =
        new CancelTarget(requestId, row.getUUID("run_id"), row.getString("start_request_id"));
    return new Stored(
        target, row.getInteger("seen_audit"), row.getUUID("started"), row.getBoolean("refused"));
  }

  private Uni<CancelState> stopHere(String owner, CancelTarget target, Throwable failure) {
    LOG.warnf("Cancel request %s is not stored: %s", target.requestId(), failure);
    var startId = target.startId();
    var runId = startId == null ? target.runId() : starts.recent(owner, startId);
    if (runId != null) {
      store.stopHere(owner, runId);
    }
    return Uni.createFrom().failure(RunRefusals.cancelNotConfirmed(target.requestId()));
  }
}
