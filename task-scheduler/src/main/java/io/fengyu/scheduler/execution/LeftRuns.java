package io.fengyu.scheduler.execution;

import io.fengyu.scheduler.execution.TaskRows.Interrupted;
import io.smallrye.mutiny.Multi;
import io.smallrye.mutiny.Uni;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Duration;
import java.util.Collection;
import org.jboss.logging.Logger;

/** Stops the runs of tasks whose process died: what nobody follows must not go on. */
@ApplicationScoped
class LeftRuns {

  private static final Logger LOG = Logger.getLogger(LeftRuns.class);
  private static final Duration FIRST_PAUSE = Duration.ofSeconds(1);
  private static final Duration LONGEST_PAUSE = Duration.ofSeconds(20);
  private static final Duration TRIED_FOR = Duration.ofMinutes(10);
  private static final int AT_ONCE = 4;

  private final AgentRuns runs;
  private final WorkflowBody body;

  LeftRuns(AgentRuns runs, WorkflowBody body) {
    this.runs = runs;
    this.body = body;
  }

  /** Returns at once; tries until the runtime answers. */
  void stop(Collection<Interrupted> tasks) {
    Multi.createFrom()
        .iterable(tasks.stream().filter(task -> body.runs(task.kind())).toList())
        .onItem()
        .transformToUni(this::stopped)
        .merge(AT_ONCE)
        .subscribe()
        .with(done -> {}, failure -> LOG.warnf("Runs of dead tasks go on: %s", failure));
  }

  private Uni<Void> stopped(Interrupted task) {
    return runs.stop(task.owner(), task.id())
        .onFailure()
        .retry()
        .withBackOff(FIRST_PAUSE, LONGEST_PAUSE)
        .expireIn(TRIED_FOR.toMillis())
        .onFailure()
        .invoke(failure -> LOG.warnf("The run of task %s may go on: %s", task.id(), failure))
        .onFailure()
        .recoverWithNull()
        .replaceWithVoid();
  }
}
