package io.fengyu.agent.journal;

import io.smallrye.mutiny.Multi;
import io.smallrye.mutiny.Uni;
import java.util.Collection;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;

/** When to look for what executors left behind; costs nothing while this process is alone. */
final class Recovery {

  private final Reconciler reconciler;
  private final Lease lease;
  private final Map<UUID, Collection<JournalLog>> abandoned = new ConcurrentHashMap<>();
  private volatile boolean othersKnown;

  Recovery(Reconciler reconciler, Lease lease) {
    this.reconciler = reconciler;
    this.lease = lease;
  }

  Uni<Void> atStart() {
    return lookAtOthers();
  }

  /**
   * One look, in the rhythm of the heartbeat.
   *
   * @param others true when other processes live
   */
  Uni<Void> look(boolean others) {
    return lookAtAbandoned()
        .chain(done -> others || othersKnown ? lookAtOthers() : Uni.createFrom().voidItem());
  }

  private Uni<Void> lookAtOthers() {
    return reconciler
        .deadExecutors(lease.executor())
        .invoke(left -> othersKnown = left)
        .replaceWithVoid();
  }

  /** This process does nothing any more under that name; what is queued may still be written. */
  void abandoned(UUID executor, Collection<JournalLog> logs) {
    abandoned.put(executor, logs);
  }

  private Uni<Void> lookAtAbandoned() {
    var written =
        abandoned.entrySet().stream()
            .filter(entry -> entry.getValue().stream().allMatch(log -> log.pending() == 0))
            .map(Map.Entry::getKey)
            .toList();
    return Multi.createFrom()
        .iterable(written)
        .onItem()
        .transformToUniAndConcatenate(this::givenUp)
        .collect()
        .asList()
        .replaceWithVoid();
  }

  /** Interrupts what ran under a name that this process has given up. */
  Uni<Void> givenUp(UUID executor) {
    return reconciler.givenUp(executor).invoke(() -> abandoned.remove(executor));
  }

  /** Ends a run whose events the database refuses. */
  Uni<Void> unwritable(JournalLog log) {
    return reconciler.unwritable(log.executor(), log.runId());
  }
}
