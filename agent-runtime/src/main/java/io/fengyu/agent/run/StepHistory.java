package io.fengyu.agent.run;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fengyu.contract.plan.CompiledPlan;
import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.sqlclient.Pool;
import io.vertx.mutiny.sqlclient.Row;
import io.vertx.mutiny.sqlclient.RowSet;
import io.vertx.mutiny.sqlclient.Tuple;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/** What the journal knows of a run's steps, so that any replica can go on where it paused. */
@ApplicationScoped
class StepHistory {

  // The events of one run by its primary key; few enough to be sorted.
  private static final String READ =
      """
      SELECT type, data
        FROM agent.run_event
       WHERE run_id = $1
         AND type IN ('plan_ready', 'step_complete', 'step_failed', 'step_skipped', 'approval_resolved')
       ORDER BY audit_seq""";

  private final Pool pool;

  StepHistory(Pool pool) {
    this.pool = pool;
  }

  /** One event. */
  record Recorded(String type, ObjectNode data) {}

  /** Everything that happened to steps, in order. */
  Uni<List<Recorded>> of(UUID runId) {
    return pool.preparedQuery(READ).execute(Tuple.of(runId)).map(StepHistory::recorded);
  }

  private static List<Recorded> recorded(RowSet<Row> rows) {
    var all = new ArrayList<Recorded>(rows.size());
    for (var row : rows) {
      all.add(new Recorded(row.getString("type"), Json.stored(row.getString("data"))));
    }
    return all;
  }

  /** The states of a plan's steps after these events. */
  static List<StepRun> fold(CompiledPlan plan, List<Recorded> history) {
    var runs = RunState.pending(plan);
    for (var event : history) {
      apply(runs, event);
    }
    return runs;
  }

  /** How often a plan was made after the first one. */
  static int replans(List<Recorded> history) {
    var plans = history.stream().filter(event -> event.type().equals("plan_ready")).count();
    return (int) Math.max(0, plans - 1);
  }

  private static void apply(List<StepRun> runs, Recorded event) {
    var data = event.data();
    if (event.type().equals("plan_ready")) {
      // Nothing of the plan before counts as done.
      runs.replaceAll(before -> new StepRun());
      return;
    }
    if (data.path("editedPlan").asBoolean(false)) {
      runs.forEach(StepRun::forgetDecision);
    }
    int index = data.path("index").asInt(-1);
    if (index < 0 || index >= runs.size()) {
      return;
    }
    var run = runs.get(index);
    switch (event.type()) {
      case "step_complete" -> run.completeFromJournal(data.path("result").asText());
      case "step_failed" -> run.fail(data.path("error").asText());
      case "step_skipped" -> run.skip();
      case "approval_resolved" -> decided(run, data);
      default -> throw new IllegalStateException(event.type());
    }
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
