package io.fengyu.scheduler.execution;

import io.smallrye.mutiny.Uni;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;

/** A body that ends when a test says so, or when it is stopped. */
@ApplicationScoped
class HeldBody implements TaskBody {

  static final String KIND = "held";

  private final ConcurrentHashMap<UUID, CompletableFuture<BodyEnd>> running =
      new ConcurrentHashMap<>();

  @Override
  public boolean runs(String kind) {
    return kind.equals(KIND);
  }

  @Override
  public Uni<BodyEnd> run(RunningTask task) {
    var end = new CompletableFuture<BodyEnd>();
    running.put(task.task().id(), end);
    task.onCancel(() -> end.complete(BodyEnd.completed("stopped in time")));
    return Uni.createFrom().completionStage(end);
  }

  void end(UUID task, BodyEnd end) {
    var body = running.remove(task);
    if (body == null) {
      throw new IllegalStateException("that task does not run");
    }
    body.complete(end);
  }

  boolean runs(UUID task) {
    return running.containsKey(task);
  }
}
