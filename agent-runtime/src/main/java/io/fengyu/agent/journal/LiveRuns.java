package io.fengyu.agent.journal;

import jakarta.enterprise.context.ApplicationScoped;
import java.util.ArrayDeque;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The runs whose last events are in memory: those executed here, and the few that ended last, since
 * most clients open the stream of a short run after its end.
 */
@ApplicationScoped
class LiveRuns {

  private static final int MAX_ENDED = 256;
  private static final long MAX_ENDED_CHARS = 2 * 1024 * 1024;

  private final ConcurrentHashMap<UUID, LiveRun> runs = new ConcurrentHashMap<>();

  // Guarded by itself, never while blocking.
  private final ArrayDeque<LiveRun> ended = new ArrayDeque<>();
  private long endedChars;

  void add(LiveRun run) {
    runs.put(run.runId(), run);
  }

  @Nullable LiveRun find(UUID runId) {
    return runs.get(runId);
  }

  /** Nothing more will come from here, since the run is over: remembered while there is room. */
  void ended(LiveRun run) {
    synchronized (ended) {
      ended.addLast(run);
      endedChars += run.chars();
      while (ended.size() > MAX_ENDED || endedChars > MAX_ENDED_CHARS) {
        var oldest = ended.removeFirst();
        endedChars -= oldest.chars();
        runs.remove(oldest.runId(), oldest);
      }
    }
  }

  /** The run goes on elsewhere, or later: from here on the table tells. */
  void leave(LiveRun run) {
    runs.remove(run.runId(), run);
    run.leave();
  }
}
