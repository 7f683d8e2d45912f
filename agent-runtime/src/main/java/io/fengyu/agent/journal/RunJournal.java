package io.fengyu.agent.journal;

import io.fengyu.contract.db.Listener;
import io.fengyu.contract.db.Migrations;
import io.fengyu.contract.instance.Instances;
import io.fengyu.contract.instance.LeaseDanger;
import io.fengyu.contract.net.Drain;
import io.fengyu.contract.net.Draining;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.quarkus.runtime.ShutdownEvent;
import io.quarkus.runtime.StartupEvent;
import io.smallrye.mutiny.Uni;
import io.vertx.core.Vertx;
import io.vertx.mutiny.sqlclient.Pool;
import io.vertx.mutiny.sqlclient.Tuple;
import io.vertx.pgclient.PgConnectOptions;
import jakarta.annotation.Priority;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import org.eclipse.microprofile.config.inject.ConfigProperty;
import org.jboss.logging.Logger;

/**
 * The journal of this process: one writer, one lease, and whoever has to know what becomes of it.
 */
@ApplicationScoped
class RunJournal {

  private static final Logger LOG = Logger.getLogger(RunJournal.class);
  private static final int AFTER_THE_EXECUTOR = 2900;
  private static final Duration LAST_WRITES = Duration.ofSeconds(4);

  // Primary key probes, as many as runs are executed here.
  private static final String CANCELS =
      "SELECT id FROM agent.run WHERE id = ANY ($1) AND cancel_status <> 'none'";

  // Primary key; tells everybody that the executor knows.
  private static final String STOPPING =
      """
      UPDATE agent.run SET cancel_status = 'stopping', revision = revision + 1, updated_at = now()
       WHERE id = $1 AND cancel_status = 'requested' AND completed_at IS NULL""";

  private final Pool pool;
  private final Journal journal;
  private final Lease lease;
  private final LiveRuns live;
  private final Recovery recovery;
  private final Spooling spooling;
  private final Replicas replicas;
  private final Migrations migrations;
  private final Listener listener;
  private final Instances instances;
  private final Counter leasesLost;
  private final List<StopSignals> stops = new CopyOnWriteArrayList<>();

  RunJournal(
      Vertx vertx,
      Pool pool,
      JournalConfig config,
      Clock clock,
      LiveRuns live,
      Replicas replicas,
      Migrations migrations,
      Listener listener,
      Instances instances,
      Draining draining,
      LeftBehind leftBehind,
      MeterRegistry metrics,
      @ConfigProperty(name = "quarkus.datasource.reactive.url") String url,
      @ConfigProperty(name = "quarkus.datasource.username") String user,
      @ConfigProperty(name = "quarkus.datasource.password") String password) {
    this.pool = pool;
    this.live = live;
    this.replicas = replicas;
    this.migrations = migrations;
    this.listener = listener;
    this.instances = instances;
    var database = PgConnectOptions.fromUri(url).setUser(user).setPassword(password);
    this.journal = new Journal(vertx, database, config, clock, live, replicas::others);
    this.lease = new Lease(pool, config, replicas.address(), this::leaseLost);
    this.recovery = new Recovery(new Reconciler(pool, live, replicas.address(), leftBehind), lease);
    draining.awaits(() -> journal.openLogs().size());
    this.leasesLost = metrics.counter("fengyu.leases.lost");
    Gauge.builder("fengyu.runs.active", journal, writer -> writer.openLogs().size())
        .tag("kind", "run")
        .description("Runs whose journal this process writes right now")
        .register(metrics);
    this.spooling =
        new Spooling(new Spool(Path.of(config.dataDir(), "spool", spoolName(replicas))), journal);
    journal.listenedToBy(new Appends());
  }

  // Several replicas may share the directory; each drains its own.
  private static String spoolName(Replicas replicas) {
    return replicas.address().replaceAll("[^A-Za-z0-9.-]", "_");
  }

  void start(@Observes StartupEvent started) {
    migrations.whenComplete(this::begin);
  }

