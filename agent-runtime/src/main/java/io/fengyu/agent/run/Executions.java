package io.fengyu.agent.run;

import io.fengyu.agent.file.RunFiles;
import io.fengyu.agent.guard.Guard;
import io.fengyu.agent.history.EarlierReceipts;
import io.fengyu.agent.history.Usage;
import io.fengyu.agent.journal.FencedException;
import io.fengyu.agent.journal.RunLog;
import io.fengyu.agent.journal.RunStore;
import io.fengyu.agent.journal.StopSignals;
import io.fengyu.agent.journal.StoredRun;
import io.fengyu.agent.journal.StoredRun.CancelStatus;
import io.fengyu.agent.plan.Planner;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.quarkus.runtime.Startup;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import org.jboss.logging.Logger;

/** The runs that this process executes right now, each on a virtual thread of its own. */
@Startup
@ApplicationScoped
class Executions implements StopSignals {

  private static final Logger LOG = Logger.getLogger(Executions.class);
  private static final Duration STORE_ANSWERS_WITHIN = Duration.ofSeconds(30);

  private final RunStore store;
  private final RunFiles files;
  private final Guard guard;
  private final Planner planner;
  private final DirectRuns directs;
  private final EarlierReceipts receipts;
  private final StoppedBranches stopped;
  private final ConcurrentHashMap<UUID, RunTask> running = new ConcurrentHashMap<>();
  private final ConcurrentHashMap<UUID, CompletableFuture<Void>> awaited =
      new ConcurrentHashMap<>();

  Executions(
      RunStore store,
      RunFiles files,
      Guard guard,
      Planner planner,
      DirectRuns directs,
      EarlierReceipts receipts,
      StoppedBranches stopped,
      MeterRegistry metrics) {
    this.store = store;
    this.files = files;
    this.guard = guard;
    this.planner = planner;
    this.directs = directs;
    this.receipts = receipts;
    this.stopped = stopped;
    store.onStop(this);
    store.onEndAtGate(this::endedAtGate);
    Gauge.builder("fengyu.runs.executing", running, ConcurrentHashMap::size)
        .description("Runs that this process executes right now")
        .register(metrics);
  }

  /** Executes a run whose plan nothing was done for yet. Returns at once. */
  void start(RunWork work, RunLog log) {
    launch(work, fresh(work, log), RunTask::start);
  }

  /** Lets the model make the run's plan, and executes it. Returns at once. */
  void plan(RunWork work, RunLog log) {
    launch(work, fresh(work, log), RunTask::plan);
  }

  /** Lets the model do the work itself. Returns at once. */
  void direct(RunWork work, RunLog log) {
    launch(work, fresh(work, log), RunTask::direct);
  }

  /** Goes on with that after somebody decided about one of its calls. Returns at once. */
  void resumeDirect(
      RunWork work, DirectTalk talk, Decision decision, String callId, RunLog log, Usage before) {
    var state = RunState.fresh(work.plan(), work.inputs(), work.tools());
    var task = task(work, state, log, 0, before);
    launch(work, task, direct -> direct.resumeDirect(talk, decision, callId));
  }

  private RunTask fresh(RunWork work, RunLog log) {
    return task(work, RunState.fresh(work.plan(), work.inputs(), work.tools()), log, 0, Usage.NONE);
  }

  private RunTask task(RunWork work, RunState state, RunLog log, int replans, Usage before) {
    return new RunTask(work, state, log, guard, files, planner, directs, receipts, replans, before);
  }

  /** Has the plan of an earlier run reviewed, with what was done for it before. Returns at once. */
  void review(RunWork work, RunState state, RunLog log) {
    launch(work, task(work, state, log, 0, Usage.NONE), RunTask::review);
  }

  /**
   * Goes on with a run from the given state. Returns at once.
   *
   * @param replans how often it was planned again before
   * @param before what it had used when it paused
   */
  void resume(RunWork work, RunState state, RunLog log, int replans, Usage before) {
    launch(work, task(work, state, log, replans, before), RunTask::resume);
  }

  /** Nobody was executing the run when it was ended. */
  void endedAtGate(StoredRun run) {
    var inputs = run.inputs() == null ? null : Json.stored(run.inputs());
    var goal = inputs == null ? run.goal() : Runs.goal(run.goal(), inputs);
    guard.hooks().runEnded(run.owner(), run.id(), goal, false, run.status().name());
  }

  private interface Way {
    RunResult go(RunTask task);
  }

  private void launch(RunWork work, RunTask task, Way way) {
    running.put(work.runId(), task);
    Thread.ofVirtual().name("run-" + work.runId()).start(() -> execute(work, task, way));
  }

  private void execute(RunWork work, RunTask task, Way way) {
    try {
      var result = way.go(task);
      running.remove(work.runId(), task);
      if (result == RunResult.PAUSED) {
        cancelIfAskedWhilePausing(work);
      }
    } catch (FencedException e) {
      LOG.infof("Run %s was taken over", work.runId());
    } catch (RuntimeException e) {
      LOG.errorf(e, "Run %s stopped without an end", work.runId());
    } finally {
      running.remove(work.runId(), task);
      settle(work.runId());
    }
  }

  /** Completes when this process has nothing to do with a run any more. */
  CompletableFuture<Void> over(UUID runId) {
    var over = awaited.computeIfAbsent(runId, id -> new CompletableFuture<>());
    if (!running.containsKey(runId)) {
      settle(runId);
    }
    return over;
  }

  private void settle(UUID runId) {
    var over = awaited.remove(runId);
    if (over != null) {
      over.complete(null);
    }
  }

  /** A cancel that was accepted just before the gate was stored found nobody to tell. */
  private void cancelIfAskedWhilePausing(RunWork work) {
    StoredRun run = store.find(work.owner(), work.runId()).await().atMost(STORE_ANSWERS_WITHIN);
    if (run != null && run.status().open() && run.cancelStatus() != CancelStatus.NONE) {
      store.cancel(work.owner(), work.runId()).await().atMost(STORE_ANSWERS_WITHIN);
    }
  }

  @Override
  public void cancelRequested(UUID runId) {
    var task = running.get(runId);
    if (task != null) {
      stopped.follow(runId, task.branches());
      task.cancel();
    }
  }

  @Override
  public void leaseLost(UUID runId) {
    var task = running.get(runId);
    if (task != null) {
      task.abandon();
    }
  }
}
