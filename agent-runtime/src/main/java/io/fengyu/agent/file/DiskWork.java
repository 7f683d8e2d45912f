package io.fengyu.agent.file;

import io.quarkus.virtual.threads.VirtualThreads;
import io.smallrye.mutiny.Uni;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;

/** Takes blocking work on files off the event loop. */
@ApplicationScoped
class DiskWork {

  private final ExecutorService threads;

  DiskWork(@VirtualThreads ExecutorService threads) {
    this.threads = threads;
  }

  /** Something that blocks and may fail. */
  @FunctionalInterface
  interface Work {
    void run() throws Exception;
  }

  Uni<Void> run(Work work) {
    return call(() -> {
          work.run();
          return true;
        })
        .replaceWithVoid();
  }

  <T> Uni<T> call(Callable<T> work) {
    return Uni.createFrom()
        .<T>emitter(
            emitter -> {
              try {
                emitter.complete(work.call());
              } catch (Exception e) {
                emitter.fail(e);
              }
            })
        .runSubscriptionOn(threads);
  }
}
