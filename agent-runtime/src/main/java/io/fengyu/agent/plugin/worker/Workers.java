package io.fengyu.agent.plugin.worker;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fengyu.agent.plugin.market.Installed;
import io.fengyu.agent.plugin.market.PluginRegistry;
import io.fengyu.agent.setting.SettingsReader;
import io.fengyu.agent.tool.command.Sandbox;
import io.quarkus.runtime.StartupEvent;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.ReentrantLock;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * The processes of all plugins on this replica. One is started with the first call that needs it,
 * and ends with its plugin, with this process, or when nobody has called it for long.
 */
@ApplicationScoped
public class Workers {

  private static final Logger LOG = Logger.getLogger(Workers.class);
  private static final Duration END_WITHIN = Duration.ofSeconds(10);
  // Settings of everybody are part of anybody's.
  private static final String ANYBODY = "";

  private final PluginRegistry registry;
  private final SettingsReader settings;
  private final WorkerStarts starts;
  private final WorkerConfig config;
  private final Map<WorkerKey, Slot> slots = new ConcurrentHashMap<>();
  private final Map<String, Failures> failures = new ConcurrentHashMap<>();
  private final ReentrantLock room = new ReentrantLock();

  Workers(
      PluginRegistry registry, SettingsReader settings, WorkerStarts starts, WorkerConfig config) {
    this.registry = registry;
    this.settings = settings;
    this.starts = starts;
    this.config = config;
  }

  /** Where the process of a key is, if there is one. */
  private static final class Slot {

    final ReentrantLock lock = new ReentrantLock();
    volatile @Nullable Worker worker;

    @Nullable Worker usable() {
      var now = worker;
      return now != null && now.usable() ? now : null;
    }
  }

  /** How often the processes of a package broke in a row, and until when none is started. */
  private record Failures(int inARow, long notBefore) {}

  /**
   * One call.
   *
   * @param context who calls; goes beside the parameters
   * @param readable places beyond its own that the process has to see
   * @param writable places it may write into as well
   * @param timeout the process is killed after that
   */
  public record Call(
      String method,
      ObjectNode params,
      ObjectNode context,
      List<Path> readable,
      List<Path> writable,
      Duration timeout) {}

  void start(@Observes StartupEvent started) {
    registry.onChange(this::keepOnly);
  }

  /**
   * Calls a method of a plugin and waits for the answer.
   *
   * @throws InterruptedException when the caller was stopped; nothing is at work for it any more
   */
  public JsonNode call(Installed plugin, Call call) throws WorkerException, InterruptedException {
    boolean sandboxed = sandboxed();
    var key = WorkerKey.of(plugin, sandboxed, call.readable(), call.writable());
    return worker(plugin, key).call(call.method(), call.params(), call.context(), call.timeout());
  }

  private boolean sandboxed() throws WorkerException {
    if (settings.now(ANYBODY).deployment().unsandboxedPlugins()) {
      return false;
    }
    boolean available = starts.backend() != Sandbox.Backend.NONE;
    if (!available && config.sandboxRequired()) {
      throw WorkerException.notDone("plugins need a sandbox here, and none is available");
    }
    return available;
  }

  private Worker worker(Installed plugin, WorkerKey key)
      throws WorkerException, InterruptedException {
    while (true) {
      var slot = slots.computeIfAbsent(key, fresh -> new Slot());
      var running = slot.usable();
      if (running != null) {
        return running;
      }
      slot.lock.lockInterruptibly();
      try {
        // Whoever takes a slot away holds its lock.
        if (same(slots.get(key), slot)) {
          running = slot.usable();
          return running == null ? startedIn(slot, plugin, key) : running;
        }
      } finally {
        slot.lock.unlock();
      }
    }
  }

  @SuppressWarnings("ReferenceEquality") // a slot is a place
  private static boolean same(@Nullable Slot one, Slot other) {
    return one == other;
  }

  private Worker startedIn(Slot slot, Installed plugin, WorkerKey key)
      throws WorkerException, InterruptedException {
    try {
      return started(plugin, key, slot);
    } finally {
      if (slot.usable() == null) {
        slots.remove(key, slot);
      }
    }
  }

  private void vacate(WorkerKey key, Slot slot) {
    slot.lock.lock();
    try {
      if (slot.usable() == null) {
        slots.remove(key, slot);
      }
    } finally {
      slot.lock.unlock();
    }
  }

  private Worker started(Installed plugin, WorkerKey key, Slot slot)
      throws WorkerException, InterruptedException {
    checkPause(plugin);
    endOthers(key);
    makeRoom();
    try {
      var child = starts.start(plugin, key);
      var worker =
          new Worker(
              plugin.id(),
              child,
              key.forFiles() ? config.idleWithFiles() : config.idle(),
              config.cancelGrace(),
              () -> failures.remove(plugin.digest()),
              () -> failed(plugin));
      slot.worker = worker;
      var unused = worker.gone().thenRun(() -> vacate(key, slot));
      LOG.infof("Plugin %s runs as process %d", plugin.id(), worker.pid());
      checkStillInstalled(plugin, worker);
      return worker;
    } catch (IOException notStarted) {
      failed(plugin);
      LOG.warnf("Plugin %s cannot be started: %s", plugin.id(), notStarted);
      throw WorkerException.notDone("the plugin " + plugin.id() + " cannot be started");
    }
  }

