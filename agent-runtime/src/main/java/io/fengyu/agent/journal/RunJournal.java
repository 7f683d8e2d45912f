package io.fengyu.agent.journal;

import io.quarkus.runtime.ShutdownEvent;
import io.quarkus.runtime.StartupEvent;
import io.smallrye.mutiny.Uni;
import io.vertx.core.Vertx;
import io.vertx.mutiny.sqlclient.Pool;
import io.vertx.pgclient.PgConnectOptions;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import java.time.Clock;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import org.eclipse.microprofile.config.inject.ConfigProperty;

/**
 * The journal of this process: one writer, one lease, and whoever has to know what becomes of it.
 */
@ApplicationScoped
class RunJournal {

  private final Journal journal;
  private final Lease lease;
  private final LiveRuns live;
  private final List<StopSignals> stops = new CopyOnWriteArrayList<>();

  RunJournal(
      Vertx vertx,
      Pool pool,
      JournalConfig config,
      Clock clock,
      LiveRuns live,
      Replicas replicas,
      @ConfigProperty(name = "quarkus.datasource.reactive.url") String url,
      @ConfigProperty(name = "quarkus.datasource.username") String user,
      @ConfigProperty(name = "quarkus.datasource.password") String password) {
    this.live = live;
    var database = PgConnectOptions.fromUri(url).setUser(user).setPassword(password);
    this.journal = new Journal(vertx, database, config, clock, live, replicas::others);
    this.lease =
        new Lease(vertx, pool, config, replicas.address(), this::executing, this::leaseLost);
    journal.onBroken(this::broken);
    journal.onStored(this::stored);
  }

  void start(@Observes StartupEvent started) {
    lease.start();
  }

  void stop(@Observes ShutdownEvent stopped) {
    lease.stop();
    journal.close();
  }

  private boolean executing() {
    return !journal.openLogs().isEmpty();
  }

  /** Emits the name under which this process may execute runs, held for a while. */
  Uni<UUID> hold() {
    return lease.hold();
  }

  /** Begins to write for a run whose row names this process as its executor. */
  RunLog open(
      UUID runId, String owner, int generation, UUID executor, long nextSeq, int nextAudit) {
    var run = new LiveRun(runId, owner, nextSeq - 1);
    live.add(run);
    return journal.open(run, generation, executor, nextSeq, nextAudit);
  }

  void onStop(StopSignals signals) {
    stops.add(signals);
  }

  /** Passes on that somebody wants this run to end, if it is executed here. */
  void cancelRequested(UUID runId) {
    if (journal.openLog(runId) != null) {
      stops.forEach(signals -> signals.cancelRequested(runId));
    }
  }

  private void leaseLost(UUID executor) {
    journal.lose(
        journal.openLogs().stream().filter(log -> log.executor().equals(executor)).toList());
  }

  private void broken(JournalLog log) {
    live.leave(log.live());
    stops.forEach(signals -> signals.leaseLost(log.runId()));
  }

  private void stored(List<JournalItem> closing) {
    for (var item : closing) {
      if (item.ended()) {
        live.ended(item.log.live());
      } else {
        live.leave(item.log.live());
      }
    }
  }
}
