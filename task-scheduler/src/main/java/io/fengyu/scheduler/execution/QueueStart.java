package io.fengyu.scheduler.execution;

import io.fengyu.contract.db.Listener;
import io.fengyu.contract.instance.Instances;
import io.fengyu.scheduler.execution.TaskRows.Interrupted;
import io.fengyu.scheduler.queue.Turns;
import io.quarkus.runtime.StartupEvent;
import io.smallrye.mutiny.Uni;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.eclipse.microprofile.health.HealthCheck;
import org.eclipse.microprofile.health.HealthCheckResponse;
import org.eclipse.microprofile.health.Readiness;
import org.jboss.logging.Logger;

/**
 * Settles what earlier processes left before this one takes tasks in, and from then on looks with
 * every heartbeat for what dead ones leave.
 */
@Readiness
@ApplicationScoped
class QueueStart implements HealthCheck {

  private static final Logger LOG = Logger.getLogger(QueueStart.class);

  private final Instances instances;
  private final Listener listener;
  private final Turns turns;
  private final TaskRows rows;
  private final LeftRuns leftRuns;
  private final AtomicBoolean busy = new AtomicBoolean();

  QueueStart(
      Instances instances, Listener listener, Turns turns, TaskRows rows, LeftRuns leftRuns) {
    this.instances = instances;
    this.listener = listener;
    this.turns = turns;
    this.rows = rows;
    this.leftRuns = leftRuns;
  }

  void start(@Observes StartupEvent started) {
    listener.listen("fengyu_task_slot", nothing -> turns.look(), turns::look);
    instances.onHeartbeat(this::beat);
  }

  @Override
  public HealthCheckResponse call() {
    return HealthCheckResponse.named("queue").status(turns.isOpen()).build();
  }

  private Uni<Void> beat() {
    if (!busy.compareAndSet(false, true)) {
      return Uni.createFrom().voidItem();
    }
    var work = turns.isOpen() ? sweep() : join();
    return work.onTermination().invoke(() -> busy.set(false));
  }

  private Uni<Void> join() {
    return rows.join().invoke(this::said).invoke(turns::open).replaceWithVoid();
  }

  private Uni<Void> sweep() {
    return rows.sweep()
        .invoke(this::said)
        .chain(rows::anyWaiting)
        .invoke(
            some -> {
              if (some) {
                turns.look();
              }
            })
        .replaceWithVoid();
  }

  private void said(List<Interrupted> interrupted) {
    if (!interrupted.isEmpty()) {
      LOG.warnf("%d tasks were interrupted by a restart", interrupted.size());
      leftRuns.stop(TaskRows.started(interrupted));
    }
  }
}
