package io.fengyu.agent.journal;

import jakarta.enterprise.context.ApplicationScoped;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The runs whose last events are in memory, and who waits for more of any run. In memory are those
 * executed here and the few that ended last, since most clients open the stream of a short run
 * after its end.
 */
@ApplicationScoped
class LiveRuns {

  private static final int MAX_ENDED = 256;
  private static final long MAX_ENDED_CHARS = 2 * 1024 * 1024;

  private final ConcurrentHashMap<UUID, LiveRun> runs = new ConcurrentHashMap<>();
  private final ConcurrentHashMap<UUID, List<Runnable>> watchers = new ConcurrentHashMap<>();

  // Guarded by itself, never while blocking.
  private final ArrayDeque<LiveRun> ended = new ArrayDeque<>();
  private long endedChars;

  /** A run begins, or goes on, here. */
  void add(LiveRun run) {
    runs.put(run.runId(), run);
    wake(run.runId());
  }

  @Nullable LiveRun find(UUID runId) {
    return runs.get(runId);
  }

  /** Shows committed events to whoever watches. */
  void publish(LiveRun run, List<StoredEvent> committed) {
    if (!committed.isEmpty()) {
      run.publish(committed);
      wake(run.runId());
    }
  }

  /** Shows a fragment before it is stored, if it is the next one. */
  void show(LiveRun run, StoredEvent fragment) {
    if (run.show(fragment)) {
      wake(run.runId());
    }
  }

  /** The run is over: remembered while there is room. */
  void ended(LiveRun run) {
    synchronized (ended) {
      ended.addLast(run);
      endedChars += run.chars();
      while (ended.size() > MAX_ENDED || endedChars > MAX_ENDED_CHARS) {
        var oldest = ended.removeFirst();
        endedChars -= oldest.chars();
        runs.remove(oldest.runId(), oldest);
        oldest.leave();
      }
    }
  }

  /** The run goes on elsewhere, or later: from here on the table tells. */
  void leave(LiveRun run) {
    runs.remove(run.runId(), run);
    run.leave();
    wake(run.runId());
  }

  /** Makes whoever watches this run look for more. */
  void wake(UUID runId) {
    var waiting = watchers.get(runId);
    if (waiting != null) {
      waiting.forEach(Runnable::run);
    }
  }

  /** Makes everybody look. */
  void wakeAll() {
    watchers.keySet().forEach(this::wake);
  }

  /** Calls {@code wake}, which must return at once, whenever there may be more of the run. */
  void watch(UUID runId, Runnable wake) {
    watchers.compute(runId, (id, before) -> plus(before, wake));
  }

  void unwatch(UUID runId, Runnable wake) {
    watchers.computeIfPresent(runId, (id, before) -> without(before, wake));
  }

  /** Watched runs that this process does not execute. */
  Set<UUID> watchedElsewhere() {
    var elsewhere = new java.util.HashSet<>(watchers.keySet());
    elsewhere.removeAll(runs.keySet());
    return elsewhere;
  }

  private static List<Runnable> plus(@Nullable List<Runnable> before, Runnable wake) {
    if (before == null) {
      return List.of(wake);
    }
    var after = new java.util.ArrayList<>(before);
    after.add(wake);
    return List.copyOf(after);
  }

  private static @Nullable List<Runnable> without(List<Runnable> before, Runnable wake) {
    var after = before.stream().filter(each -> !each.equals(wake)).toList();
    return after.isEmpty() ? null : after;
  }
}