  private void begin() {
    spooling
        .drain()
        .chain(stored -> recovery.atStart())
        .subscribe()
        .with(done -> {}, RunJournal::notRecovered);
    listener.listen(
        "agent_cancel", id -> cancelRequested(UUID.fromString(id)), this::lookForCancels);
    instances.onHeartbeat(this::beat);
  }

  private static void notRecovered(Throwable failure) {
    LOG.warnf("Runs of dead executors are looked for again later: %s", failure.getMessage());
  }

  void endangered(@Observes LeaseDanger danger) {
    if (executing()) {
      lease.giveUp("the database was silent for two thirds of it");
    }
  }

  /** What did not finish in time is recorded as interrupted here, not left to another process. */
  void deadline(@Observes Drain step) {
    if (step == Drain.DEADLINE) {
      interruptRuns();
    }
  }

  void stop(@Observes @Priority(AFTER_THE_EXECUTOR) ShutdownEvent stopped) {
    interruptRuns();
    journal.close();
  }

  private void interruptRuns() {
    if (!executing()) {
      return;
    }
    var executor = lease.executor();
    lease.giveUp("the process stops");
    try {
      Uni.createFrom()
          .completionStage(journal.idle())
          .chain(written -> recovery.givenUp(executor))
          .await()
          .atMost(LAST_WRITES);
    } catch (RuntimeException away) {
      LOG.warnf("Running work could not be recorded as interrupted: %s", away.getMessage());
    }
  }

  private Uni<Void> beat() {
    Uni<Void> renewed = executing() ? lease.renew() : Uni.createFrom().voidItem();
    return renewed.chain(done -> recovery.look(replicas.others()));
  }

  private boolean executing() {
    return !journal.openLogs().isEmpty();
  }

  /** This process, as its siblings know it. */
  UUID instance() {
    return instances.id();
  }

  /** Milliseconds without a sign of life after which a process counts as dead. */
  double silenceOfTheDead() {
    return instances.leaseTtl().toMillis();
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
      pool.preparedQuery(STOPPING)
          .execute(Tuple.of(runId))
          .subscribe()
          .with(
              done -> {},
              failure ->
                  LOG.warnf("Run %s is not shown stopping: %s", runId, failure.getMessage()));
    }
  }

  /** Stops the work on a run of that owner, if it is executed here; writes nothing itself. */
  void stopHere(String owner, UUID runId) {
    var log = journal.openLog(runId);
    if (log != null && log.live().owner().equals(owner)) {
      stops.forEach(signals -> signals.cancelRequested(runId));
    }
  }

  // What was sent while the connection was away is lost.
  private void lookForCancels() {
    var open = journal.openLogs().stream().map(JournalLog::runId).toArray(UUID[]::new);
    if (open.length > 0) {
      pool.preparedQuery(CANCELS)
          .execute(Tuple.tuple().addArrayOfUUID(open))
          .subscribe()
          .with(
              rows -> rows.forEach(row -> cancelRequested(row.getUUID(0))),
              failure -> LOG.warnf("Cancel requests are not read: %s", failure.getMessage()));
    }
  }

  private void leaseLost(UUID executor) {
    Collection<JournalLog> logs =
        journal.openLogs().stream().filter(log -> log.executor().equals(executor)).toList();
    leasesLost.increment(logs.size());
    recovery.abandoned(executor, logs);
    journal.lose(logs);
  }

  /** What follows from the fate of appends. */
  private final class Appends implements JournalListener {

    @Override
    public void stuck(List<JournalItem> items) {
      spooling.stuck(items);
    }

    @Override
    public void dropped(JournalLog log) {
      spooling.settled(log.runId());
    }

    @Override
    public void broken(JournalLog log) {
      live.leave(log.live());
      stops.forEach(signals -> signals.leaseLost(log.runId()));
      if (log.discards()) {
        recovery
            .unwritable(log)
            .subscribe()
            .with(done -> {}, failure -> LOG.errorf(failure, "Run %s is not ended", log.runId()));
      }
    }

    @Override
    public void stored(List<JournalItem> closing) {
      for (var item : closing) {
        spooling.settled(item.log.runId());
        if (item.ended()) {
          live.ended(item.log.live());
        } else {
          live.leave(item.log.live());
        }
      }
    }
  }
}
