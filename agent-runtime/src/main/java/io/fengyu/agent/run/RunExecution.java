package io.fengyu.agent.run;

import io.fengyu.agent.file.RunFiles;
import io.fengyu.agent.guard.Guard;
import io.fengyu.agent.journal.Change;
import io.fengyu.agent.journal.EventType;
import io.fengyu.agent.journal.FencedException;
import io.fengyu.agent.journal.RunLog;
import io.fengyu.agent.journal.RunStatus;
import io.fengyu.agent.plan.PlanningRequest.Failed;
import java.util.ArrayList;
import java.util.List;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * Walks over a plan level by level from wherever it stands, until the run ends or pauses. Runs on
 * one virtual thread; the steps of a level with more than one have a thread each.
 */
final class RunExecution {

  private static final Logger LOG = Logger.getLogger(RunExecution.class);

  private final RunScope scope;
  private final RunWork work;
  private final RunState state;
  private final RunWriter writer;
  private final Admission admission;
  private final StepNotes notes;
  private final StepPreparation preparation;
  private final LevelRun levels;
  private final RunEnds ends;
  private final Gates gates;
  private final EarlierCalls earlier;
  private final Repetitions repetitions;
  private final boolean mayReplan;
  private @Nullable Failed failure;

  RunExecution(RunWork work, RunState state, RunLog log, Guard guard, RunFiles files) {
    this(
        new RunScope(
            work,
            state,
            new RunWriter(log),
            new Admission(new StopFlag()),
            new RunHooks(guard.hooks(), work)),
        guard,
        files,
        EarlierCalls.NONE,
        false);
  }

  /**
   * @param mayReplan true when a failed step is not the end
   */
  RunExecution(
      RunScope scope, Guard guard, RunFiles files, EarlierCalls earlier, boolean mayReplan) {
    this.scope = scope;
    this.work = scope.work();
    this.state = scope.state();
    this.writer = scope.writer();
    this.admission = scope.admission();
    this.earlier = earlier;
    this.repetitions = new Repetitions(scope, earlier);
    this.mayReplan = mayReplan;
    this.notes = new StepNotes(scope);
    this.ends = new RunEnds(scope);
    this.gates = new Gates(scope, ends);
    this.levels = new LevelRun(scope, notes);
    var places = new PlacesOnce(work, files);
    this.preparation =
        new StepPreparation(
            scope,
            notes,
            new CallJudge(scope, guard, places),
            new ToolCalls(scope, files, places, guard.scopes()),
            places,
            repetitions);
  }

  RunScope scope() {
    return scope;
  }

  RunEnds ends() {
    return ends;
  }

  /** What a new plan has to know; null unless a step failed. */
  @Nullable Failed failure() {
    return failure;
  }

  /** Checks a plan that nothing was done for yet, announces it, and executes it. */
  RunResult start() {
    return guarded(() -> announced(work.options().requirePlanApproval()));
  }

  /** As above, but has the plan reviewed first, whatever the options say. */
  RunResult review() {
    return guarded(() -> announced(true));
  }

  /** Goes on with a plan that was announced before. */
  RunResult resume() {
    return guarded(this::walk);
  }

  /** Asks for an end, from any thread; running tools are interrupted. */
  void cancel() {
    if (admission.stop()) {
      Thread.startVirtualThread(this::noteCancel);
    }
  }

  /** Nothing may be done for the run any more, and nothing can be written. */
  void abandon() {
    admission.stop();
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
    RunResult run();
  }

  /** Does part of the run's work; what goes wrong unforeseen ends the run. */
  RunResult guarded(Body body) {
    try {
      return body.run();
    } catch (FencedException e) {
      LOG.infof("Run %s was taken over", work.runId());
      return RunResult.LOST;
    } catch (RuntimeException e) {
      LOG.errorf(e, "Run %s broke off", work.runId());
      return ends.brokeOff();
    }
  }

  private RunResult announced(boolean reviewed) {
    var problems =
        RunPlanChecks.check(
            work.plan(),
            work.planProblems(),
            work.options(),
            work.tools(),
            work.inputs(),
            work.writtenGoal());
    if (!problems.isEmpty()) {
      return ends.invalidPlan(problems);
    }
    writer.hold(EventType.PLAN_READY, StepEvents.planReady(work.plan().plan(), work.planJson()));
    if (earlier.expected()) {
      // What was done for an earlier plan is told from its time: before this one was announced.
      writer.flushDurably();
    }
    if (reviewed) {
      return gates.openAtPlan(repetitions.ofPlan());
    }
    writer.hold(new Change.Status(RunStatus.EXECUTING));
    return walk();
  }

  private RunResult walk() {
    while (!admission.stopped()) {
      var level = nextLevel();
      if (level.isEmpty()) {
        return work.options().lastWordIsTheModels() ? RunResult.DONE : ends.complete();
      }
      if (!admission.open() || !affordable(level)) {
        return ends.halted();
      }
      var rejected = firstRejected(level);
      if (rejected >= 0) {
        notes.failed(rejected, "Rejected by user");
        return fail(level);
      }
      var ready = preparation.prepare(level);
      boolean doomed = ready.size() < level.size();
      var gated = firstGated(ready);
      if (gated != null && !doomed) {
        return gates.openAt(gated, String.valueOf(gated.pause()));
      }
      levels.run(ready.stream().filter(step -> !step.paused()).toList());
      var unsure = level.stream().filter(step -> state.run(step).unsure()).toList();
      if (level.stream().anyMatch(step -> state.run(step).failed())) {
        unsure.forEach(notes::givenUp);
        return fail(level);
      }
      if (!unsure.isEmpty() && admission.open()) {
        return askAgain(unsure);
      }
    }
    return ends.halted();
  }

  /** True unless the level calls tools while none may be called any more. */
  private boolean affordable(List<Integer> level) {
    var steps = work.plan().steps();
    return level.stream().allMatch(step -> steps.get(step).step().pinnedResult() != null)
        || admission.spending().mayCall();
  }

  /** Only a person can say whether a call of unknown outcome may be made again. */
  private RunResult askAgain(List<Integer> unsure) {
    writer.flushDurably();
    var again = preparation.prepare(unsure.subList(0, 1));
    return again.isEmpty() ? fail(unsure) : gates.openAt(again.getFirst(), ReadyStep.REPEAT);
  }

  private int firstRejected(List<Integer> level) {
    return level.stream().filter(step -> state.run(step).rejected()).findFirst().orElse(-1);
  }

  private static @Nullable ReadyStep firstGated(List<ReadyStep> ready) {
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
          notes.skipped(step);
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

  private RunResult fail(List<Integer> level) {
    if (admission.stopped()) {
      return ends.cancelled();
    }
    int index = level.stream().filter(step -> state.run(step).failed()).findFirst().orElseThrow();
    var message = "Step " + index + " failed: " + state.run(index).error();
    if (mayReplan && admission.open()) {
      failure = new Failed(message, state.results());
      return RunResult.REPLAN;
    }
    return admission.spending().exceeded() == null
        ? ends.stepFailed(index, message)
        : ends.halted();
  }
}
