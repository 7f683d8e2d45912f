package io.fengyu.scheduler.execution;

import io.fengyu.contract.db.Listener;
import io.fengyu.contract.instance.LeaseDanger;
import io.fengyu.contract.net.Drain;
import io.fengyu.contract.net.Draining;
import io.fengyu.contract.problem.ProblemException;
import io.fengyu.scheduler.execution.RunningTask.Stop;
import io.fengyu.scheduler.queue.StartedTask;
import io.fengyu.scheduler.queue.TaskEnd;
import io.fengyu.scheduler.queue.TaskStarter;
import io.fengyu.scheduler.queue.Turns;
import io.quarkus.arc.All;
import io.quarkus.runtime.StartupEvent;
import io.smallrye.mutiny.Uni;
import io.vertx.core.Vertx;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/** The tasks whose bodies run in this process. */
@ApplicationScoped
class TaskExecutions implements TaskStarter {

  private static final Logger LOG = Logger.getLogger(TaskExecutions.class);
  private static final long KILLS_ARE_SEEN_WITHIN_MS = 1_000;
  private static final Duration FIRST_PAUSE = Duration.ofMillis(100);
  private static final Duration LONGEST_PAUSE = Duration.ofSeconds(2);
  private static final Duration SAID_WITHIN = Duration.ofSeconds(3);

  private final List<TaskBody> bodies;
  private final Turns turns;
  private final TaskRows rows;
  private final Vertx vertx;
  private final Listener listener;
  private final Duration limit;
  private final ConcurrentHashMap<UUID, RunningTask> running = new ConcurrentHashMap<>();
  private final AtomicBoolean watching = new AtomicBoolean();
  private volatile boolean closed;

  TaskExecutions(
      @All List<TaskBody> bodies,
      Turns turns,
      TaskRows rows,
      Vertx vertx,
      Listener listener,
      Draining draining,
      ExecutionConfig config) {
    this.bodies = bodies;
    this.turns = turns;
    this.rows = rows;
    this.vertx = vertx;
    this.listener = listener;
    this.limit = config.taskTimeout();
    draining.awaits(running::size);
  }

  void start(@Observes StartupEvent started) {
    listener.listen("fengyu_task_kill", this::killed, this::lookForKills);
  }

  @Override
  public void start(List<StartedTask> tasks) {
    tasks.forEach(this::start);
    watch();
  }

  private void start(StartedTask started) {
    var task = new RunningTask(started);
    if (running.putIfAbsent(started.id(), task) != null) {
      return;
    }
    var timer = vertx.setTimer(limit.toMillis(), late -> task.stop(Stop.TIME_LIMIT));
    body(task)
        .onFailure()
        .recoverWithItem(failure -> failed(task, failure))
        .onTermination()
        .invoke(() -> vertx.cancelTimer(timer))
        .map(end -> judged(task, end))
        .chain(end -> stored(task, end))
        .subscribe()
        .with(
            stored -> forget(task),
            failure -> {
              LOG.errorf(failure, "The end of task %s is not stored", started.id());
              forget(task);
            });
  }

  private Uni<BodyEnd> body(RunningTask task) {
    var kind = task.task().kind();
    return Uni.createFrom()
        .deferred(
            () ->
                bodies.stream()
                    .filter(body -> body.runs(kind))
                    .findFirst()
                    .orElseThrow(() -> new IllegalStateException("no body of kind " + kind))
                    .run(task));
  }

  private static BodyEnd failed(RunningTask task, Throwable failure) {
    if (failure instanceof ProblemException refused) {
      var problem = refused.problem();
      return BodyEnd.failed(problem.code(), problem.code() + " " + problem.params());
    }
    LOG.errorf(failure, "The body of task %s broke off", task.task().id());
    return BodyEnd.failed("INTERNAL_ERROR", "The task broke off because of a fault of the server");
  }

  private BodyEnd judged(RunningTask task, BodyEnd end) {
    return switch (task.reason()) {
      case TIME_LIMIT ->
          BodyEnd.failed(
              "TASK_TIMEOUT",
              "The task was stopped: it ran longer than " + limit.toSeconds() + " s");
      case INTERRUPTED -> BodyEnd.interrupted();
      case KILLED -> BodyEnd.cancelled();
      case null -> end;
    };
  }

  // The row waits for its end while the database is away; whoever has it then decides.
  private Uni<Boolean> stored(RunningTask task, BodyEnd end) {
    TaskEnd stored = end.of(task.task().id());
    return Uni.createFrom()
        .deferred(() -> turns.end(stored))
        .onFailure()
        .invoke(
            failure -> LOG.warnf("The end of task %s is stored later: %s", stored.id(), failure))
        .onFailure()
        .retry()
        .withBackOff(FIRST_PAUSE, LONGEST_PAUSE)
        .until(failure -> !closed);
  }

  private void forget(RunningTask task) {
    running.remove(task.task().id(), task);
    if (closed) {
      rows.announceSlots()
          .subscribe()
          .with(told -> {}, failure -> LOG.debugf("Free slots are found later: %s", failure));
    }
  }

  private void killed(String payload) {
    stop(UUID.fromString(payload), Stop.KILLED);
  }

  private void stop(UUID id, Stop reason) {
    var task = running.get(id);
    if (task != null) {
      task.stop(reason);
    }
  }

  private void watch() {
    if (!running.isEmpty() && watching.compareAndSet(false, true)) {
      vertx.setTimer(KILLS_ARE_SEEN_WITHIN_MS, now -> look());
    }
  }

  private void look() {
    watching.set(false);
    lookForKills();
    watch();
  }

  private void lookForKills() {
    if (!running.isEmpty()) {
      rows.killed()
          .subscribe()
          .with(
              ids -> ids.forEach(id -> stop(id, Stop.KILLED)),
              failure -> LOG.debugf("Kills are seen later: %s", failure));
    }
  }

  void endangered(@Observes LeaseDanger danger) {
    if (!running.isEmpty()) {
      LOG.warnf("The lease cannot be renewed: %d bodies are stopped", running.size());
      interruptAll();
    }
  }

  void drain(@Observes Drain step) {
    switch (step) {
      case BEGINS -> {}
      case CLOSED -> closed = true;
      case DEADLINE -> interruptedByStop();
    }
  }

  private Collection<RunningTask> interruptAll() {
    var all = List.copyOf(running.values());
    all.forEach(task -> task.stop(Stop.INTERRUPTED));
    return all;
  }

  private void interruptedByStop() {
    var ends =
        interruptAll().stream()
            .map(task -> turns.end(judged(task, BodyEnd.interrupted()).of(task.task().id())))
            .toList();
    quietly(ends.isEmpty() ? null : Uni.join().all(ends).andCollectFailures());
    quietly(rows.leave());
  }

  private static void quietly(@Nullable Uni<?> said) {
    if (said == null) {
      return;
    }
    try {
      said.await().atMost(SAID_WITHIN);
    } catch (RuntimeException away) {
      LOG.warnf("What was left at the stop is found by others: %s", away.getMessage());
    }
  }

  int count() {
    return running.size();
  }
}
