package io.fengyu.agent.run;

import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** Runs the steps of one level at the same time, and returns when all of them have ended. */
final class LevelRun {

  private final RunState state;
  private final RunWriter writer;
  private final StepNotes notes;
  private final RunHooks hooks;

  LevelRun(RunScope scope, StepNotes notes) {
    this.state = scope.state();
    this.writer = scope.writer();
    this.notes = notes;
    this.hooks = scope.hooks();
  }

  void run(List<ReadyStep> ready) {
    ready.forEach(notes::started);
    writer.flush();
    if (ready.size() == 1) {
      finish(ready.getFirst(), System.nanoTime());
    } else if (!ready.isEmpty()) {
      runTogether(ready);
    }
    for (var step : ready) {
      if (state.run(step.index()).settled()) {
        state.settle(step.index());
      }
    }
  }

  private void runTogether(List<ReadyStep> ready) {
    var left = new AtomicInteger(ready.size());
    var done = new CountDownLatch(ready.size());
    var fault = new AtomicReference<@Nullable RuntimeException>();
    long started = System.nanoTime();
    for (var step : ready) {
      Thread.startVirtualThread(
          () -> {
            try {
              finish(step, started, left);
            } catch (RuntimeException e) {
              fault.set(e);
            } finally {
              done.countDown();
            }
          });
    }
    awaitQuietly(done);
    var thrown = fault.get();
    if (thrown != null) {
      throw thrown;
    }
  }

  // Steps always come back, if only because their tools were interrupted.
  private static void awaitQuietly(CountDownLatch done) {
    boolean interrupted = false;
    while (true) {
      try {
        done.await();
        break;
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  /** The last of a level leaves its end to be written with what follows. */
  private void finish(ReadyStep step, long started, AtomicInteger left) {
    finish(step, started);
    if (left.decrementAndGet() > 0) {
      writer.flush();
    }
  }

  private void finish(ReadyStep step, long started) {
    var end = step.call().run();
    notes.ended(step.plan(), end, (System.nanoTime() - started) / 1_000_000);
    if (!step.plan().pinned()) {
      tell(step.plan(), end);
    }
  }

  private void tell(StepPlan plan, StepEnd end) {
    switch (end) {
      case StepEnd.Completed completed ->
          hooks.called(plan.tool(), plan.shownArgs(), true, completed.result());
      case StepEnd.Failed failed when failed.attempts() > 0 ->
          hooks.called(plan.tool(), plan.shownArgs(), false, failed.error());
      default -> {}
    }
  }
}
