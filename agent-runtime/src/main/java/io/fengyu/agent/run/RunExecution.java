package io.fengyu.agent.run;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fengyu.agent.file.RunFiles;
import io.fengyu.agent.file.RunFiles.RunPlaces;
import io.fengyu.agent.guard.Guard;
import io.fengyu.agent.guard.Verdict;
import io.fengyu.agent.journal.CancelEvents;
import io.fengyu.agent.journal.Change;
import io.fengyu.agent.journal.EventType;
import io.fengyu.agent.journal.FencedException;
import io.fengyu.agent.journal.RunLog;
import io.fengyu.agent.journal.RunStatus;
import io.fengyu.agent.plan.PlanningRequest.Failed;
import io.fengyu.agent.tool.ToolException;
import io.fengyu.contract.plan.UnresolvedReferenceException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * Executes a plan level by level from wherever it stands, until the run ends or pauses. Runs on one
 * virtual thread; the steps of a level with more than one have a thread each.
 */
final class RunExecution {

  private static final Logger LOG = Logger.getLogger(RunExecution.class);
  private static final String TOO_MUCH =
      "the results of the run are longer than " + RunSize.RUN + " characters in all";
  private static final Duration FILES_READY_WITHIN = Duration.ofSeconds(30);

  private final RunWork work;
  private final RunState state;
  private final RunWriter writer;
  private final StopFlag stop;
  private final Guard guard;
  private final RunFiles files;
  private final boolean mayReplan;
  private @Nullable RunPlaces places;
  private @Nullable Failed failure;

  /** What became of the run as far as this executor is concerned. */
  enum Result {
    ENDED,
    PAUSED,
    /** A step failed, and another plan may be made. */
    REPLAN,
    LOST
  }

  RunExecution(RunWork work, RunState state, RunLog log, Guard guard, RunFiles files) {
    this(work, state, new RunWriter(log), new StopFlag(), guard, files, false);
  }

  /**
   * @param mayReplan true when a failed step is not the end
   */
  RunExecution(
      RunWork work,
      RunState state,
      RunWriter writer,
      StopFlag stop,
      Guard guard,
      RunFiles files,
      boolean mayReplan) {
    this.work = work;
    this.state = state;
    this.writer = writer;
    this.stop = stop;
    this.guard = guard;
    this.files = files;
    this.mayReplan = mayReplan;
  }

  RunWork work() {
    return work;
  }

  /** What a new plan has to know; null unless a step failed. */
  @Nullable Failed failure() {
    return failure;
  }

  /** A step and what it will be called with, or why it can't be. */
  private record Ready(StepPlan plan, StepCall call, @Nullable Verdict gate) {

    boolean paused() {
      return gate != null;
    }
  }

  /** Checks a plan that nothing was done for yet, announces it, and executes it. */
  Result start() {
    return guarded(
        () -> {
          var problems =
              RunPlanChecks.check(
                  work.plan(),
                  work.planProblems(),
                  work.options(),
                  work.tools(),
                  work.inputs(),
                  work.writtenGoal());
          if (!problems.isEmpty()) {
            return end(
                EventType.ERROR,
                StepEvents.invalidPlan(problems),
                RunStatus.FAILED,
                null,
                StepEvents.invalidPlanMessage(problems));
          }
          writer.hold(
              EventType.PLAN_READY, StepEvents.planReady(work.plan().plan(), work.planJson()));
          if (work.options().requirePlanApproval()) {
            return pause(
                EventType.PLAN_APPROVAL_REQUESTED,
                RunStatus.AWAITING_PLAN_APPROVAL,
                StepEvents.planGate(
                    work.gateId(), work.runId(), work.generation(), work.planJson()));
          }
          writer.hold(new Change.Status(RunStatus.EXECUTING));
          return walk();
        });
  }

  /** Goes on with a plan that was announced before. */
  Result resume() {
    return guarded(this::walk);
  }

  /** Asks for an end, from any thread; running tools are interrupted. */
  void cancel() {
    if (stop.request()) {
      Thread.startVirtualThread(this::noteCancel);
    }
  }

  /** Nothing may be done for the run any more, and nothing can be written. */
  void abandon() {
    stop.request();
  }

  private void noteCancel() {
    try {
      writer.holdCancelRequest();
      writer.flush();
    } catch (IllegalStateException | FencedException e) {
      LOG.debugf("Run %s ended before its cancel was noted", work.runId());
    }
  }

  interface Body {
    Result run();
  }

