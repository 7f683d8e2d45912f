package io.fengyu.agent.run;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fengyu.contract.plan.CompiledPlan;
import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.sqlclient.Pool;
import io.vertx.mutiny.sqlclient.Row;
import io.vertx.mutiny.sqlclient.RowSet;
import io.vertx.mutiny.sqlclient.Tuple;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** What the journal knows of a run's steps, so that any replica can go on where it paused. */
@ApplicationScoped
class StepHistory {

  // The events of one run by its primary key; few enough to be sorted.
  private static final String READ =
      """
      SELECT type, data, created_at
        FROM agent.run_event
       WHERE run_id = $1
         AND type IN ('plan_ready', 'step_start', 'step_retry', 'step_complete', 'step_failed',
                      'step_skipped', 'approval_resolved')
       ORDER BY audit_seq""";

  private final Pool pool;

  StepHistory(Pool pool) {
    this.pool = pool;
  }

  /** One event. */
  record Recorded(String type, ObjectNode data, Instant at) {}

  /** Everything that happened to steps, in order. */
  Uni<List<Recorded>> of(UUID runId) {
    return pool.preparedQuery(READ).execute(Tuple.of(runId)).map(StepHistory::recorded);
  }

  private static List<Recorded> recorded(RowSet<Row> rows) {
    var all = new ArrayList<Recorded>(rows.rowCount());
    for (var row : rows) {
      all.add(
          new Recorded(
              row.getString("type"),
              Json.stored(row.getString("data")),
              row.getOffsetDateTime("created_at").toInstant()));
    }
    return all;
  }

  /** The states of a plan's steps after these events. */
  static List<StepRun> fold(CompiledPlan plan, List<Recorded> history) {
    var known = new Fold<StepRun>();
    for (var event : history) {
      if (event.data().path("editedPlan").asBoolean(false)) {
        known.steps().values().forEach(StepRun::forgetDecision);
      }
      known.apply(event, StepHistory::changed);
    }
    return known.inOrder(plan.steps().size(), StepRun::new);
  }

  /** What {@code step_complete} says of the steps that are done after these events, by index. */
  static Map<Integer, Recorded> completed(List<Recorded> history) {
    var known = new Fold<Recorded>();
    history.forEach(event -> known.apply(event, (before, now) -> done(now)));
    return known.steps();
  }

  private static @Nullable Recorded done(Recorded event) {
    return event.type().equals("step_complete") ? event : null;
  }

  /** How often a plan was made after the first one. */
  static int replans(List<Recorded> history) {
    var plans = history.stream().filter(event -> event.type().equals("plan_ready")).count();
    return (int) Math.max(0, plans - 1);
  }

  /** What a new event makes of what is known of its step. */
  private interface Change<T> {
    @Nullable T of(@Nullable T before, Recorded event);
  }

  /** Walks over a history and keeps one thing for each step of the plan in force. */
  private static final class Fold<T> {

    private final Map<Integer, T> steps = new TreeMap<>();
    private boolean planned;

    void apply(Recorded event, Change<T> change) {
      if (event.type().equals("plan_ready")) {
        // Nothing of a plan before counts as done.
        if (planned) {
          steps.clear();
        }
        planned = true;
        return;
      }
      if (!planned && !event.data().path("inherited").asBoolean()) {
        // Calls that a model made before it planned are no steps.
        return;
      }
      if (event.data().path("kept") instanceof ArrayNode kept) {
        keep(kept);
      }
      if (event.data().path("index").canConvertToInt()) {
        put(event.data().path("index").intValue(), event, change);
      }
    }

    private void put(int step, Recorded event, Change<T> change) {
      var after = change.of(steps.get(step), event);
      if (after != null) {
        steps.put(step, after);
      }
    }

    private void keep(ArrayNode kept) {
      var before = new TreeMap<>(steps);
      steps.clear();
      for (var step : kept) {
        var known = before.get(step.path("was").asInt());
        if (known != null) {
          steps.put(step.path("index").asInt(), known);
        }
      }
    }

    Map<Integer, T> steps() {
      return steps;
    }

    List<T> inOrder(int size, Supplier<T> otherwise) {
      var all = new ArrayList<T>(size);
      for (int i = 0; i < size; i++) {
        var known = steps.get(i);
        all.add(known == null ? otherwise.get() : known);
      }
      return all;
    }
  }

  private static StepRun changed(@Nullable StepRun before, Recorded event) {
    var run = before == null ? new StepRun() : before;
    var data = event.data();
    switch (event.type()) {
      case "step_start" -> run.attempts(1);
      case "step_retry" -> run.attempts(data.path("nextAttempt").asInt(1));
      case "step_complete" -> run.completeFromJournal(data.path("result").asText());
      case "step_failed" -> run.fail(data.path("error").asText());
      case "step_skipped" -> run.skip();
      case "approval_resolved" -> decided(run, data);
      default -> throw new IllegalStateException(event.type());
    }
    return run;
  }

  // A changed secret is not kept: that step has to be decided about again.
  private static void decided(StepRun run, ObjectNode data) {
    JsonNode patched = data.path("patched_args");
    if (data.path("decision").asText().equals("reject")) {
      run.reject();
    } else if (!data.path("patchedSecret").asBoolean(false)) {
      run.approve(patched instanceof ObjectNode args ? args : null);
    }
  }
}
