package io.fengyu.scheduler.execution;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fengyu.contract.problem.ProblemException;
import io.fengyu.scheduler.queue.StartedTask;
import io.fengyu.scheduler.workflow.Snapshots;
import io.smallrye.mutiny.Uni;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Duration;
import java.util.UUID;
import org.jboss.logging.Logger;

/** Runs the snapshot of a workflow that is active when the task starts. */
@ApplicationScoped
class WorkflowBody implements TaskBody {

  private static final Logger LOG = Logger.getLogger(WorkflowBody.class);
  private static final Duration FIRST_PAUSE = Duration.ofMillis(500);
  private static final Duration LONGEST_PAUSE = Duration.ofSeconds(5);
  private static final Duration NEIGHBOURS_ARE_BACK_WITHIN = Duration.ofSeconds(30);

  private final Snapshots snapshots;
  private final AgentRuns runs;
  private final RunFollower follower;
  private final TaskRows rows;
  private final ObjectMapper json;

  WorkflowBody(
      Snapshots snapshots, AgentRuns runs, RunFollower follower, TaskRows rows, ObjectMapper json) {
    this.snapshots = snapshots;
    this.runs = runs;
    this.follower = follower;
    this.rows = rows;
    this.json = json;
  }

  @Override
  public boolean runs(String kind) {
    return kind.startsWith("workflow");
  }

  @Override
  public Uni<BodyEnd> run(RunningTask task) {
    var started = task.task();
    if (task.stopped()) {
      return Uni.createFrom().item(BodyEnd.cancelled());
    }
    task.onCancel(() -> cancel(started));
    var request = request(started);
    return patiently(
            snapshots.bound(started.owner(), started.workflowId(), request, "bind " + started.id()))
        .map(bound -> start(bound, request))
        .chain(start -> begun(task, start))
        .chain(runId -> runId == null ? ended() : follow(started, runId));
  }

  private static Uni<BodyEnd> ended() {
    return Uni.createFrom().item(BodyEnd.cancelled());
  }

  // A start whose answer got lost is repeated: the runtime starts one run for one task.
  private Uni<UUID> begun(RunningTask task, ObjectNode start) {
    var started = task.task();
    return task.stopped()
        ? Uni.createFrom().nullItem()
        : patiently(runs.start(started.owner(), started.id(), start))
            .onFailure(failure -> task.stopped() && isCancelled(failure))
            .recoverWithNull();
  }

  private static boolean isCancelled(Throwable failure) {
    return failure instanceof ProblemException refused
        && refused.problem().code().equals("START_CANCELLED");
  }

  private Uni<BodyEnd> follow(StartedTask started, UUID runId) {
    rows.runs(started.id(), runId)
        .subscribe()
        .with(
            noted -> {},
            failure -> LOG.warnf("The run of task %s is not noted: %s", started.id(), failure));
    return follower.end(runId);
  }

  private static <T> Uni<T> patiently(Uni<T> call) {
    return call.onFailure(WorkflowBody::isAway)
        .retry()
        .withBackOff(FIRST_PAUSE, LONGEST_PAUSE)
        .expireIn(NEIGHBOURS_ARE_BACK_WITHIN.toMillis());
  }

  private static boolean isAway(Throwable failure) {
    return failure instanceof ProblemException refused && refused.problem().status() == 503;
  }

  private static ObjectNode start(ObjectNode bound, ObjectNode request) {
    var start = bound.objectNode();
    for (var member : new String[] {"workflow", "inputs", "files", "config"}) {
      start.set(member, bound.get(member));
    }
    return start.put("granted", request.path("granted").asBoolean(false));
  }

  private ObjectNode request(StartedTask started) {
    try {
      return (ObjectNode) json.readTree(started.request());
    } catch (JsonProcessingException impossible) {
      throw new IllegalStateException("a stored request cannot be read", impossible);
    }
  }

  private void cancel(StartedTask started) {
    patiently(runs.stop(started.owner(), started.id()))
        .subscribe()
        .with(
            stopped -> {},
            failure -> LOG.warnf("The run of task %s may go on: %s", started.id(), failure));
  }
}
