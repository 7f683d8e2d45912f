package io.fengyu.agent.run;

import io.fengyu.agent.file.RunFiles;
import io.fengyu.agent.guard.Guard;
import io.fengyu.agent.history.EarlierReceipts;
import io.fengyu.agent.history.Usage;
import io.fengyu.agent.journal.Change;
import io.fengyu.agent.journal.EventType;
import io.fengyu.agent.journal.RunLog;
import io.fengyu.agent.journal.RunStatus;
import io.fengyu.agent.model.ModelException;
import io.fengyu.agent.plan.Planner;
import io.fengyu.agent.plan.PlanningException;
import io.fengyu.agent.plan.PlanningRequest;
import io.fengyu.agent.plan.PlanningRequest.Failed;
import io.fengyu.agent.tool.Branches.Kind;
import io.fengyu.contract.plan.PlanReader.ReadPlan;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A run on its one thread: planned first if it has no plan, executed, and planned again after a
 * failed step as often as it may be.
 */
final class RunTask {

  private final RunWriter writer;
  private final Admission admission;
  private final Guard guard;
  private final RunFiles files;
  private final Planner planner;
  private final DirectRuns directs;
  private final EarlierReceipts receipts;
  // The newest; all of a task share writer and admission.
  private volatile RunExecution execution;
  private int replansLeft;

  /**
   * @param replans how often the run was planned again before
   * @param before what it had used then
   */
  RunTask(
      RunWork work,
      RunState state,
      RunLog log,
      Guard guard,
      RunFiles files,
      Planner planner,
      DirectRuns directs,
      EarlierReceipts receipts,
      int replans,
      Usage before) {
    this.admission = new Admission(new StopFlag(), new Spending(work.options().budget(), before));
    this.writer = new RunWriter(log);
    this.guard = guard;
    this.files = files;
    this.planner = planner;
    this.directs = directs;
    this.receipts = receipts;
    this.replansLeft = work.options().replans() - replans;
    this.execution = execution(work, state, replans > 0);
  }

  private RunExecution execution(RunWork work, RunState state, boolean replanned) {
    return new RunExecution(
        new RunScope(work, state, writer, admission, new RunHooks(guard.hooks(), work)),
        guard,
        files,
        StoredCalls.of(receipts, work, replanned),
        replansLeft > 0);
  }

  /** Checks the plan, announces it, and executes it. */
  RunResult start() {
    return follow(execution.start());
  }

  /** Announces the plan of an earlier run and has it reviewed. */
  RunResult review() {
    return follow(execution.review());
  }

  /** Goes on with a plan that was announced before. */
  RunResult resume() {
    return follow(execution.resume());
  }

  /** Lets the model make the plan first. */
  RunResult plan() {
    return follow(planned(null));
  }

  /** Lets the model do the work itself. */
  RunResult direct() {
    return talk(DirectRun::begin);
  }

  /** Goes on with that after somebody decided about one of its calls. */
  RunResult resumeDirect(DirectTalk talk, Decision decision, String callId) {
    return talk(direct -> direct.resume(talk, decision, callId));
  }

  private interface Talking {
    RunResult with(DirectRun direct);
  }

  private RunResult talk(Talking talking) {
    var before = execution;
    var direct = directs.direct(before.scope(), before.ends());
    var result = before.guarded(() -> talking.with(direct));
    var plan = direct.plan();
    return result == RunResult.PLANNED && plan != null
        ? follow(before.guarded(() -> announce(before.scope().work().with(plan), true)))
        : result;
  }

  private RunResult follow(RunResult first) {
    var result = first;
    while (result == RunResult.REPLAN) {
      replansLeft--;
      result = planned(execution.failure());
    }
    return result == RunResult.DONE ? execution.guarded(this::reported) : result;
  }

  /** What the steps came to, in the words of the model. */
  private RunResult reported() {
    var done = execution;
    try {
      writer.flushDurably();
      var report = new Report(done.scope(), directs.model(done.scope())).write();
      return report == null ? done.ends().halted() : done.ends().reported(report);
    } catch (ModelException failed) {
      return done.ends().modelFailed(failed);
    }
  }

  private RunResult planned(@Nullable Failed failed) {
    var before = execution;
    return before.guarded(
        () -> {
          if (failed != null) {
            writer.hold(new Change.Status(RunStatus.PLANNING));
          }
          // Fragments are shown before they are stored, but not before what precedes them.
          writer.flushDurably();
          return draft(before, failed);
        });
  }

  private RunResult draft(RunExecution before, @Nullable Failed failed) {
    try {
      var plan = answer(before.scope(), failed);
      return plan == null
          ? before.ends().halted()
          : announce(before.scope().work().with(plan), failed != null);
    } catch (PlanningException e) {
      return before.ends().planningFailed(e.code(), e.text());
    } catch (ModelException e) {
      return before.ends().modelFailed(e);
    }
  }

  /** Null when the run was stopped. */
  private @Nullable ReadPlan answer(RunScope scope, @Nullable Failed failed)
      throws PlanningException, ModelException {
    var request = request(scope.work(), failed);
    var user = directs.model(scope).checked(planner.briefing(request));
    if (user == null) {
      return null;
    }
    var question = planner.question(request, user).metered(scope::spent);
    if (!admission.enter()) {
      return null;
    }
    var branch = admission.branches().begin(Kind.MODEL, "plan-" + replansLeft);
    try {
      var plan = planner.plan(question, text -> writer.text(EventType.PLAN_TOKEN, text));
      return admission.stopped() ? null : plan;
    } catch (InterruptedException stopped) {
      return null;
    } finally {
      branch.close();
      admission.leave();
    }
  }

  private static PlanningRequest request(RunWork work, @Nullable Failed failed) {
    var tools =
        work.tools().values().stream()
            .map(tool -> tool.spec())
            .filter(spec -> !work.options().readOnly() || spec.readsOnly())
            .toList();
    return new PlanningRequest(
        work.runId(),
        work.owner(),
        work.sessionId(),
        work.goal(),
        work.options().model(),
        tools,
        List.copyOf(names(work)),
        failed);
  }

  private static List<String> names(RunWork work) {
    return work.inputs().properties().stream().map(input -> input.getKey()).toList();
  }

  private RunResult announce(RunWork work, boolean replanned) {
    writer.hold(new Change.Plan(work.planJson()));
    var state = RunState.fresh(work.plan(), work.inputs(), work.tools());
    execution = execution(work, state, replanned);
    return execution.start();
  }

  /** What is at work for the run beside its threads. */
  RunBranches branches() {
    return admission.branches();
  }

  /** Asks for an end, from any thread; running tools and a model's answer are interrupted. */
  void cancel() {
    execution.cancel();
  }

  /** Nothing may be done for the run any more, and nothing can be written. */
  void abandon() {
    execution.abandon();
  }
}
