package io.fengyu.agent.setting;

import io.fengyu.contract.db.Listener;
import io.quarkus.runtime.StartupEvent;
import io.smallrye.mutiny.Uni;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import java.time.Duration;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Settings as they are now, remembered until somebody changes them on any replica. While changes
 * can't be heard, they are remembered for a second only.
 */
@ApplicationScoped
public class SettingsReader {

  private static final Duration MEMORY = Duration.ofMinutes(5);
  private static final Duration DEAF_MEMORY = Duration.ofSeconds(1);
  // A database that was killed is back within that.
  private static final Duration PATIENCE = Duration.ofSeconds(25);
  private static final int MOST = 10_000;

  private record Remembered(Settings settings, long since) {

    boolean youngerThan(Duration age) {
      return System.nanoTime() - since < age.toNanos();
    }
  }

  private final SettingsStore store;
  private final Listener listener;
  private final ConcurrentHashMap<String, Remembered> known = new ConcurrentHashMap<>();
  private final AtomicLong changes = new AtomicLong();

  SettingsReader(SettingsStore store, Listener listener) {
    this.store = store;
    this.listener = listener;
  }

  void start(@Observes StartupEvent started) {
    listener.listen(SettingsStore.CHANNEL, this::changed, this::forget);
  }

  /** The settings in force for an owner. */
  public Uni<Settings> of(String owner) {
    var remembered = known.get(owner);
    return remembered != null && trusted(remembered)
        ? Uni.createFrom().item(remembered.settings)
        : read(owner);
  }

  /**
   * The same for a thread that may wait; waits only when something was changed.
   *
   * @throws RuntimeException when they can't be read
   */
  public Settings now(String owner) {
    var remembered = known.get(owner);
    return remembered != null && trusted(remembered)
        ? remembered.settings
        : read(owner).await().atMost(PATIENCE);
  }

  private boolean trusted(Remembered remembered) {
    return remembered.youngerThan(listener.connected() ? MEMORY : DEAF_MEMORY);
  }

  private Uni<Settings> read(String owner) {
    return Uni.createFrom()
        .deferred(
            () -> {
              long before = changes.get();
              return store.read(owner).invoke(found -> remember(owner, found, before));
            });
  }

  // What was read while something changed may be older than the change.
  private void remember(String owner, Settings found, long before) {
    if (known.size() >= MOST) {
      known.clear();
    }
    known.put(owner, new Remembered(found, System.nanoTime()));
    if (changes.get() != before) {
      known.remove(owner);
    }
  }

  /** Nothing remembered of an owner, or of anybody for the empty name, is used any more. */
  void changed(String owner) {
    changes.incrementAndGet();
    if (owner.isEmpty()) {
      known.clear();
    } else {
      known.remove(owner);
    }
  }

  private void forget() {
    changed("");
  }
}
