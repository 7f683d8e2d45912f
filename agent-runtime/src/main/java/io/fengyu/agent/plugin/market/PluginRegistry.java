package io.fengyu.agent.plugin.market;

import io.fengyu.contract.db.Listener;
import io.fengyu.contract.db.Migrations;
import io.quarkus.runtime.StartupEvent;
import io.quarkus.virtual.threads.VirtualThreads;
import io.smallrye.mutiny.Uni;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * The installed packages, remembered until somebody changes them on any replica. While changes
 * can't be heard, they are remembered for a second only.
 */
@ApplicationScoped
public class PluginRegistry {

  private static final Logger LOG = Logger.getLogger(PluginRegistry.class);
  private static final Duration MEMORY = Duration.ofMinutes(5);
  private static final Duration DEAF_MEMORY = Duration.ofSeconds(1);
  // A database that was killed is back within that.
  private static final Duration PATIENCE = Duration.ofSeconds(25);

  private record Remembered(List<Installed> plugins, long since) {

    boolean youngerThan(Duration age) {
      return System.nanoTime() - since < age.toNanos();
    }
  }

  private final PluginStore store;
  private final Listener listener;
  private final Migrations migrations;
  private final ExecutorService threads;
  private final List<Consumer<List<Installed>>> observers = new CopyOnWriteArrayList<>();
  private final ReentrantLock telling = new ReentrantLock();
  private final AtomicLong changes = new AtomicLong();
  private volatile @Nullable Remembered known;

  PluginRegistry(
      PluginStore store,
      Listener listener,
      Migrations migrations,
      @VirtualThreads ExecutorService threads) {
    this.store = store;
    this.listener = listener;
    this.migrations = migrations;
    this.threads = threads;
  }

  void start(@Observes StartupEvent started) {
    listener.listen(PluginStore.CHANNEL, changed -> heard(), this::heard);
  }

  /** Calls an observer after every change, on a thread that may wait, one change at a time. */
  public void onChange(Consumer<List<Installed>> observer) {
    observers.add(observer);
  }

  /** The installed packages, oldest first. */
  public Uni<List<Installed>> all() {
    var remembered = known;
    return remembered != null && trusted(remembered)
        ? Uni.createFrom().item(remembered.plugins)
        : read();
  }

  /**
   * The same for a thread that may wait; waits only when something was changed.
   *
   * @throws RuntimeException when they can't be read
   */
  public List<Installed> now() {
    var remembered = known;
    return remembered != null && trusted(remembered)
        ? remembered.plugins
        : read().await().atMost(PATIENCE);
  }

  /** The package of that id, as {@link #now()}. */
  public Optional<Installed> find(String id) {
    return now().stream().filter(plugin -> plugin.id().equals(id)).findFirst();
  }

  /** Something was changed from here: emits once it has taken effect on this replica. */
  Uni<Void> changed() {
    forget();
    return Uni.createFrom()
        .<Void>emitter(
            emitter -> {
              tell();
              emitter.complete(null);
            })
        .runSubscriptionOn(threads);
  }

  private void heard() {
    forget();
    if (migrations.complete()) {
      threads.execute(this::tellOrLog);
    }
  }

  private void tellOrLog() {
    try {
      tell();
    } catch (RuntimeException away) {
      LOG.warnf("A change of the plugins takes effect later: %s", away.getMessage());
    }
  }

  private void tell() {
    telling.lock();
    try {
      var plugins = now();
      observers.forEach(observer -> observer.accept(plugins));
    } finally {
      telling.unlock();
    }
  }

  private void forget() {
    changes.incrementAndGet();
    known = null;
  }

  private boolean trusted(Remembered remembered) {
    return remembered.youngerThan(listener.connected() ? MEMORY : DEAF_MEMORY);
  }

  private Uni<List<Installed>> read() {
    return Uni.createFrom()
        .deferred(
            () -> {
              long before = changes.get();
              return store.all().invoke(found -> remember(found, before));
            });
  }

  // What was read while something changed may be older than the change.
  private void remember(List<Installed> found, long before) {
    known = new Remembered(found, System.nanoTime());
    if (changes.get() != before) {
      known = null;
    }
  }
}
