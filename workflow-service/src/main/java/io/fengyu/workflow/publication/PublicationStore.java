package io.fengyu.workflow.publication;

import io.fengyu.workflow.definition.Definition;
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
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Snapshots in Postgres. Each change is one statement with its check inside, so two publishers
 * cannot both win; each finds its definition by the primary key, under its owner.
 */
@ApplicationScoped
class PublicationStore {

  private static final String PUBLISH =
      """
      WITH changed AS (
        UPDATE workflow.definition
           SET revision = revision + 1, published_revision = revision + 1, updated_at = $4
         WHERE id = $1 AND owner = $2 AND ($3::integer IS NULL OR revision = $3) AND step_count > 0
        RETURNING *),
      kept AS (
        INSERT INTO workflow.snapshot
               (workflow_id, revision, name, description, input_schema, plan, layout, graph,
                step_count, published_at)
        SELECT id, revision, name, description, input_schema, plan, layout, graph, step_count, $4
          FROM changed)
      SELECT changed.*, pg_notify('fengyu_workflows', owner) FROM changed""";

  private static final String UNPUBLISH =
      """
      UPDATE workflow.definition
         SET revision = revision + 1, published_revision = NULL, updated_at = $4
       WHERE id = $1 AND owner = $2 AND ($3::integer IS NULL OR revision = $3)
      RETURNING *, pg_notify('fengyu_workflows', owner)""";

  private static final String RESTORE =
      """
      UPDATE workflow.definition d
         SET name = s.name, description = s.description, input_schema = s.input_schema,
             plan = s.plan, layout = s.layout, graph = s.graph, step_count = s.step_count,
             revision = d.revision + 1, updated_at = $5
        FROM workflow.snapshot s
       WHERE d.id = $1 AND d.owner = $2 AND ($3::integer IS NULL OR d.revision = $3)
         AND s.workflow_id = d.id AND s.revision = $4
      RETURNING d.*""";

  // Backwards along the primary key; no document is read.
  private static final String LIST =
      """
      SELECT s.revision, s.name, s.description, s.published_at,
             s.revision IS NOT DISTINCT FROM d.published_revision AS active
        FROM workflow.definition d JOIN workflow.snapshot s ON s.workflow_id = d.id
       WHERE d.id = $1 AND d.owner = $2 AND s.revision < $3
       ORDER BY s.revision DESC
       LIMIT $4""";

  // In the columns of a definition that was published at this revision and not changed since.
  private static final String SNAPSHOT =
      """
      SELECT s.workflow_id AS id, s.name, s.description, s.input_schema, s.plan, s.layout, s.graph,
             s.step_count, s.revision, s.revision AS published_revision, d.created_at, s.published_at AS updated_at
        FROM workflow.definition d JOIN workflow.snapshot s ON s.workflow_id = d.id
       WHERE d.id = $1 AND d.owner = $2 AND s.revision = $3""";

  private static final String ACTIVE =
      """
      SELECT s.workflow_id AS id, s.name, s.description, s.input_schema, s.plan, s.layout, s.graph,
             s.step_count, s.revision, s.revision AS published_revision, d.created_at, s.published_at AS updated_at
        FROM workflow.definition d
        JOIN workflow.snapshot s ON s.workflow_id = d.id AND s.revision = d.published_revision
       WHERE d.id = $1 AND d.owner = $2""";

  // One row a workflow of the owner in the index definition_by_owner; snapshots by primary key.
  private static final String CALLABLE =
      """
      SELECT s.workflow_id, s.revision, s.name, s.description, s.input_schema
        FROM workflow.definition d
        JOIN workflow.snapshot s ON s.workflow_id = d.id AND s.revision = d.published_revision
       WHERE d.owner = $1
       ORDER BY d.created_at, d.id
       LIMIT 1000""";

  private final Pool postgres;
  private final Clock clock;

  PublicationStore(Pool postgres, Clock clock) {
    this.postgres = postgres;
    this.clock = clock;
  }

  /** Emits null, and changes nothing, when the workflow is unknown, changed or without steps. */
  Uni<Definition> publish(String id, String owner, @Nullable Integer expected) {
    return one(PUBLISH, Tuple.of(id, owner, expected, now()));
  }

  /** Emits null, and changes nothing, when the workflow is unknown or changed. */
  Uni<Definition> unpublish(String id, String owner, @Nullable Integer expected) {
    return one(UNPUBLISH, Tuple.of(id, owner, expected, now()));
  }

  /** Emits null, and changes nothing, when workflow or snapshot are unknown, or it changed. */
  Uni<Definition> restore(String id, String owner, @Nullable Integer expected, int revision) {
    return one(RESTORE, Tuple.of(id, owner, expected, revision, now()));
  }

  /** Snapshots older than a revision, newest first. */
  Uni<List<SnapshotInfo>> list(String id, String owner, int before, int limit) {
    return postgres
        .preparedQuery(LIST)
        .execute(Tuple.of(id, owner, before, limit))
        .map(rows -> rows.stream().map(SnapshotInfo::of).toList());
  }

  /** Emits null when there is no such snapshot. */
  Uni<Definition> snapshot(String id, String owner, int revision) {
    return one(SNAPSHOT, Tuple.of(id, owner, revision));
  }

  /** Emits null while the workflow is not published. */
  Uni<Definition> active(String id, String owner) {
    return one(ACTIVE, Tuple.of(id, owner));
  }

  /** What an owner has published, first made first; at most a thousand. */
  Uni<List<CallableWorkflow>> callable(String owner) {
    return postgres
        .preparedQuery(CALLABLE)
        .execute(Tuple.of(owner))
        .map(rows -> rows.stream().map(CallableWorkflow::of).toList());
  }

  private Uni<Definition> one(String sql, Tuple values) {
    return postgres.preparedQuery(sql).execute(values).map(PublicationStore::first);
  }

  private OffsetDateTime now() {
    return clock.instant().truncatedTo(ChronoUnit.MILLIS).atOffset(ZoneOffset.UTC);
  }

  private static @Nullable Definition first(RowSet<Row> rows) {
    return rows.size() == 0 ? null : Definition.of(rows.iterator().next());
  }
}