  /** Does part of the run's work; what goes wrong unforeseen ends the run. */
  Result guarded(Body body) {
    try {
      return body.run();
    } catch (FencedException e) {
      LOG.infof("Run %s was taken over", work.runId());
      return Result.LOST;
    } catch (RuntimeException e) {
      LOG.errorf(e, "Run %s broke off", work.runId());
      return end(
          EventType.ERROR,
          StepEvents.failure(
              "The run broke off because of a fault of the server", "INTERNAL_ERROR"),
          RunStatus.FAILED,
          null,
          "The run broke off because of a fault of the server");
    }
  }

  private Result walk() {
    while (!stop.requested()) {
      var level = nextLevel();
      if (level.isEmpty()) {
        return complete();
      }
      var rejected = firstRejected(level);
      if (rejected >= 0) {
        failStep(rejected, "Rejected by user");
        return fail(level);
      }
      var ready = prepare(level);
      boolean doomed = ready.size() < level.size();
      var gate = firstGate(ready);
      if (gate != null && !doomed) {
        return pauseAt(gate);
      }
      run(ready.stream().filter(step -> !step.paused()).toList());
      if (level.stream().anyMatch(step -> state.run(step).failed())) {
        return fail(level);
      }
    }
    return cancelled();
  }

  private int firstRejected(List<Integer> level) {
    return level.stream().filter(step -> state.run(step).rejected()).findFirst().orElse(-1);
  }

  private static @Nullable Ready firstGate(List<Ready> ready) {
    for (var step : ready) {
      if (step.paused()) {
        return step;
      }
    }
    return null;
  }

  /** The steps that run next, those left out on the way already noted. */
  private List<Integer> nextLevel() {
    var level = new ArrayList<Integer>();
    var candidates = state.takeReady();
    while (!candidates.isEmpty()) {
      for (int step : candidates) {
        if (state.skips(step)) {
          state.run(step).skip();
          writer.hold(EventType.STEP_SKIPPED, StepEvents.skipped(step));
          state.settle(step);
        } else {
          level.add(step);
        }
      }
      candidates = state.takeReady();
    }
    if (level.size() > 1) {
      level.sort(null);
    }
    return level;
  }

  /** Resolves and judges the steps of a level; those that can't run at all fail here. */
  private List<Ready> prepare(List<Integer> level) {
    var ready = new ArrayList<Ready>(level.size());
    for (int step : level) {
      try {
        ready.add(prepare(step));
      } catch (UnresolvedReferenceException | ToolException e) {
        failStep(step, String.valueOf(e.getMessage()));
      }
    }
    return ready;
  }

  private Ready prepare(int index) throws ToolException {
    var compiled = work.plan().steps().get(index);
    var step = compiled.step();
    var run = state.run(index);
    var tool = state.tool(index);
    if (step.pinnedResult() != null) {
      var shown = state.masked(index, pinnedArgs(index));
      var plan = new StepPlan(step, tool, step.args(), shown);
      return new Ready(plan, call(plan, step.args()), null);
    }
    var args = state.resolve(index);
    var plan = new StepPlan(step, tool, args, state.masked(index, args));
    var verdict = guard.judge(work.options().permissionMode(), tool.spec(), args);
    if (verdict.denies()) {
      throw new ToolException("Denied: " + verdict.reason());
    }
    var pluginId = tool.spec().pluginId();
    var dispatched =
        run.patched() == null
            ? GrantedFiles.dispatch(places(), pluginId, compiled.args(), args, state.values(index))
            : GrantedFiles.dispatch(places(), pluginId, args);
    boolean flagged = work.options().pausesAt(step.requiresApproval());
    boolean pauses = !run.approved() && (verdict.asks() || flagged);
    return new Ready(plan, call(plan, dispatched), pauses ? verdict : null);
  }

  /** A pinned step needs no values, so a reference that leads to nothing is shown as written. */
  private ObjectNode pinnedArgs(int index) {
    try {
      return state.resolve(index);
    } catch (UnresolvedReferenceException e) {
      return work.plan().steps().get(index).step().args();
    }
  }

  /** Opened by the run's own thread when the first step needs them. */
  private RunPlaces places() {
    var opened = places;
    if (opened == null) {
      opened =
          files
              .open(work.owner(), work.runId(), work.sessionId())
              .await()
              .atMost(FILES_READY_WITHIN);
      places = opened;
    }
    return opened;
  }

  private StepCall call(StepPlan plan, ObjectNode args) {
    return new StepCall(work, places(), files, writer, stop, plan, args);
  }

