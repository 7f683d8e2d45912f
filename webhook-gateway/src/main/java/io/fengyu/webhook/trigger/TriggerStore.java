package io.fengyu.webhook.trigger;

import io.fengyu.contract.identity.Digest;
import io.smallrye.mutiny.Uni;
import io.vertx.core.buffer.Buffer;
import io.vertx.mutiny.sqlclient.Pool;
import io.vertx.mutiny.sqlclient.Row;
import io.vertx.mutiny.sqlclient.RowSet;
import io.vertx.mutiny.sqlclient.Tuple;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The triggers. One that was deleted, or whose workflow was, is found no more. */
@ApplicationScoped
public class TriggerStore {

  private static final int MOST_LISTED = 1_000;

  private static final String INSERT =
      """
      INSERT INTO webhook.trigger
             (id, owner, workflow_id, name, secret_digest, default_inputs, permission_mode,
              sandbox_profile, signature_scheme, signature_secret)
      VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
      RETURNING *""";

  // Index trigger_by_owner.
  private static final String LIST =
      """
      SELECT *
        FROM webhook.trigger
       WHERE owner = $1 AND disabled_at IS NULL
       ORDER BY created_at, id
       LIMIT $2""";

  // The primary key, like all below.
  private static final String FIND =
      "SELECT * FROM webhook.trigger WHERE id = $1 AND disabled_at IS NULL";

  private static final String ROTATE =
      """
      UPDATE webhook.trigger
         SET secret_digest = $3
       WHERE id = $1 AND owner = $2 AND disabled_at IS NULL
      RETURNING *""";

  private static final String CHANGE =
      """
      UPDATE webhook.trigger
         SET name = $3, default_inputs = $4, permission_mode = $5, enabled = $6,
             signature_scheme = $7, signature_secret = $8
       WHERE id = $1 AND owner = $2 AND disabled_at IS NULL
      RETURNING *""";

  private static final String DELETE =
      """
      UPDATE webhook.trigger
         SET enabled = false, disabled_at = now()
       WHERE id = $1 AND owner = $2 AND disabled_at IS NULL""";

  private final Pool pool;

  TriggerStore(Pool pool) {
    this.pool = pool;
  }

  /** What a trigger is made from. */
  record Draft(
      String owner,
      String workflowId,
      String name,
      String defaultInputs,
      String permissionMode,
      String sandboxProfile,
      @Nullable String signatureScheme,
      @Nullable String signatureSecret) {}

  Uni<Trigger> create(UUID id, Draft draft, Digest secret) {
    return pool.preparedQuery(INSERT)
        .execute(
            Tuple.tuple()
                .addUUID(id)
                .addString(draft.owner)
                .addString(draft.workflowId)
                .addString(draft.name)
                .addValue(Buffer.buffer(secret.bytes()))
                .addString(draft.defaultInputs)
                .addString(draft.permissionMode)
                .addString(draft.sandboxProfile)
                .addString(draft.signatureScheme)
                .addString(draft.signatureSecret))
        .map(rows -> Trigger.of(rows.iterator().next()));
  }

  Uni<List<Trigger>> list(String owner) {
    return pool.preparedQuery(LIST)
        .execute(Tuple.of(owner, MOST_LISTED))
        .map(rows -> rows.stream().map(Trigger::of).toList());
  }

  /** Whoever it belongs to. */
  public Uni<Optional<Trigger>> find(UUID id) {
    return pool.preparedQuery(FIND).execute(Tuple.of(id)).map(TriggerStore::first);
  }

  Uni<Optional<Trigger>> rotate(UUID id, String owner, Digest secret) {
    return pool.preparedQuery(ROTATE)
        .execute(Tuple.of(id, owner, Buffer.buffer(secret.bytes())))
        .map(TriggerStore::first);
  }

  Uni<Optional<Trigger>> change(Trigger changed) {
    return pool.preparedQuery(CHANGE)
        .execute(
            Tuple.tuple()
                .addUUID(changed.id())
                .addString(changed.owner())
                .addString(changed.name())
                .addString(changed.defaultInputs())
                .addString(changed.permissionMode())
                .addBoolean(changed.enabled())
                .addString(changed.signatureScheme())
                .addString(changed.signatureSecret()))
        .map(TriggerStore::first);
  }

  Uni<Boolean> delete(UUID id, String owner) {
    return pool.preparedQuery(DELETE)
        .execute(Tuple.of(id, owner))
        .map(rows -> rows.rowCount() == 1);
  }

  private static Optional<Trigger> first(RowSet<Row> rows) {
    return rows.stream().findFirst().map(Trigger::of);
  }
}
