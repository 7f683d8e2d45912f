package io.fengyu.scheduler.schedule;

import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.sqlclient.Pool;
import io.vertx.mutiny.sqlclient.Row;
import io.vertx.mutiny.sqlclient.Tuple;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** One look at the schedules: ends what has expired, fires what is due, says when to look again. */
@Singleton
class ScheduleLook {

  private static final long WHILE_SOME_MS = 5_000;
  private static final long WHILE_NONE_MS = 60_000;
  private static final long SOMEBODY_ELSE_MS = 250;
  private static final long SOON_MS = 10;

  // Heads of the indexes schedule_due, schedule_expiry and schedule_claimed.
  private static final String LOOK =
      """
      SELECT t.now,
             (SELECT min(s.next_fire_at)
                FROM scheduler.schedule s
               WHERE s.status = 'active' AND s.next_fire_at IS NOT NULL
                 AND s.claimed_by IS NULL AND NOT s.held) AS next_fire,
             (SELECT min(s.expires_at)
                FROM scheduler.schedule s
               WHERE s.status = 'active' AND s.expires_at IS NOT NULL) AS next_expiry,
             EXISTS (SELECT
                       FROM scheduler.schedule s
                      WHERE s.status = 'active' AND s.next_fire_at <= t.now
                        AND s.held AND s.claimed_by IS NULL) AS held,
             EXISTS (SELECT FROM scheduler.schedule s WHERE s.claimed_by IS NOT NULL) AS claims
        FROM (SELECT now() + $1 * interval '1 millisecond' AS now) t""";

  private static final String EXPIRE =
      """
      UPDATE scheduler.schedule
         SET status = 'expired', ended_at = now(), held = false
       WHERE status = 'active' AND expires_at <= now() + $1 * interval '1 millisecond'""";

  private final Pool pool;
  private final Firing firing;
  private final ScheduleTime time;

  ScheduleLook(Pool pool, Firing firing, ScheduleTime time) {
    this.pool = pool;
    this.firing = firing;
    this.time = time;
  }

  private record Seen(
      Instant now,
      @Nullable Instant nextFire,
      @Nullable Instant nextExpiry,
      boolean held,
      boolean claims) {

    static Seen of(Row row) {
      return new Seen(
          Times.of(row, "now"),
          Times.orNull(row, "next_fire"),
          Times.orNull(row, "next_expiry"),
          row.getBoolean("held"),
          row.getBoolean("claims"));
    }

    boolean due() {
      return held || passed(nextFire);
    }

    boolean passed(@Nullable Instant moment) {
      return moment != null && !moment.isAfter(now);
    }

    long pauseMs() {
      if (nextFire == null && nextExpiry == null && !claims) {
        return WHILE_NONE_MS;
      }
      return Math.min(WHILE_SOME_MS, Math.min(until(nextFire), until(nextExpiry)));
    }

    private long until(@Nullable Instant moment) {
      return moment == null ? Long.MAX_VALUE : Duration.between(now, moment).toMillis() + 1;
    }
  }

  /**
   * Looks once.
   *
   * @return when to look again, in milliseconds from now
   */
  Uni<Long> once() {
    return pool.preparedQuery(LOOK)
        .execute(Tuple.of(time.aheadMs()))
        .map(rows -> Seen.of(rows.iterator().next()))
        .chain(this::act);
  }

  private Uni<Long> act(Seen seen) {
    return recovered(seen).chain(() -> expired(seen)).chain(() -> fired(seen));
  }

  private Uni<Void> recovered(Seen seen) {
    return seen.claims ? firing.recover() : Uni.createFrom().voidItem();
  }

  private Uni<Void> expired(Seen seen) {
    return seen.passed(seen.nextExpiry)
        ? pool.preparedQuery(EXPIRE).execute(Tuple.of(time.aheadMs())).replaceWithVoid()
        : Uni.createFrom().voidItem();
  }

  private Uni<Long> fired(Seen seen) {
    if (!seen.due()) {
      return Uni.createFrom().item(seen.pauseMs());
    }
    return firing
        .fireDue(seen.now)
        .map(
            count -> {
              if (count > 0) {
                return SOON_MS;
              }
              return seen.passed(seen.nextFire) ? SOMEBODY_ELSE_MS : seen.pauseMs();
            });
  }
}
