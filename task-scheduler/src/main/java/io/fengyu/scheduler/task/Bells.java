package io.fengyu.scheduler.task;

import io.fengyu.contract.db.Listener;
import io.fengyu.scheduler.queue.Turns;
import io.quarkus.runtime.StartupEvent;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import java.util.Collection;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;

/** Wakes who waits for tasks when one of them ends, on whatever replica. */
@ApplicationScoped
class Bells {

  /** One wait. */
  static final class Bell {

    private final CompletableFuture<Void> rung;

    private Bell(CompletableFuture<Void> rung) {
      this.rung = rung;
    }

    /** Completes when one of the tasks ends. */
    CompletableFuture<Void> rung() {
      return rung;
    }
  }

  private final Listener listener;
  private final Turns turns;
  private final ConcurrentHashMap<UUID, Set<Bell>> bells = new ConcurrentHashMap<>();

  Bells(Listener listener, Turns turns) {
    this.listener = listener;
    this.turns = turns;
  }

  void start(@Observes StartupEvent started) {
    turns.onEnd(ids -> ids.forEach(this::ring));
    listener.listen(
        "fengyu_task_end",
        payload -> ring(UUID.fromString(payload)),
        () -> bells.keySet().forEach(this::ring));
  }

  /** False while ends on other replicas are not heard of. */
  boolean hears() {
    return listener.connected();
  }

  /** Completes when one of the tasks ends; whoever got it gives it back. */
  Bell hang(Collection<UUID> ids) {
    var bell = new Bell(new CompletableFuture<>());
    ids.forEach(
        id ->
            bells.compute(
                id,
                (same, all) -> {
                  var set = all == null ? ConcurrentHashMap.<Bell>newKeySet() : all;
                  set.add(bell);
                  return set;
                }));
    return bell;
  }

  void giveBack(Collection<UUID> ids, Bell bell) {
    ids.forEach(
        id ->
            bells.computeIfPresent(
                id,
                (same, all) -> {
                  all.remove(bell);
                  return all.isEmpty() ? null : all;
                }));
  }

  private void ring(UUID id) {
    var waiting = bells.get(id);
    if (waiting != null) {
      waiting.forEach(bell -> bell.rung.complete(null));
    }
  }
}
