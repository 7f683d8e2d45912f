package io.fengyu.contract.start;

import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.core.buffer.Buffer;
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
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * Makes sure that starts with one key are one start, on whatever replica they arrive. Each service
 * that uses it has a table {@code start_claim} in its schema.
 */
@ApplicationScoped
public class StartClaims {

  private static final Logger LOG = Logger.getLogger(StartClaims.class);

  // Whoever inserts the row does the work; the primary key lets only one do so.
  private static final String CLAIM =
      """
      INSERT INTO %s.start_claim (owner, route, key_digest, fingerprint, holder, operation)
      VALUES ($1, $2, $3, $4, $5, $6)
      ON CONFLICT (owner, route, key_digest) DO NOTHING""";

  private static final String READ =
      """
      SELECT fingerprint, status, answer, subject, cancelled_at IS NOT NULL AS cancelled
        FROM %s.start_claim
       WHERE owner = $1 AND route = $2 AND key_digest = $3""";

  // Whoever claimed it died, or gave it back without knowing what came of it. Committing the work
  // asks for the holder, so that of him and us exactly one succeeds, however slow he is.
  private static final String TAKE_OVER =
      """
      UPDATE %s.start_claim
         SET holder = $5, claimed_at = now()
       WHERE owner = $1 AND route = $2 AND key_digest = $3 AND fingerprint = $4
         AND status IS NULL AND cancelled_at IS NULL
         AND (holder IS NULL OR claimed_at < now() - $6 * interval '1 millisecond')
      RETURNING operation""";

  private static final String SETTLE =
      """
      UPDATE %s.start_claim
         SET status = $5, answer = $6
       WHERE owner = $1 AND route = $2 AND key_digest = $3 AND holder = $4
         AND status IS NULL AND cancelled_at IS NULL""";

  // What was cancelled stays cancelled, what was settled stays settled.
  private static final String FREE =
      """
      WITH freed AS (
        DELETE FROM %1$s.start_claim
         WHERE owner = $1 AND route = $2 AND key_digest = $3 AND holder = $4
           AND status IS NULL AND cancelled_at IS NULL)
      UPDATE %1$s.start_claim
         SET refused_at = coalesce(refused_at, now())
       WHERE owner = $1 AND route = $2 AND key_digest = $3 AND holder = $4
         AND cancelled_at IS NOT NULL""";

  private static final String GIVE_BACK =
      """
      UPDATE %s.start_claim SET holder = NULL
       WHERE owner = $1 AND route = $2 AND key_digest = $3 AND holder = $4 AND status IS NULL""";

  private static final String REFUSE =
      """
      UPDATE %s.start_claim SET refused_at = coalesce(refused_at, now())
       WHERE owner = $1 AND route = $2 AND key_digest = $3 AND cancelled_at IS NOT NULL""";

  // Either there is no claim yet, and there never will be one, or there is one and it is marked.
  private static final String CANCEL =
      """
      INSERT INTO %s.start_claim AS c (owner, route, key_digest, cancelled_at)
      VALUES ($1, $2, $3, now())
      ON CONFLICT (owner, route, key_digest) DO UPDATE
        SET cancelled_at = coalesce(c.cancelled_at, excluded.cancelled_at)
      RETURNING c.subject""";

  // By start_claim_age, in small batches. Eight days: a remembered cancel, which is kept for
  // seven, must not forget what it stopped.
  private static final String SWEEP =
      """
      DELETE FROM %1$s.start_claim
       WHERE (owner, route, key_digest) IN
             (SELECT owner, route, key_digest
                FROM %1$s.start_claim
               WHERE claimed_at < now() - interval '8 days'
               ORDER BY claimed_at
               LIMIT 500
                 FOR UPDATE SKIP LOCKED)""";

  private static final int SWEPT_AT_ONCE = 500;
  private static final Duration SWEEP_EVERY = Duration.ofMinutes(20);
  private static final Duration FIRST_PAUSE = Duration.ofMillis(25);
  private static final Duration LONGEST_PAUSE = Duration.ofMillis(400);
  private static final Duration WAITS_FOR = Duration.ofSeconds(6);

  private final Pool pool;
  private final String schema;
  private final Duration patience;
  private final Clock clock;
  private final AtomicReference<Instant> nextSweep = new AtomicReference<>(Instant.EPOCH);

  StartClaims(
      Pool pool,
      @ConfigProperty(name = "fengyu.schema") String schema,
      @ConfigProperty(name = "fengyu.starts.patience", defaultValue = "20s") Duration patience,
      Clock clock) {
    this.pool = pool;
    this.schema = schema;
    this.patience = patience;
    this.clock = clock;
  }

  /**
   * Claims a key. Fails with the problem {@code START_IDEMPOTENCY_CONFLICT} when it stands for
   * other content, with {@code START_CANCELLED} when it was cancelled. While an earlier start of
   * the same content is under way, waits for its answer a few seconds, or for its failure.
   */
  public Uni<Claimed> claim(StartKey key) {
    var claim = new StartClaim(key, UUID.randomUUID(), UUID.randomUUID());
    return claim(claim, clock.instant().plus(WAITS_FOR), FIRST_PAUSE).call(this::sweepIfDue);
  }

