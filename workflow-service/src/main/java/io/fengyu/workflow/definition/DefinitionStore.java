package io.fengyu.workflow.definition;

import io.fengyu.workflow.validation.Draft;
import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.sqlclient.Pool;
import io.vertx.mutiny.sqlclient.Row;
import io.vertx.mutiny.sqlclient.RowSet;
import io.vertx.mutiny.sqlclient.Tuple;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Clock;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import org.jspecify.annotations.Nullable;

/** Drafts in Postgres. Every statement names the owner, so a foreign id finds nothing. */
@ApplicationScoped
public class DefinitionStore {

  private static final String INSERT =
      """
      INSERT INTO workflow.definition
             (id, owner, name, description, input_schema, plan, layout, graph, step_count,
              revision, created_at, updated_at)
      VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, 1, $10, $10)
      RETURNING *""";

  // By the primary key.
  private static final String FIND =
      "SELECT * FROM workflow.definition WHERE id = $1 AND owner = $2";

  private static final String REVISION =
      "SELECT revision FROM workflow.definition WHERE id = $1 AND owner = $2";

  // Check and write are one statement: whoever comes second waits for the row, sees the new
  // revision and changes nothing.
  private static final String REPLACE =
      """
      UPDATE workflow.definition
         SET name = $4, description = $5, input_schema = $6, plan = $7, layout = $8, graph = $9,
             step_count = $10, revision = revision + 1, updated_at = $11
       WHERE id = $1 AND owner = $2 AND ($3::integer IS NULL OR revision = $3)
      RETURNING *""";

  private static final String COPY =
      """
      INSERT INTO workflow.definition
             (id, owner, name, description, input_schema, plan, layout, graph, step_count,
              revision, created_at, updated_at)
      SELECT $3, owner, $4, description, input_schema, plan, layout, graph, step_count, 1, $5, $5
        FROM workflow.definition
       WHERE id = $1 AND owner = $2
      RETURNING *""";

  private final Pool postgres;
  private final Clock clock;

  DefinitionStore(Pool postgres, Clock clock) {
    this.postgres = postgres;
    this.clock = clock;
  }

  Uni<Definition> insert(String owner, Draft draft) {
    return postgres
        .preparedQuery(INSERT)
        .execute(
            Tuple.tuple()
                .addString(WorkflowId.fresh())
                .addString(owner)
                .addString(draft.name())
                .addString(draft.description())
                .addString(draft.inputSchema())
                .addString(draft.plan())
                .addString(draft.layout())
                .addString(draft.graph())
                .addInteger(draft.stepCount())
                .addOffsetDateTime(now()))
        .map(rows -> Definition.of(rows.iterator().next()));
  }

  /** Emits null for an unknown id. */
  public Uni<Definition> find(String id, String owner) {
    return postgres.preparedQuery(FIND).execute(Tuple.of(id, owner)).map(DefinitionStore::first);
  }

  /** Emits null for an unknown id. Reads no document. */
  public Uni<Integer> revision(String id, String owner) {
    return postgres
        .preparedQuery(REVISION)
        .execute(Tuple.of(id, owner))
        .map(rows -> rows.size() == 0 ? null : rows.iterator().next().getInteger("revision"));
  }

  /** Emits null, and changes nothing, for an unknown id or another revision than the expected. */
  Uni<Definition> replace(String id, String owner, @Nullable Integer expected, Draft draft) {
    return postgres
        .preparedQuery(REPLACE)
        .execute(
            Tuple.tuple()
                .addString(id)
                .addString(owner)
                .addInteger(expected)
                .addString(draft.name())
                .addString(draft.description())
                .addString(draft.inputSchema())
                .addString(draft.plan())
                .addString(draft.layout())
                .addString(draft.graph())
                .addInteger(draft.stepCount())
                .addOffsetDateTime(now()))
        .map(DefinitionStore::first);
  }

  /** Emits null for an unknown id. */
  Uni<Definition> copy(String id, String owner, String name) {
    return postgres
        .preparedQuery(COPY)
        .execute(Tuple.of(id, owner, WorkflowId.fresh(), name, now()))
        .map(DefinitionStore::first);
  }

  private OffsetDateTime now() {
    return clock.instant().truncatedTo(ChronoUnit.MILLIS).atOffset(ZoneOffset.UTC);
  }

  private static @Nullable Definition first(RowSet<Row> rows) {
    return rows.size() == 0 ? null : Definition.of(rows.iterator().next());
  }
}
