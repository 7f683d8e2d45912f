package io.fengyu.agent.hook;

import jakarta.enterprise.context.ApplicationScoped;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import org.jboss.logging.Logger;

/**
 * Lets hooks observe what has happened without anybody waiting for them: what happens in one run
 * one after another, what happens in several at the same time.
 */
@ApplicationScoped
class Observers {

  private static final Logger LOG = Logger.getLogger(Observers.class);
  private static final int MOST_WAITING = 1_000;

  private final Semaphore room = new Semaphore(MOST_WAITING);
  private final ConcurrentHashMap<UUID, CompletableFuture<Void>> last = new ConcurrentHashMap<>();

  /** Runs a task after all before it of the same work; drops it when far too many wait. */
  void then(UUID work, Runnable task) {
    if (!room.tryAcquire()) {
      LOG.warnf("Hooks are not told of something in %s: too many of them wait", work);
      return;
    }
    last.compute(
        work,
        (id, before) -> {
          CompletableFuture<Void> start =
              before == null ? CompletableFuture.completedFuture(null) : before;
          return start.thenRunAsync(() -> run(task), each -> Thread.ofVirtual().start(each));
        });
    last.computeIfPresent(
        work,
        (id, newest) -> {
          var unused = newest.thenRun(() -> last.remove(id, newest));
          return newest;
        });
  }

  private void run(Runnable task) {
    try {
      task.run();
    } catch (RuntimeException fault) {
      LOG.error("A hook could not be told of something", fault);
    } finally {
      room.release();
    }
  }
}