  private void run(List<Ready> ready) {
    for (var step : ready) {
      state.run(step.plan().index()).start();
      writer.hold(
          EventType.STEP_START,
          StepEvents.start(step.plan().step(), step.plan().shownArgs()),
          step.call().intention());
    }
    writer.flush();
    if (ready.size() == 1) {
      finish(ready.getFirst(), System.nanoTime());
    } else if (!ready.isEmpty()) {
      runTogether(ready);
    }
    for (var step : ready) {
      if (state.run(step.plan().index()).settled()) {
        state.settle(step.plan().index());
      }
    }
  }

  private void runTogether(List<Ready> ready) {
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
  private void finish(Ready step, long started, AtomicInteger left) {
    finish(step, started);
    if (left.decrementAndGet() > 0) {
      writer.flush();
    }
  }

  private void finish(Ready step, long started) {
    note(step.plan(), step.call().run(), started);
  }

  /** Holds the end of a step back, so that it shares a commit with what it sets off. */
  private void note(StepPlan plan, StepEnd end, long started) {
    long durationMs = (System.nanoTime() - started) / 1_000_000;
    var run = state.run(plan.index());
    switch (end) {
      case StepEnd.Completed(var result, var output, int attempts, var outcome)
          when !state.keeps(result) -> {
        run.fail(TOO_MUCH);
        writer.hold(
            EventType.STEP_FAILED,
            StepEvents.failed(plan.step(), TOO_MUCH, attempts, durationMs),
            outcome);
      }
      case StepEnd.Completed(var result, var output, int attempts, var outcome) -> {
        run.complete(result, output);
        writer.hold(
            EventType.STEP_COMPLETE,
            StepEvents.complete(plan.step(), result, output, attempts, durationMs),
            outcome);
      }
      case StepEnd.Failed(var error, int attempts, var outcome) -> {
        run.fail(error);
        writer.hold(
            EventType.STEP_FAILED,
            StepEvents.failed(plan.step(), error, attempts, durationMs),
            outcome);
      }
    }
  }

  private void failStep(int index, String error) {
    state.run(index).fail(error);
    writer.hold(
        EventType.STEP_FAILED,
        StepEvents.failed(work.plan().steps().get(index).step(), error, 0, 0));
  }

  private Result pauseAt(Ready step) {
    var gate = step.gate();
    var reason = gate != null && gate.asks() ? gate.stage().wire() : pauseReason(step);
    var payload =
        StepEvents.stepGate(work.gateId(), work.runId(), work.generation(), step.plan(), reason);
    return pause(EventType.STEP_APPROVAL_REQUESTED, RunStatus.AWAITING_STEP_APPROVAL, payload);
  }

  private static String pauseReason(Ready step) {
    return step.plan().step().requiresApproval() ? "step" : "every";
  }

  private Result pause(EventType type, RunStatus status, ObjectNode payload) {
    if (stop.requested()) {
      return cancelled();
    }
    writer.hold(type, payload, List.of(new Change.Gate(status, work.gateId(), payload)));
    writer.flushDurably();
    return Result.PAUSED;
  }

  private Result complete() {
    int steps = state.completed();
    var summary = steps + (steps == 1 ? " step done: " : " steps done: ") + work.goal();
    return end(
        EventType.COMPLETE,
        StepEvents.runComplete(work.runId(), summary, state.lastResult()),
        RunStatus.COMPLETED,
        summary,
        null);
  }

  private Result fail(List<Integer> level) {
    if (stop.requested()) {
      return cancelled();
    }
    int index = level.stream().filter(step -> state.run(step).failed()).findFirst().orElseThrow();
    var message = "Step " + index + " failed: " + state.run(index).error();
    if (mayReplan) {
      failure = new Failed(message, state.results());
      return Result.REPLAN;
    }
    return end(
        EventType.ERROR, StepEvents.stepFailed(index, message), RunStatus.FAILED, null, message);
  }

  /** Ends the run: no model made a plan for it. */
  Result planningFailed(String code, String message) {
    if (stop.requested()) {
      return cancelled();
    }
    return end(EventType.ERROR, StepEvents.failure(message, code), RunStatus.FAILED, null, message);
  }

  /** Ends the run as somebody asked. */
  Result cancelled() {
    writer.holdCancelRequest();
    CancelEvents.last(work.runId()).forEach(event -> writer.hold(event.type(), event.data()));
    writer.hold(CancelEvents.END);
    writer.flushDurably();
    return Result.ENDED;
  }

  private Result end(
      EventType type,
      ObjectNode data,
      RunStatus status,
      @Nullable String summary,
      @Nullable String error) {
    if (stop.requested() && status == RunStatus.COMPLETED) {
      return cancelled();
    }
    writer.hold(type, data, List.of(new Change.End(status, summary, error, false)));
    writer.flushDurably();
    return Result.ENDED;
  }
}
