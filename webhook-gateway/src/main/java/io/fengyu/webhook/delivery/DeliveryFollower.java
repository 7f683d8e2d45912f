package io.fengyu.webhook.delivery;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.fengyu.contract.db.Migrations;
import io.fengyu.contract.net.Drain;
import io.fengyu.contract.problem.Problem;
import io.fengyu.contract.problem.ProblemBody;
import io.fengyu.contract.problem.ProblemTexts;
import io.fengyu.webhook.delivery.DeliveryStore.Open;
import io.fengyu.webhook.delivery.DeliveryStore.Step;
import io.quarkus.runtime.StartupEvent;
import io.smallrye.mutiny.Multi;
import io.smallrye.mutiny.Uni;
import io.vertx.core.Vertx;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * Keeps the audit true: a delivery is what its task is, within a second, on whatever replica it
 * came in. Claims that nobody goes on with are settled here too. Sleeps while nothing is open.
 */
@ApplicationScoped
class DeliveryFollower {

  private static final Logger LOG = Logger.getLogger(DeliveryFollower.class);
  private static final long WHILE_SOME_MS = 500;
  private static final long WHILE_NONE_MS = 30_000;

  private final DeliveryStore store;
  private final TaskAdmission tasks;
  private final Migrations migrations;
  private final Vertx vertx;
  private final String interrupted;
  private final AtomicBoolean looking = new AtomicBoolean();
  private final AtomicBoolean again = new AtomicBoolean();
  private volatile long timer = -1;
  private volatile boolean stopped;

  DeliveryFollower(
      DeliveryStore store,
      TaskAdmission tasks,
      Migrations migrations,
      Vertx vertx,
      ObjectMapper json) {
    this.store = store;
    this.tasks = tasks;
    this.migrations = migrations;
    this.vertx = vertx;
    this.interrupted =
        new ProblemBody(new ProblemTexts(), json)
            .render(Problem.of(500, "DELIVERY_INTERRUPTED"), null, null, null)
            .path("detail")
            .asText();
  }

  void start(@Observes StartupEvent started) {
    migrations.whenComplete(this::look);
  }

  void stop(@Observes Drain step) {
    stopped = step == Drain.DEADLINE;
  }

  /** Something is open: looks soon, if it was asleep. */
  void wake() {
    again.set(true);
    if (timer == -1 && !looking.get()) {
      plan(WHILE_SOME_MS);
    }
  }

  private void plan(long pauseMs) {
    if (!stopped) {
      timer = vertx.setTimer(pauseMs, tick -> look());
    }
  }

  private void look() {
    if (stopped || !looking.compareAndSet(false, true)) {
      return;
    }
    timer = -1;
    again.set(false);
    once().subscribe().with(open -> slept(open > 0), this::failed);
  }

  private void failed(Throwable failure) {
    LOG.debugf("Deliveries are followed later: %s", failure.getMessage());
    slept(true);
  }

  private void slept(boolean some) {
    looking.set(false);
    // Asleep, it is woken by wake(); the long timer is for what other replicas leave behind.
    if (some || again.get()) {
      plan(WHILE_SOME_MS);
    } else {
      vertx.setTimer(WHILE_NONE_MS, tick -> lookIfAsleep());
    }
  }

  private void lookIfAsleep() {
    if (timer == -1) {
      look();
    }
  }

  private Uni<Integer> once() {
    return settle().chain(unsettled -> follow().map(open -> open + unsettled));
  }

  private Uni<Integer> settle() {
    return store
        .unsettled()
        .call(
            all ->
                Multi.createFrom()
                    .iterable(all)
                    .onItem()
                    .transformToUniAndConcatenate(this::settle)
                    .collect()
                    .last())
        .map(List::size);
  }

  // The task is stored, or never will be. Of a replica that lives the event is free again; where
  // one died nobody was told anything, so the row stays and says so.
  private Uni<Void> settle(Open one) {
    return tasks
        .knows(one.id(), one.owner())
        .chain(
            stored -> {
              if (stored) {
                return store.admitted(one.id());
              }
              return one.live()
                  ? store.release(one.id(), interrupted)
                  : store
                      .follow(List.of(new Step(one.id(), "INTERRUPTED", interrupted)))
                      .replaceWithVoid();
            });
  }

  private Uni<Integer> follow() {
    return store.open().chain(open -> open.isEmpty() ? Uni.createFrom().item(0) : follow(open));
  }

  private Uni<Integer> follow(List<Open> open) {
    return tasks
        .states(open.stream().map(Open::id).toList())
        .map(answer -> steps(open, answer))
        .chain(store::follow)
        .chain(store::trim)
        .replaceWith(open.size());
  }

  private List<Step> steps(List<Open> open, JsonNode answer) {
    Map<String, JsonNode> known = new HashMap<>();
    answer.forEach(task -> known.put(task.path("taskId").asText(), task));
    var steps = new ArrayList<Step>();
    for (var one : open) {
      steps.add(step(one.id(), known.get(one.id().toString())));
    }
    return steps;
  }

  // A task that task-scheduler does not know any more ended long ago, nobody knows how.
  private Step step(UUID id, @Nullable JsonNode task) {
    if (task == null) {
      return new Step(id, "INTERRUPTED", interrupted);
    }
    var words = task.path("output").asText("");
    return switch (task.path("status").asText()) {
      case "queued" -> new Step(id, "QUEUED", null);
      case "running" -> new Step(id, "SUBMITTED", null);
      case "completed" -> new Step(id, "COMPLETED", null);
      case "cancelled" -> new Step(id, "CANCELLED", words.isEmpty() ? "cancelled" : words);
      default ->
          new Step(
              id,
              task.path("errorCode").asText("").equals("INTERRUPTED_BY_RESTART")
                  ? "INTERRUPTED"
                  : "FAILED",
              words);
    };
  }
}
