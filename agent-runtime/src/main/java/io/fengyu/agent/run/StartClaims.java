package io.fengyu.agent.run;

import io.fengyu.agent.journal.RunProblems;
import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.sqlclient.Pool;
import io.vertx.mutiny.sqlclient.Row;
import io.vertx.mutiny.sqlclient.RowSet;
import io.vertx.mutiny.sqlclient.Tuple;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.eclipse.microprofile.config.inject.ConfigProperty;
import org.jspecify.annotations.Nullable;

/** Makes sure that starts with one request id start one run, on whatever replica they arrive. */
@ApplicationScoped
class StartClaims {

  // Whoever inserts the row starts the run; the primary key lets only one do so.
  private static final String CLAIM =
      """
      INSERT INTO agent.start_request (owner, request_id, fingerprint, run_id)
      VALUES ($1, $2, $3, $4)
      ON CONFLICT (owner, request_id) DO NOTHING""";

  private static final String READ =
      """
      SELECT s.fingerprint, s.run_id, r.id IS NOT NULL AS begun,
             s.cancelled_at IS NOT NULL AS cancelled
        FROM agent.start_request s
        LEFT JOIN agent.run r ON r.id = s.run_id
       WHERE s.owner = $1 AND s.request_id = $2""";

  // Whoever claimed it died before the run was made; creating a run touches its claim, so that of
  // him and us exactly one succeeds, however slow he is.
  private static final String TAKE_OVER =
      """
      UPDATE agent.start_request s SET run_id = $4, created_at = now()
       WHERE s.owner = $1 AND s.request_id = $2 AND s.fingerprint = $3
         AND s.created_at < now() - $5 * interval '1 millisecond'
         AND s.cancelled_at IS NULL
         AND NOT EXISTS (SELECT FROM agent.run r WHERE r.id = s.run_id)""";

  // What was cancelled stays cancelled.
  private static final String GIVE_UP =
      """
      WITH freed AS (
        DELETE FROM agent.start_request
         WHERE owner = $1 AND request_id = $2 AND run_id = $3 AND cancelled_at IS NULL)
      UPDATE agent.start_request
         SET refused_at = coalesce(refused_at, now())
       WHERE owner = $1 AND request_id = $2 AND run_id = $3 AND cancelled_at IS NOT NULL""";

  private static final String REFUSE =
      """
      UPDATE agent.start_request SET refused_at = coalesce(refused_at, now())
       WHERE owner = $1 AND request_id = $2 AND cancelled_at IS NOT NULL""";

  // Either there is no claim yet, and there never will be one, or there is one and it is marked.
  private static final String CANCEL =
      """
      INSERT INTO agent.start_request AS s (owner, request_id, cancelled_at)
      VALUES ($1, $2, now())
      ON CONFLICT (owner, request_id) DO UPDATE
        SET cancelled_at = coalesce(s.cancelled_at, excluded.cancelled_at)
      RETURNING s.run_id""";

  // By start_request_age and cancel_request_age; few rows at a time, since it is asked for every
  // hour. Starts stay longer, so that no remembered cancel forgets what it stopped.
  private static final String SWEEP =
      """
      WITH cancels AS (
        DELETE FROM agent.cancel_request WHERE created_at < now() - interval '7 days')
      DELETE FROM agent.start_request WHERE created_at < now() - interval '8 days'""";

  private static final Duration SWEEP_EVERY = Duration.ofHours(1);
  private static final Duration LOOK_AGAIN = Duration.ofMillis(100);
  private static final int LOOKS = 60;

  private final Pool pool;
  private final boolean enabled;
  private final Duration patience;
  private final Clock clock;
  private final Map<Key, UUID> recent = Collections.synchronizedMap(new Recent());
  private final AtomicReference<Instant> nextSweep = new AtomicReference<>(Instant.EPOCH);

  StartClaims(
      Pool pool,
      @ConfigProperty(name = "fengyu.runs.cancel-enabled", defaultValue = "false") boolean enabled,
      @ConfigProperty(name = "fengyu.runs.claim-patience", defaultValue = "20s") Duration patience,
      Clock clock) {
    this.pool = pool;
    this.enabled = enabled;
    this.patience = patience;
    this.clock = clock;
  }

  /**
   * Whose start it is.
   *
   * @param ours true when the caller has to start the run
   */
  record Claim(UUID runId, boolean ours) {}

  /**
   * A claim that is there.
   *
   * @param fingerprint null when the start was cancelled before it came
   * @param runId null likewise
   */
  private record Known(
      @Nullable String fingerprint, @Nullable UUID runId, boolean begun, boolean cancelled) {}

