package io.fengyu.scheduler.task;

import com.fasterxml.jackson.annotation.JsonProperty;
import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.sqlclient.Pool;
import io.vertx.mutiny.sqlclient.Row;
import io.vertx.mutiny.sqlclient.Tuple;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.Collection;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** How tasks are doing, for services that asked for many of them. */
@ApplicationScoped
class TaskStates {

  // Primary key.
  private static final String FIND =
      """
      SELECT id, status, error_code, left(output, 4000) AS output
        FROM scheduler.task
       WHERE id = ANY ($1::uuid[])""";

  private final Pool pool;

  TaskStates(Pool pool) {
    this.pool = pool;
  }

  /**
   * One task.
   *
   * @param output the result, or what went wrong, cut; null while there is none
   */
  record State(
      @JsonProperty("taskId") UUID taskId,
      @JsonProperty("status") String status,
      @JsonProperty("errorCode") @Nullable String errorCode,
      @JsonProperty("output") @Nullable String output) {

    static State of(Row row) {
      return new State(
          row.getUUID("id"),
          row.getString("status"),
          row.getString("error_code"),
          row.getString("output"));
    }
  }

  /** Those that are stored, whoever owns them, in no order. */
  Uni<List<State>> of(Collection<UUID> ids) {
    return pool.preparedQuery(FIND)
        .execute(Tuple.tuple().addArrayOfUUID(ids.toArray(UUID[]::new)))
        .map(rows -> rows.stream().map(State::of).toList());
  }
}
