package io.fengyu.agent.journal;

import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.sqlclient.Pool;
import io.vertx.mutiny.sqlclient.Tuple;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * The one lease under which this process executes runs. It costs one small update per heartbeat
 * while runs are executed, however many, and nothing otherwise.
 *
 * <p>A lost lease is never taken up again: the process goes on under a new name, and what ran under
 * the old one is interrupted.
 */
final class Lease {

  private static final Logger LOG = Logger.getLogger(Lease.class);

  // One probe by primary key. Also brings a row back that was removed while nothing ran.
  private static final String TAKE =
      """
      INSERT INTO agent.executor (id, address, lease_until)
      VALUES ($1, $2, now() + $3 * interval '1 millisecond')
          ON CONFLICT (id) DO UPDATE SET lease_until = EXCLUDED.lease_until""";

  private static final String RENEW =
      """
      UPDATE agent.executor SET lease_until = now() + $2 * interval '1 millisecond'
       WHERE id = $1""";

  /** A name and how long it surely holds, by the clock of this process. */
  private record Held(UUID executor, long untilNanos) {

    Duration left() {
      return Duration.ofNanos(untilNanos - System.nanoTime());
    }
  }

  private final Pool pool;
  private final JournalConfig config;
  private final String address;
  private final Consumer<UUID> lost;
  private final AtomicReference<Held> held = new AtomicReference<>(fresh());
  private volatile @Nullable Uni<UUID> taking;

  /**
   * @param lost told the name under which nothing may be done any more
   */
  Lease(Pool pool, JournalConfig config, String address, Consumer<UUID> lost) {
    this.pool = pool;
    this.config = config;
    this.address = address;
    this.lost = lost;
  }

  private static Held fresh() {
    return new Held(UUID.randomUUID(), System.nanoTime());
  }

  /** The name runs are executed under right now. */
  UUID executor() {
    return held.get().executor();
  }

  /** Emits the name to execute under, held for at least half a lease. */
  Uni<UUID> hold() {
    var now = held.get();
    if (now.left().compareTo(config.leaseTtl().dividedBy(2)) > 0) {
      return Uni.createFrom().item(now.executor());
    }
    var underWay = taking;
    return underWay != null ? underWay : take(now.executor());
  }

  private synchronized Uni<UUID> take(UUID executor) {
    var underWay = taking;
    if (underWay != null) {
      return underWay;
    }
    var sent = System.nanoTime();
    var fresh =
        pool.preparedQuery(TAKE)
            .execute(Tuple.of(executor, address, config.leaseTtl().toMillis()))
            .map(rows -> extended(executor, sent))
            .onTermination()
            .invoke(() -> taking = null)
            .memoize()
            .indefinitely();
    taking = fresh;
    return fresh;
  }

  private UUID extended(UUID executor, long sent) {
    var until = sent + config.leaseTtl().toNanos();
    held.updateAndGet(h -> h.executor().equals(executor) ? new Held(executor, until) : h);
    return executor;
  }

  /** Extends it; when somebody else has ended it meanwhile, it is given up. */
  Uni<Void> renew() {
    var executor = executor();
    var sent = System.nanoTime();
    return pool.preparedQuery(RENEW)
        .execute(Tuple.of(executor, config.leaseTtl().toMillis()))
        .invoke(rows -> renewed(executor, sent, rows.rowCount() == 1))
        .replaceWithVoid();
  }

  private void renewed(UUID executor, long sent, boolean stillOurs) {
    if (stillOurs) {
      extended(executor, sent);
    } else {
      giveUp(executor, "another replica has taken it over");
    }
  }

  /** Goes on under a new name; whoever has to know is told the old one. */
  void giveUp(String why) {
    giveUp(executor(), why);
  }

  private void giveUp(UUID executor, String why) {
    var before = held.get();
    if (before.executor().equals(executor) && held.compareAndSet(before, fresh())) {
      LOG.warnf("The lease of the runs executed here is given up: %s", why);
      lost.accept(executor);
    }
  }
}
