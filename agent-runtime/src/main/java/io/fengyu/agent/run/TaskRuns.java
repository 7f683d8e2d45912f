package io.fengyu.agent.run;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fengyu.contract.start.StartClaims;
import io.fengyu.contract.start.StartKey;
import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.sqlclient.Pool;
import io.vertx.mutiny.sqlclient.Row;
import io.vertx.mutiny.sqlclient.Tuple;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Runs of background tasks: one for each task, whatever is asked for how often. */
@ApplicationScoped
class TaskRuns {

  private static final int LONGEST_OUTPUT = 100_001;

  // Primary keys; of each run's history the last step that was completed, and the last error.
  private static final String ENDS =
      """
      SELECT r.id, r.status, r.interrupted, r.error, r.summary,
             (SELECT e.data FROM agent.run_event e
               WHERE e.run_id = r.id AND e.audit_seq IS NOT NULL AND e.type = 'step_complete'
                 AND r.status = 'COMPLETED'
               ORDER BY (e.data::json ->> 'index')::int DESC, e.audit_seq DESC LIMIT 1) AS last_step,
             (SELECT e.data FROM agent.run_event e
               WHERE e.run_id = r.id AND e.audit_seq IS NOT NULL AND e.type = 'error'
                 AND r.status = 'FAILED'
               ORDER BY e.audit_seq DESC LIMIT 1) AS last_error
        FROM agent.run r
       WHERE r.id = ANY ($1::uuid[]) AND r.completed_at IS NOT NULL""";

  private final Pool pool;
  private final Runs runs;
  private final StartClaims claims;

  TaskRuns(Pool pool, Runs runs, StartClaims claims) {
    this.pool = pool;
    this.runs = runs;
    this.claims = claims;
  }

  private static StartKey key(String owner, UUID task) {
    return new StartKey(owner, "task", "taskId", task.toString(), task.toString());
  }

  /**
   * Starts the run of a task, or finds it.
   *
   * @param start as of any run, and {@code granted}: whether a permitted call started the task
   */
  Uni<RunStarted> start(String owner, UUID task, ObjectNode start) {
    boolean granted = start.path("granted").asBoolean(false);
    start.remove("granted");
    var starter = granted ? StartedBy.GRANTED_TASK : StartedBy.TASK;
    return runs.startTask(owner, key(owner, task), StartRequest.read(start).startedBy(starter));
  }

  /** Stops the run of a task; when none has begun, none will. */
  Uni<Void> cancel(String owner, UUID task) {
    return claims
        .cancel(key(owner, task))
        .chain(
            runId ->
                runId == null
                    ? Uni.createFrom().voidItem()
                    : runs.cancel(owner, runId).replaceWithVoid());
  }

  /** What those runs came to that have ended. */
  Uni<ArrayNode> ends(UUID[] ids) {
    return pool.preparedQuery(ENDS)
        .execute(Tuple.tuple().addArrayOfUUID(ids))
        .map(
            rows -> {
              var ends = JsonNodeFactory.instance.arrayNode();
              rows.forEach(row -> ends.add(end(row)));
              return ends;
            });
  }

  private static ObjectNode end(Row row) {
    var end =
        JsonNodeFactory.instance
            .objectNode()
            .put("runId", row.getUUID("id").toString())
            .put("status", row.getBoolean("interrupted") ? "INTERRUPTED" : row.getString("status"))
            .put("output", cut(output(row)));
    var error = row.getString("last_error");
    if (error != null) {
      end.put("errorCode", Json.stored(error).path("code").asText("RUN_FAILED"));
    }
    return end;
  }

  private static @Nullable String output(Row row) {
    var step = row.getString("last_step");
    if (step == null) {
      var error = row.getString("error");
      return error == null ? row.getString("summary") : error;
    }
    var result = Json.stored(step).path("result");
    return result.isTextual() ? result.textValue() : result.toString();
  }

  private static @Nullable String cut(@Nullable String text) {
    return text == null || text.length() <= LONGEST_OUTPUT
        ? text
        : text.substring(0, LONGEST_OUTPUT);
  }
}
