package io.fengyu.scheduler.execution;

import io.fengyu.scheduler.queue.StartedTask;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** One task while its body runs here. */
public final class RunningTask {

  /** Why a body has to end before it does so by itself; the first reason counts. */
  enum Stop {
    /** Somebody asked for it. */
    KILLED,
    TIME_LIMIT,
    /** This process may not go on. */
    INTERRUPTED
  }

  private final StartedTask task;
  private final AtomicReference<@Nullable Stop> stop = new AtomicReference<>();
  private final AtomicReference<@Nullable Runnable> canceller = new AtomicReference<>();

  RunningTask(StartedTask task) {
    this.task = task;
  }

  /** What was submitted. */
  public StartedTask task() {
    return task;
  }

  /** True once the body has to end. */
  public boolean stopped() {
    return stop.get() != null;
  }

  @Nullable Stop reason() {
    return stop.get();
  }

  /**
   * Attaches what ends the body. Called once; runs exactly once when the end is asked for, and at
   * once when it was asked for before.
   */
  public void onCancel(Runnable ender) {
    canceller.set(ender);
    callIfStopped();
  }

  void stop(Stop reason) {
    stop.compareAndSet(null, reason);
    callIfStopped();
  }

  // Request and attachment each look for the other after having shown themselves; whoever takes
  // the canceller out runs it.
  private void callIfStopped() {
    if (stop.get() == null) {
      return;
    }
    var ender = canceller.getAndSet(null);
    if (ender != null) {
      ender.run();
    }
  }
}