  /** Remembers the answer; does nothing when the work's own transaction did so. */
  public Uni<Void> settle(StartClaim claim, int status, String answer) {
    return execute(SETTLE, held(claim).addInteger(status).addString(answer)).replaceWithVoid();
  }

  /** Frees the key of a start that was refused: nothing was begun, and the next call may be. */
  public Uni<Void> free(StartClaim claim) {
    return execute(FREE, held(claim)).replaceWithVoid();
  }

  /**
   * Lets the next call with this key go on at once, as the same operation: what this attempt has
   * begun is not known.
   */
  public Uni<Void> giveBack(StartClaim claim) {
    return execute(GIVE_BACK, held(claim)).replaceWithVoid();
  }

  /**
   * Makes sure that nothing begins under that key any more.
   *
   * @return what was begun under it before; null for nothing
   */
  public Uni<@Nullable UUID> cancel(StartKey key) {
    return execute(CANCEL, named(key))
        .call(this::sweepIfDue)
        .map(rows -> rows.iterator().next().getUUID("subject"));
  }

  private record Known(
      @Nullable String fingerprint,
      @Nullable Integer status,
      String answer,
      @Nullable UUID subject,
      boolean cancelled) {

    static @Nullable Known first(RowSet<Row> rows) {
      for (var row : rows) {
        var answer = row.getString("answer");
        return new Known(
            row.getString("fingerprint"),
            row.getInteger("status"),
            answer == null ? "" : answer,
            row.getUUID("subject"),
            row.getBoolean("cancelled"));
      }
      return null;
    }
  }

  private Uni<Claimed> claim(StartClaim claim, Instant until, Duration pause) {
    var row =
        named(claim.key())
            .addString(claim.key().fingerprint())
            .addUUID(claim.holder())
            .addUUID(claim.operation());
    return execute(CLAIM, row)
        .chain(
            rows ->
                rows.rowCount() == 1
                    ? Uni.createFrom().item(new Claimed.Mine(claim))
                    : known(claim, until, pause));
  }

  private Uni<Claimed> known(StartClaim claim, Instant until, Duration pause) {
    return execute(READ, named(claim.key()))
        .map(Known::first)
        .chain(
            known ->
                known == null ? claim(claim, until, pause) : judge(known, claim, until, pause));
  }

  private Uni<Claimed> judge(Known known, StartClaim claim, Instant until, Duration pause) {
    var status = known.status();
    if (known.cancelled() && status == null) {
      return refuse(claim);
    }
    if (!claim.key().fingerprint().equals(known.fingerprint())) {
      throw StartProblems.conflict(claim.key());
    }
    if (status != null) {
      return Uni.createFrom().item(new Claimed.Before(status, known.answer(), known.subject()));
    }
    if (clock.instant().isAfter(until)) {
      throw StartProblems.underWay(claim.key());
    }
    return takeOver(claim, until, pause);
  }

  private Uni<Claimed> refuse(StartClaim claim) {
    return execute(REFUSE, named(claim.key()))
        .chain(done -> Uni.createFrom().failure(StartProblems.cancelled()));
  }

  private Uni<Claimed> takeOver(StartClaim claim, Instant until, Duration pause) {
    var row =
        named(claim.key())
            .addString(claim.key().fingerprint())
            .addUUID(claim.holder())
            .addLong(patience.toMillis());
    return execute(TAKE_OVER, row)
        .chain(
            rows -> {
              for (var taken : rows) {
                var operation = taken.getUUID("operation");
                return Uni.createFrom()
                    .item(new Claimed.Mine(new StartClaim(claim.key(), claim.holder(), operation)));
              }
              return later(pause, () -> claim(claim, until, longer(pause)));
            });
  }

  private static Duration longer(Duration pause) {
    var twice = pause.multipliedBy(2);
    return twice.compareTo(LONGEST_PAUSE) > 0 ? LONGEST_PAUSE : twice;
  }

  private static <T> Uni<T> later(Duration pause, Supplier<Uni<T>> next) {
    return Uni.createFrom().voidItem().onItem().delayIt().by(pause).chain(next::get);
  }

  private static Tuple named(StartKey key) {
    return Tuple.tuple()
        .addString(key.owner())
        .addString(key.route())
        .addBuffer(Buffer.buffer(key.digest().bytes()));
  }

  private static Tuple held(StartClaim claim) {
    return named(claim.key()).addUUID(claim.holder());
  }

  private Uni<RowSet<Row>> execute(String sql, Tuple values) {
    return pool.preparedQuery(sql.formatted(schema)).execute(values);
  }

  private Uni<Void> sweepIfDue() {
    var now = clock.instant();
    var due = nextSweep.get();
    if (now.isBefore(due) || !nextSweep.compareAndSet(due, now.plus(SWEEP_EVERY))) {
      return Uni.createFrom().voidItem();
    }
    return execute(SWEEP, Tuple.tuple())
        .invoke(
            rows -> {
              if (rows.rowCount() == SWEPT_AT_ONCE) {
                nextSweep.set(now);
              }
            })
        .replaceWithVoid()
        .onFailure()
        .invoke(failure -> LOG.warnf("Old start keys are not removed: %s", failure.getMessage()))
        .onFailure()
        .recoverWithNull();
  }
}