  // Whoever switched it off meanwhile has not seen this process.
  private void checkStillInstalled(Installed plugin, Worker worker) throws WorkerException {
    if (!registry.find(plugin.id()).map(now -> same(plugin, now)).orElse(false)) {
      worker.end("the plugin was switched off");
      throw WorkerException.notDone("the plugin " + plugin.id() + " was switched off");
    }
  }

  private static boolean same(Installed plugin, Installed now) {
    return now.enabled() && now.digest().equals(plugin.digest());
  }

  private void checkPause(Installed plugin) throws WorkerException {
    var before = failures.get(plugin.digest());
    long left = before == null ? 0 : before.notBefore - System.nanoTime();
    if (before != null && left > 0) {
      throw WorkerException.notDone(
          "the plugin %s broke %d times in a row; it is started again in %d s"
              .formatted(plugin.id(), before.inARow, left / 1_000_000_000 + 1));
    }
  }

  private void failed(Installed plugin) {
    failures.merge(
        plugin.digest(),
        new Failures(1, System.nanoTime()),
        (before, first) ->
            new Failures(before.inARow + 1, System.nanoTime() + pause(before.inARow).toNanos()));
  }

  private Duration pause(int failuresBefore) {
    var pause = config.firstPause().multipliedBy(1L << Math.min(20, failuresBefore - 1));
    return pause.compareTo(config.longestPause()) > 0 ? config.longestPause() : pause;
  }

  /** Nobody will call a process again that is confined otherwise than processes are now. */
  private void endOthers(WorkerKey key) {
    slots.forEach(
        (other, slot) -> {
          var worker = slot.usable();
          if (worker != null
              && worker.unused()
              && other.pluginId().equals(key.pluginId())
              && other.sandboxed() != key.sandboxed()) {
            worker.end("the sandbox was switched");
          }
        });
  }

  /** Ends the one that was unused for longest when there are too many. */
  private void makeRoom() throws WorkerException {
    room.lock();
    try {
      var running = running();
      if (running.size() < config.most()) {
        return;
      }
      running.stream()
          .filter(Worker::unused)
          .min(Comparator.comparingLong(Worker::lastUsed))
          .orElseThrow(() -> WorkerException.notDone("too many plugins are at work here"))
          .end("others needed its place");
    } finally {
      room.unlock();
    }
  }

  private List<Worker> running() {
    var running = new ArrayList<Worker>();
    for (var slot : slots.values()) {
      var worker = slot.usable();
      if (worker != null) {
        running.add(worker);
      }
    }
    return running;
  }

  /** Ends what belongs to no package as it is now; returns when it has ended. */
  private void keepOnly(List<Installed> plugins) {
    var ends = new ArrayList<CompletableFuture<Void>>();
    slots.forEach(
        (key, slot) -> {
          var worker = slot.worker;
          if (worker != null && plugins.stream().noneMatch(plugin -> keeps(plugin, key))) {
            worker.end("the plugin was switched off");
            ends.add(worker.gone());
          }
        });
    failures
        .keySet()
        .removeIf(digest -> plugins.stream().noneMatch(plugin -> plugin.digest().equals(digest)));
    await(ends);
  }

  private static boolean keeps(Installed plugin, WorkerKey key) {
    return plugin.enabled() && plugin.digest().equals(key.digest());
  }

  private static void await(List<CompletableFuture<Void>> ends) {
    try {
      CompletableFuture.allOf(ends.toArray(CompletableFuture[]::new))
          .get(END_WITHIN.toMillis(), TimeUnit.MILLISECONDS);
    } catch (TimeoutException | ExecutionException lives) {
      LOG.error("A process of a plugin that was switched off does not end");
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
    }
  }

  /**
   * A living process.
   *
   * @param calls that wait for it right now
   * @param forFiles true when it was started for the files of a run
   * @param log the end of what it complains about
   */
  public record Running(
      long pid,
      Instant startedAt,
      int calls,
      boolean sandboxed,
      String sandboxBackend,
      boolean forFiles,
      String log) {}

  /** Those of a plugin. */
  public List<Running> running(String pluginId) {
    var all = new ArrayList<Running>();
    slots.forEach(
        (key, slot) -> {
          var worker = slot.usable();
          if (worker != null && key.pluginId().equals(pluginId)) {
            var backend = key.sandboxed() ? starts.backend() : Sandbox.Backend.NONE;
            all.add(
                new Running(
                    worker.pid(),
                    worker.startedAt(),
                    worker.calls(),
                    key.sandboxed(),
                    backend.wire(),
                    key.forFiles(),
                    worker.log()));
          }
        });
    return all;
  }

  /** How often the processes of a package broke since one last gave an answer. */
  public int failures(Installed plugin) {
    var known = failures.get(plugin.digest());
    return known == null ? 0 : known.inARow;
  }
}
