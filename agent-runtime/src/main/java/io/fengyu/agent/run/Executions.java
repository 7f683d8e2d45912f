package io.fengyu.agent.run;

import io.fengyu.agent.file.RunFiles;
import io.fengyu.agent.guard.Guard;
import io.fengyu.agent.journal.FencedException;
import io.fengyu.agent.journal.RunLog;
import io.fengyu.agent.journal.RunStore;
import io.fengyu.agent.journal.StopSignals;
import io.fengyu.agent.journal.StoredRun;
import io.fengyu.agent.journal.StoredRun.CancelStatus;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.quarkus.runtime.Startup;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Duration;
import java.util.UUID;
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
  private final ConcurrentHashMap<UUID, RunExecution> running = new ConcurrentHashMap<>();

  Executions(RunStore store, RunFiles files, Guard guard, MeterRegistry metrics) {
    this.store = store;
    this.files = files;
    this.guard = guard;
    store.onStop(this);
    Gauge.builder("fengyu.runs.executing", running, ConcurrentHashMap::size)
        .description("Runs that this process executes right now")
        .register(metrics);
  }

  /** Executes a run whose plan nothing was done for yet. Returns at once. */
  void start(RunWork work, RunLog log) {
    var state = RunState.fresh(work.plan(), work.inputs(), work.tools());
    launch(work, new RunExecution(work, state, log, guard, files), RunExecution::start);
  }

  /** Goes on with a run from the given state. Returns at once. */
  void resume(RunWork work, RunState state, RunLog log) {
    launch(work, new RunExecution(work, state, log, guard, files), RunExecution::resume);
  }

  private interface Way {
    RunExecution.Result go(RunExecution execution);
  }

  private void launch(RunWork work, RunExecution execution, Way way) {
    running.put(work.runId(), execution);
    Thread.ofVirtual().name("run-" + work.runId()).start(() -> execute(work, execution, way));
  }

  private void execute(RunWork work, RunExecution execution, Way way) {
    try {
      var result = way.go(execution);
      running.remove(work.runId(), execution);
      if (result == RunExecution.Result.PAUSED) {
        cancelIfAskedWhilePausing(work);
      }
    } catch (FencedException e) {
      LOG.infof("Run %s was taken over", work.runId());
    } catch (RuntimeException e) {
      LOG.errorf(e, "Run %s stopped without an end", work.runId());
    } finally {
      running.remove(work.runId(), execution);
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
    var execution = running.get(runId);
    if (execution != null) {
      execution.cancel();
    }
  }

  @Override
  public void leaseLost(UUID runId) {
    var execution = running.get(runId);
    if (execution != null) {
      execution.abandon();
    }
  }
}
