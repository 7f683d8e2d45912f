package io.fengyu.agent.tool.excel;

import io.fengyu.agent.tool.ToolCall;
import io.smallrye.mutiny.infrastructure.Infrastructure;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/**
 * Computes for seconds without keeping the carriers of virtual threads, which every other step
 * needs, and only a little of it at a time.
 */
final class HeavyWork {

  private static final Semaphore ROOM =
      new Semaphore(Math.max(1, Runtime.getRuntime().availableProcessors() - 1), true);
  private static final long LOOK_EVERY_MS = 200;

  private HeavyWork() {}

  /** Returns or fails as the work does; when interrupted, after the work has ended. */
  static <T> T run(ToolCall call, CallStop stop, Callable<T> work) throws Exception {
    while (!ROOM.tryAcquire(LOOK_EVERY_MS, TimeUnit.MILLISECONDS)) {
      if (call.cancelled().getAsBoolean()) {
        throw new InterruptedException("cancelled while waiting for room");
      }
    }
    try {
      return finish(start(work), stop);
    } finally {
      ROOM.release();
    }
  }

  private static <T> CompletableFuture<T> start(Callable<T> work) {
    return CompletableFuture.supplyAsync(
        () -> {
          try {
            return work.call();
          } catch (Exception e) {
            throw new CompletionException(e);
          }
        },
        Infrastructure.getDefaultWorkerPool());
  }

  private static <T> T finish(CompletableFuture<T> result, CallStop stop) throws Exception {
    boolean interrupted = false;
    while (true) {
      try {
        var value = result.get();
        if (interrupted) {
          Thread.currentThread().interrupt();
        }
        return value;
      } catch (InterruptedException e) {
        interrupted = true;
        stop.interrupt();
      } catch (ExecutionException e) {
        throw e.getCause() instanceof Exception cause ? cause : e;
      }
    }
  }
}
