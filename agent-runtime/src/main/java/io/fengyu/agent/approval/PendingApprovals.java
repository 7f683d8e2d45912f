package io.fengyu.agent.approval;

import io.fengyu.contract.db.Listener;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.quarkus.runtime.StartupEvent;
import io.vertx.core.Vertx;
import io.vertx.mutiny.sqlclient.Pool;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.jboss.logging.Logger;

/** How many gates are open in all, counted again only after one opened or closed. */
@ApplicationScoped
class PendingApprovals {

  private static final Logger LOG = Logger.getLogger(PendingApprovals.class);
  private static final long COUNT_MS = 5000;

  // The partial index run_open_gate holds nothing else.
  private static final String COUNT = "SELECT count(*) FROM agent.run WHERE gate_id IS NOT NULL";

  private final Vertx vertx;
  private final Pool pool;
  private final Listener listener;
  private final AtomicLong pending = new AtomicLong();
  private final AtomicBoolean changed = new AtomicBoolean();

  PendingApprovals(Vertx vertx, Pool pool, Listener listener, MeterRegistry metrics) {
    this.vertx = vertx;
    this.pool = pool;
    this.listener = listener;
    Gauge.builder("fengyu.approvals.pending", pending, AtomicLong::get)
        .description("Gates that wait for a decision, on all replicas together")
        .register(metrics);
  }

  void start(@Observes StartupEvent started) {
    listener.listen("agent_approval", owner -> changed.set(true), () -> changed.set(true));
    vertx.setPeriodic(COUNT_MS, tick -> countIfChanged());
  }

  private void countIfChanged() {
    if (changed.compareAndSet(true, false)) {
      pool.query(COUNT)
          .execute()
          .map(rows -> rows.iterator().next().getLong(0))
          .subscribe()
          .with(pending::set, this::notCounted);
    }
  }

  private void notCounted(Throwable failure) {
    LOG.debugf("Open gates are counted later: %s", failure.getMessage());
    changed.set(true);
  }
}
