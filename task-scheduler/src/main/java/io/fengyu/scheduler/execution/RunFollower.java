package io.fengyu.scheduler.execution;

import com.fasterxml.jackson.databind.JsonNode;
import io.fengyu.contract.db.Listener;
import io.fengyu.scheduler.queue.TaskEnd;
import io.quarkus.runtime.StartupEvent;
import io.smallrye.mutiny.Uni;
import io.vertx.core.Vertx;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import java.time.Duration;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jboss.logging.Logger;

/**
 * Learns of the ends of runs: the runtime announces them, and all that are followed are asked for
 * every few seconds, should an announcement get lost.
 */
@ApplicationScoped
class RunFollower {

  private static final Logger LOG = Logger.getLogger(RunFollower.class);
  private static final long ASKED_EVERY_MS = 5_000;
  private static final Duration PATIENCE = Duration.ofSeconds(45);
  private static final int AT_ONCE = 100;

  private final AgentRuns runs;
  private final Listener listener;
  private final Vertx vertx;
  private final ConcurrentHashMap<UUID, CompletableFuture<BodyEnd>> followed =
      new ConcurrentHashMap<>();
  private final Set<UUID> due = ConcurrentHashMap.newKeySet();
  private final Map<UUID, Boolean> early = Collections.synchronizedMap(new Early());
  private final AtomicBoolean asking = new AtomicBoolean();
  private final AtomicBoolean timing = new AtomicBoolean();
  private volatile long lastAnswer = System.nanoTime();

  RunFollower(AgentRuns runs, Listener listener, Vertx vertx) {
    this.runs = runs;
    this.listener = listener;
    this.vertx = vertx;
  }

  /** Ends that were announced before anybody knew whose run it is. */
  private static final class Early extends LinkedHashMap<UUID, Boolean> {

    private static final long serialVersionUID = 1;
    private static final int KEPT = 4_000;

    @Override
    protected boolean removeEldestEntry(Map.Entry<UUID, Boolean> eldest) {
      return size() > KEPT;
    }
  }

  void start(@Observes StartupEvent started) {
    listener.listen("agent_task_run", this::announced, this::askForAll);
  }

  /** Emits when the run has ended, whatever it came to. */
  Uni<BodyEnd> end(UUID runId) {
    return Uni.createFrom()
        .completionStage(
            () -> {
              if (followed.isEmpty()) {
                lastAnswer = System.nanoTime();
              }
              var end = followed.computeIfAbsent(runId, id -> new CompletableFuture<>());
              if (early.remove(runId) != null) {
                ask(runId);
              }
              time();
              return end;
            });
  }

  private void announced(String payload) {
    var runId = UUID.fromString(payload);
    if (followed.containsKey(runId)) {
      ask(runId);
      return;
    }
    early.put(runId, true);
    if (followed.containsKey(runId) && early.remove(runId) != null) {
      ask(runId);
    }
  }

  private void ask(UUID runId) {
    due.add(runId);
    goOn();
  }

  private void askForAll() {
    due.addAll(followed.keySet());
    goOn();
  }

  private void time() {
    if (!followed.isEmpty() && timing.compareAndSet(false, true)) {
      vertx.setTimer(
          ASKED_EVERY_MS,
          now -> {
            timing.set(false);
            askForAll();
            time();
          });
    }
  }

  private void goOn() {
    if (!due.isEmpty() && asking.compareAndSet(false, true)) {
      var now = due.stream().limit(AT_ONCE).toList();
      now.forEach(due::remove);
      runs.ends(now)
          .onTermination()
          .invoke(() -> asking.set(false))
          .subscribe()
          .with(ends -> answered(ends), failure -> silent(now, failure));
    }
  }

  private void answered(JsonNode ends) {
    lastAnswer = System.nanoTime();
    ends.forEach(this::ended);
    goOn();
  }

  private void ended(JsonNode end) {
    var waiting = followed.remove(UUID.fromString(end.path("runId").asText()));
    if (waiting != null) {
      waiting.complete(read(end));
    }
  }

  private static BodyEnd read(JsonNode end) {
    var output = end.path("output").asText("");
    return switch (end.path("status").asText()) {
      case "COMPLETED" -> BodyEnd.completed(output);
      case "CANCELLED" -> BodyEnd.cancelled();
      case "INTERRUPTED" -> BodyEnd.failed(BodyEnd.INTERRUPTED, output);
      default -> BodyEnd.failed(end.path("errorCode").asText("RUN_FAILED"), output);
    };
  }

  // A runtime that has not answered for so long has lost what it was executing.
  private void silent(List<UUID> asked, Throwable failure) {
    LOG.debugf("Ends of runs are not known now: %s", failure);
    if (System.nanoTime() - lastAnswer > PATIENCE.toNanos()) {
      LOG.warnf("The runtime is silent: %d runs are given up", asked.size());
      for (var runId : new HashSet<>(followed.keySet())) {
        var waiting = followed.remove(runId);
        if (waiting != null) {
          waiting.complete(
              new BodyEnd(
                  TaskEnd.Status.FAILED,
                  "The task was interrupted: the agent runtime is gone; it is not replayed.",
                  BodyEnd.INTERRUPTED));
        }
      }
    }
  }
}
