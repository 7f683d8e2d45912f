package io.fengyu.agent.history;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.sqlclient.Pool;
import io.vertx.mutiny.sqlclient.Row;
import io.vertx.mutiny.sqlclient.RowSet;
import io.vertx.mutiny.sqlclient.Tuple;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Reads from the journal what a run has used. */
@ApplicationScoped
public class Usages {

  // A range of the primary key. Arguments and results stay where they are.
  private static final String READ =
      """
      SELECT type, created_at, CASE WHEN type IN ('usage', 'step_start') THEN data END AS data
        FROM agent.run_event
       WHERE run_id = $1 AND audit_seq IS NOT NULL
         AND type IN ('created', 'usage', 'step_start', 'step_retry', 'plan_approval_requested',
                      'step_approval_requested', 'approval_resolved', 'complete', 'error',
                      'cancelled', 'interrupted')
       ORDER BY audit_seq""";

  private final Pool pool;
  private final ObjectMapper json;
  private final Clock clock;

  Usages(Pool pool, ObjectMapper json, Clock clock) {
    this.pool = pool;
    this.json = json;
    this.clock = clock;
  }

  /** Up to now, or to the end. */
  public Uni<Usage> of(UUID runId) {
    return pool.preparedQuery(READ).execute(Tuple.of(runId)).map(this::folded);
  }

  private Usage folded(RowSet<Row> rows) {
    var sum = new Sum();
    for (var row : rows) {
      var data = row.getString("data");
      sum.add(
          row.getString("type"),
          row.getOffsetDateTime("created_at").toInstant(),
          data == null ? json.createObjectNode() : read(data));
    }
    return sum.at(clock.instant());
  }

  private JsonNode read(String data) {
    try {
      return json.readTree(data);
    } catch (JsonProcessingException impossible) {
      throw new IllegalStateException(impossible);
    }
  }

  /** Counts noted by the run itself hold; steps begun since are added to them. */
  private static final class Sum {

    private Usage noted = Usage.NONE;
    private long callsSince;
    private Duration worked = Duration.ZERO;
    private @Nullable Instant workingSince;

    void add(String type, Instant at, JsonNode data) {
      switch (type) {
        case "created", "approval_resolved" -> {
          if (workingSince == null) {
            workingSince = at;
          }
        }
        case "usage" -> {
          noted = noted(data);
          callsSince = 0;
        }
        case "step_start" -> callsSince += data.path("pinned").asBoolean() ? 0 : 1;
        case "step_retry" -> callsSince++;
        default -> stop(at);
      }
    }

    private void stop(Instant at) {
      if (workingSince != null) {
        worked = worked.plus(Duration.between(workingSince, at));
        workingSince = null;
      }
    }

    Usage at(Instant now) {
      stop(now);
      return new Usage(
          noted.promptTokens(),
          noted.completionTokens(),
          noted.modelCalls(),
          noted.toolCalls() + callsSince,
          Math.max(0, worked.toMillis()),
          noted.estimated(),
          noted.calls());
    }

    private static Usage noted(JsonNode data) {
      Map<String, Integer> calls = new HashMap<>();
      data.path("calls")
          .properties()
          .forEach(call -> calls.put(call.getKey(), call.getValue().intValue()));
      return new Usage(
          data.path("promptTokens").asLong(),
          data.path("completionTokens").asLong(),
          data.path("modelCalls").asLong(),
          data.path("toolCalls").asLong(),
          0,
          data.path("estimated").asBoolean(),
          calls);
    }
  }
}