  /**
   * Claims a request id for a run. Fails with the problem {@code START_IDEMPOTENCY_CONFLICT} when
   * it stands for other content, with {@code START_CANCELLED} when it was cancelled. When an
   * earlier start of the same content is still under way, emits once its run exists, or claims the
   * id after that start failed.
   */
  Uni<Claim> claim(String owner, String requestId, String fingerprint, UUID runId) {
    if (!enabled) {
      return Uni.createFrom().item(new Claim(runId, true));
    }
    return claim(owner, requestId, fingerprint, runId, LOOKS)
        .invoke(claim -> recent.put(new Key(owner, requestId), claim.runId()))
        .call(this::sweepIfDue);
  }

  /**
   * Makes sure that no run begins under that id any more.
   *
   * @return the run that holds the id, begun or not; null when none does
   */
  Uni<@Nullable UUID> cancel(String owner, String requestId) {
    return pool.preparedQuery(CANCEL)
        .execute(Tuple.of(owner, requestId))
        .call(this::sweepIfDue)
        .map(StartClaims::holder);
  }

  private static @Nullable UUID holder(RowSet<Row> rows) {
    return rows.iterator().next().getUUID("run_id");
  }

  /** The run that this process started for the id lately, as far as it remembers. */
  @Nullable UUID recent(String owner, String requestId) {
    return recent.get(new Key(owner, requestId));
  }

  private record Key(String owner, String requestId) {}

  /** The newest starts of this process, for the time when the database can't be asked. */
  private static final class Recent extends LinkedHashMap<Key, UUID> {

    private static final long serialVersionUID = 1;
    private static final int KEPT = 2000;

    @Override
    protected boolean removeEldestEntry(Map.Entry<Key, UUID> eldest) {
      return size() > KEPT;
    }
  }

  private Uni<Void> sweepIfDue() {
    var now = clock.instant();
    var due = nextSweep.get();
    if (now.isBefore(due) || !nextSweep.compareAndSet(due, now.plus(SWEEP_EVERY))) {
      return Uni.createFrom().voidItem();
    }
    return pool.query(SWEEP).execute().replaceWithVoid();
  }

  /** The id as far as claims are kept of it; null when they are not. */
  @Nullable String kept(@Nullable String requestId) {
    return enabled ? requestId : null;
  }

  private Uni<Claim> claim(
      String owner, String requestId, String fingerprint, UUID runId, int looks) {
    return pool.preparedQuery(CLAIM)
        .execute(Tuple.of(owner, requestId, fingerprint, runId))
        .chain(
            rows ->
                rows.rowCount() == 1
                    ? Uni.createFrom().item(new Claim(runId, true))
                    : known(owner, requestId, fingerprint, runId, looks));
  }

  private Uni<Claim> takeOver(
      String owner, String requestId, String fingerprint, UUID runId, int looks) {
    return pool.preparedQuery(TAKE_OVER)
        .execute(Tuple.of(owner, requestId, fingerprint, runId, patience.toMillis()))
        .chain(
            rows ->
                rows.rowCount() == 1
                    ? Uni.createFrom().item(new Claim(runId, true))
                    : later(() -> claim(owner, requestId, fingerprint, runId, looks - 1)));
  }

  private Uni<Claim> known(
      String owner, String requestId, String fingerprint, UUID runId, int looks) {
    return pool.preparedQuery(READ)
        .execute(Tuple.of(owner, requestId))
        .map(StartClaims::first)
        .chain(
            known -> {
              if (known != null && known.cancelled() && !known.begun()) {
                return refuse(owner, requestId);
              }
              if (known != null && !fingerprint.equals(known.fingerprint())) {
                throw RunRefusals.startConflict(requestId);
              }
              if (known != null && known.begun() && known.runId() != null) {
                return Uni.createFrom().item(new Claim(known.runId(), false));
              }
              if (looks == 0) {
                throw RunRefusals.startUnderWay(requestId);
              }
              return takeOver(owner, requestId, fingerprint, runId, looks);
            });
  }

  private Uni<Claim> refuse(String owner, String requestId) {
    return pool.preparedQuery(REFUSE)
        .execute(Tuple.of(owner, requestId))
        .chain(done -> Uni.createFrom().failure(RunProblems.startCancelled()));
  }

  private static <T> Uni<T> later(Supplier<Uni<T>> next) {
    return Uni.createFrom().voidItem().onItem().delayIt().by(LOOK_AGAIN).chain(next::get);
  }

  private static @Nullable Known first(RowSet<Row> rows) {
    var all = rows.iterator();
    if (!all.hasNext()) {
      return null;
    }
    var row = all.next();
    return new Known(
        row.getString("fingerprint"),
        row.getUUID("run_id"),
        row.getBoolean("begun"),
        row.getBoolean("cancelled"));
  }

  /** Frees the id of a start that came to nothing. */
  Uni<Void> giveUp(String owner, String requestId, UUID runId) {
    return pool.preparedQuery(GIVE_UP).execute(Tuple.of(owner, requestId, runId)).replaceWithVoid();
  }
}
