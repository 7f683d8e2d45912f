package io.fengyu.agent.run;

import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.sqlclient.Pool;
import io.vertx.mutiny.sqlclient.Row;
import io.vertx.mutiny.sqlclient.RowSet;
import io.vertx.mutiny.sqlclient.Tuple;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
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
      SELECT s.fingerprint, s.run_id, r.id IS NOT NULL AS begun
        FROM agent.start_request s
        LEFT JOIN agent.run r ON r.id = s.run_id
       WHERE s.owner = $1 AND s.request_id = $2""";

  private static final String GIVE_UP =
      "DELETE FROM agent.start_request WHERE owner = $1 AND request_id = $2 AND run_id = $3";

  // By start_request_age; few rows at a time, since it is asked for every hour.
  private static final String SWEEP =
      "DELETE FROM agent.start_request WHERE created_at < now() - interval '7 days'";

  private static final Duration SWEEP_EVERY = Duration.ofHours(1);
  private static final Duration LOOK_AGAIN = Duration.ofMillis(50);
  private static final int LOOKS = 200;

  private final Pool pool;
  private final boolean enabled;
  private final Clock clock;
  private final AtomicReference<Instant> nextSweep = new AtomicReference<>(Instant.EPOCH);

  StartClaims(
      Pool pool,
      @ConfigProperty(name = "fengyu.runs.cancel-enabled", defaultValue = "false") boolean enabled,
      Clock clock) {
    this.pool = pool;
    this.enabled = enabled;
    this.clock = clock;
  }

  /**
   * Whose start it is.
   *
   * @param ours true when the caller has to start the run
   */
  record Claim(UUID runId, boolean ours) {}

  private record Known(String fingerprint, UUID runId, boolean begun) {}

  /**
   * Claims a request id for a run. Fails with the problem {@code START_IDEMPOTENCY_CONFLICT} when
   * it stands for other content. When an earlier start of the same content is still under way,
   * emits once its run exists, or claims the id after that start failed.
   */
  Uni<Claim> claim(String owner, String requestId, String fingerprint, UUID runId) {
    if (!enabled) {
      return Uni.createFrom().item(new Claim(runId, true));
    }
    return claim(owner, requestId, fingerprint, runId, LOOKS).call(this::sweepIfDue);
  }

  private Uni<Void> sweepIfDue() {
    var now = clock.instant();
    var due = nextSweep.get();
    if (now.isBefore(due) || !nextSweep.compareAndSet(due, now.plus(SWEEP_EVERY))) {
      return Uni.createFrom().voidItem();
    }
    return pool.query(SWEEP).execute().replaceWithVoid();
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

  private Uni<Claim> known(
      String owner, String requestId, String fingerprint, UUID runId, int looks) {
    return pool.preparedQuery(READ)
        .execute(Tuple.of(owner, requestId))
        .map(StartClaims::first)
        .chain(
            known -> {
              if (known != null && !known.fingerprint().equals(fingerprint)) {
                throw RunRefusals.startConflict(requestId);
              }
              if (known != null && known.begun()) {
                return Uni.createFrom().item(new Claim(known.runId(), false));
              }
              if (looks == 0) {
                throw RunRefusals.startUnderWay(requestId);
              }
              return later(() -> claim(owner, requestId, fingerprint, runId, looks - 1));
            });
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
    return new Known(row.getString("fingerprint"), row.getUUID("run_id"), row.getBoolean("begun"));
  }

  /** Frees the id of a start that came to nothing. */
  Uni<Void> giveUp(String owner, String requestId, UUID runId) {
    return pool.preparedQuery(GIVE_UP).execute(Tuple.of(owner, requestId, runId)).replaceWithVoid();
  }
}
