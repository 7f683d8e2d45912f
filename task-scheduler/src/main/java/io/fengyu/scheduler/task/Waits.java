package io.fengyu.scheduler.task;

import io.smallrye.mutiny.Uni;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.function.Predicate;

/** Waits for ends of tasks without holding anything but the caller's request. */
@ApplicationScoped
class Waits {

  private static final Duration LOOK_AGAIN = Duration.ofSeconds(5);
  private static final Duration LOOK_AGAIN_DEAF = Duration.ofMillis(800);

  private final TaskHistory history;
  private final Bells bells;

  Waits(TaskHistory history, Bells bells) {
    this.history = history;
    this.bells = bells;
  }

  /** Emits the tasks as soon as they are as wanted, or as they are when the time is up. */
  Uni<List<TaskSnapshot>> until(
      String owner, Set<UUID> ids, Predicate<List<TaskSnapshot>> wanted, Duration atMost) {
    return until(owner, ids, wanted, System.nanoTime() + atMost.toNanos());
  }

  // The bell hangs before the look, so that an end in between is not missed.
  private Uni<List<TaskSnapshot>> until(
      String owner, Set<UUID> ids, Predicate<List<TaskSnapshot>> wanted, long deadline) {
    return Uni.createFrom()
        .deferred(
            () -> {
              var bell = bells.hang(ids);
              return history
                  .find(owner, ids)
                  .chain(
                      found -> {
                        var left = Duration.ofNanos(deadline - System.nanoTime());
                        return wanted.test(found) || !left.isPositive()
                            ? Uni.createFrom().item(found)
                            : Uni.createFrom()
                                .completionStage(bell.rung())
                                .ifNoItem()
                                .after(shorter(left))
                                .recoverWithItem((Void) null)
                                .chain(() -> until(owner, ids, wanted, deadline));
                      })
                  .onTermination()
                  .invoke(() -> bells.giveBack(ids, bell));
            });
  }

  private Duration shorter(Duration left) {
    var pause = bells.hears() ? LOOK_AGAIN : LOOK_AGAIN_DEAF;
    return left.compareTo(pause) < 0 ? left : pause;
  }
}
