package io.fengyu.contract.instance;

import io.fengyu.contract.db.Listener;
import io.fengyu.contract.db.Migrations;
import io.quarkus.runtime.ShutdownEvent;
import io.quarkus.runtime.StartupEvent;
import io.smallrye.mutiny.Uni;
import io.vertx.core.Vertx;
import io.vertx.sqlclient.Tuple;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Event;
import jakarta.enterprise.event.Observes;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import org.eclipse.microprofile.config.inject.ConfigProperty;
import org.jboss.logging.Logger;

/** This process among the replicas of its service: registered, alive by the database's clock. */
@ApplicationScoped
public class Instances {

  private static final Logger LOG = Logger.getLogger(Instances.class);
  private static final Duration GOODBYE = Duration.ofSeconds(2);

  // Sign of life, count of the living and sweep of the long dead in one round trip; index
  // instances_by_heartbeat. SKIP LOCKED: replicas that sweep at once don't wait for each other.
  private static final String BEAT =
      """
      WITH beat AS (
        INSERT INTO platform.instances (id, service, address)
        VALUES ($1, $2, $3)
        ON CONFLICT (id) DO UPDATE SET heartbeat_at = now()
      ), swept AS (
        DELETE FROM platform.instances
         WHERE id IN (SELECT id
                        FROM platform.instances
                       WHERE service = $2 AND heartbeat_at < now() - interval '1 hour'
                       LIMIT 100
                         FOR UPDATE SKIP LOCKED)
      )
      SELECT count(*)::int AS others
        FROM platform.instances
       WHERE service = $2 AND id <> $1
         AND heartbeat_at > now() - $4::float8 * interval '1 millisecond'""";

  private static final String LEAVE = "DELETE FROM platform.instances WHERE id = $1";

  private final UUID id = UUID.randomUUID();
  private final InstanceConfig config;
  private final Listener listener;
  private final Migrations migrations;
  private final Vertx vertx;
  private final Event<LeaseDanger> danger;
  private final String service;
  private final String address;
  private final List<Supplier<Uni<Void>>> hooks = new CopyOnWriteArrayList<>();
  private final AtomicBoolean beating = new AtomicBoolean();
  private volatile int liveReplicas = 1;
  private volatile long lastBeat = System.nanoTime();
  private volatile boolean registered;
  private volatile boolean endangered;
  private volatile boolean stopping;

  Instances(
      InstanceConfig config,
      Listener listener,
      Migrations migrations,
      Vertx vertx,
      Event<LeaseDanger> danger,
      @ConfigProperty(name = "quarkus.application.name") String service,
      @ConfigProperty(name = "fengyu.address") String address) {
    this.config = config;
    this.listener = listener;
    this.migrations = migrations;
    this.vertx = vertx;
    this.danger = danger;
    this.service = service;
    this.address = address;
  }

  /** Of this boot; a restarted process is another instance. */
  public UUID id() {
    return id;
  }

  /** After so long without a sign of life a process counts as dead. */
  public Duration leaseTtl() {
    return config.leaseTtl();
  }

  /** Living processes of this service, this one included, as of the last heartbeat. */
  public int liveReplicas() {
    return liveReplicas;
  }

  /** True while the row of this process is fresh enough that nobody takes its work over. */
  public boolean alive() {
    return registered && !endangered;
  }

  /** Time since the database last heard of this process. */
  public Duration silence() {
    return Duration.ofNanos(System.nanoTime() - lastBeat);
  }

  /** Adds work to every successful heartbeat, such as renewing leases; its failures are logged. */
  public void onHeartbeat(Supplier<Uni<Void>> hook) {
    hooks.add(hook);
  }

  void start(@Observes StartupEvent started) {
    migrations.whenComplete(
        () -> {
          listener.onConnected(this::beat);
          vertx.setPeriodic(config.heartbeatInterval().toMillis(), timer -> beat());
          vertx.setPeriodic(checkMs(), timer -> check());
          beat();
        });
  }

  void stop(@Observes ShutdownEvent stopped) {
    stopping = true;
    if (!registered) {
      return;
    }
    try {
      listener.query(LEAVE, Tuple.of(id)).await().atMost(GOODBYE);
    } catch (RuntimeException away) {
      LOG.warnf("This instance could not sign off: %s", away.getMessage());
    }
  }

  private void beat() {
    if (stopping || !listener.connected() || !beating.compareAndSet(false, true)) {
      return;
    }
    var sent = System.nanoTime();
    listener
        .query(BEAT, Tuple.of(id, service, address, (double) config.leaseTtl().toMillis()))
        .onTermination()
        .invoke(() -> beating.set(false))
        .subscribe()
        .with(rows -> heard(sent, rows.iterator().next().getInteger("others")), this::missed);
  }

  private void heard(long sent, int others) {
    lastBeat = sent;
    liveReplicas = others + 1;
    registered = true;
    endangered = false;
    for (var hook : hooks) {
      hook.get().subscribe().with(done -> {}, failed -> LOG.warnf(failed, "Heartbeat work failed"));
    }
  }

  private void missed(Throwable failure) {
    LOG.warnf("A heartbeat was missed: %s", failure.getMessage());
  }

  private void check() {
    var silence = silence();
    if (registered && !endangered && silence.compareTo(dangerous()) > 0) {
      endangered = true;
      danger.fire(new LeaseDanger(silence));
    }
  }

  private Duration dangerous() {
    return config.leaseTtl().multipliedBy(2).dividedBy(3);
  }

  private long checkMs() {
    return Math.max(100, config.heartbeatInterval().toMillis() / 5);
  }
}
