package io.fengyu.webhook.delivery;

import io.fengyu.contract.instance.Instances;
import io.smallrye.mutiny.Uni;
import io.vertx.core.buffer.Buffer;
import io.vertx.mutiny.sqlclient.Pool;
import io.vertx.mutiny.sqlclient.Row;
import io.vertx.mutiny.sqlclient.RowSet;
import io.vertx.mutiny.sqlclient.Tuple;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The deliveries, and which event became which. */
@ApplicationScoped
class DeliveryStore {

  /** Finished rows of a trigger beyond this are removed, the oldest first. */
  static final int KEPT = 1_000;

  // The key of event_claim lets one event in once; who comes second waits for the first one's
  // commit and then writes nothing. Without an event id there is nothing to claim.
  private static final String CLAIM =
      """
      WITH claim AS (
        INSERT INTO webhook.event_claim (trigger_id, event_digest, delivery_id)
        SELECT $2, $3, $1 WHERE $3::bytea IS NOT NULL
        ON CONFLICT (trigger_id, event_digest) DO NOTHING
        RETURNING delivery_id)
      INSERT INTO webhook.delivery (id, trigger_id, owner, gateway, keyed)
      SELECT $1, $2, $4, $5, $3::bytea IS NOT NULL
       WHERE $3::bytea IS NULL OR EXISTS (SELECT FROM claim)""";

  private static final String KNOWN =
      """
      SELECT d.id, d.state, d.error
        FROM webhook.event_claim c
        JOIN webhook.delivery d ON d.id = c.delivery_id
       WHERE c.trigger_id = $1 AND c.event_digest = $2""";

  private static final String ADMITTED =
      """
      WITH admitted AS (
        UPDATE webhook.delivery
           SET state = 'QUEUED'
         WHERE id = $1 AND state = 'CLAIMED'
        RETURNING trigger_id)
      UPDATE webhook.trigger t
         SET fires = t.fires + 1, last_fire_at = now(), last_task_id = $1, last_error = NULL
        FROM admitted a
       WHERE t.id = a.trigger_id""";

  // The claim goes with the row.
  private static final String RELEASE =
      """
      WITH released AS (
        DELETE FROM webhook.delivery WHERE id = $1 AND state = 'CLAIMED' RETURNING trigger_id)
      UPDATE webhook.trigger t
         SET last_error = $2
        FROM released r
       WHERE t.id = r.trigger_id""";

  private static final String REFUSED = "UPDATE webhook.trigger SET last_error = $2 WHERE id = $1";

  // Index delivery_by_trigger.
  private static final String AUDIT =
      """
      SELECT id, state, accepted_at, completed_at, keyed, error
        FROM webhook.delivery
       WHERE trigger_id = $1
       ORDER BY accepted_at DESC, id
       LIMIT $2""";

  // Index delivery_open.
  private static final String OPEN =
      """
      SELECT id, owner
        FROM webhook.delivery
       WHERE completed_at IS NULL AND state <> 'CLAIMED'
       ORDER BY accepted_at
       LIMIT 2000""";

  // What a dead replica claimed, and what this service has not settled for so long that no call
  // about it is on its way any more.
  private static final String UNSETTLED =
      """
      SELECT d.id, d.owner,
             EXISTS (SELECT
                       FROM platform.instances i
                      WHERE i.id = d.gateway
                        AND i.heartbeat_at > now() - $1 * interval '1 millisecond') AS live
        FROM webhook.delivery d
       WHERE d.completed_at IS NULL AND d.state = 'CLAIMED'
         AND (d.accepted_at < now() - interval '15 seconds'
              OR NOT EXISTS (SELECT
                               FROM platform.instances i
                              WHERE i.id = d.gateway
                                AND i.heartbeat_at > now() - $1 * interval '1 millisecond'))
       LIMIT 500""";

  private static final String FOLLOW =
      """
      WITH seen AS (
        SELECT * FROM unnest($1::uuid[], $2::text[], $3::text[]) AS s (id, state, error)
      ), moved AS (
        UPDATE webhook.delivery d
           SET state = s.state, error = left(s.error, 4000),
               completed_at = CASE WHEN s.state IN ('QUEUED', 'SUBMITTED') THEN NULL
                              ELSE now() END
          FROM seen s
         WHERE d.id = s.id AND d.completed_at IS NULL AND d.state <> s.state
        RETURNING d.trigger_id, d.state, d.error, d.accepted_at
      ), newest AS (
        SELECT DISTINCT ON (trigger_id) trigger_id, error
          FROM moved
         WHERE state IN ('FAILED', 'CANCELLED', 'INTERRUPTED')
         ORDER BY trigger_id, accepted_at DESC
      ), told AS (
        UPDATE webhook.trigger t SET last_error = n.error FROM newest n WHERE t.id = n.trigger_id)
      SELECT DISTINCT trigger_id
        FROM moved
       WHERE state NOT IN ('QUEUED', 'SUBMITTED')""";

  private static final String TRIM =
      """
      DELETE FROM webhook.delivery
       WHERE id IN (SELECT o.id
                      FROM unnest($1::uuid[]) AS t (id)
                     CROSS JOIN LATERAL (SELECT d.id, d.completed_at
                                           FROM webhook.delivery d
                                          WHERE d.trigger_id = t.id
                                          ORDER BY d.accepted_at DESC, d.id
                                         OFFSET $2) o
                     WHERE o.completed_at IS NOT NULL)""";

  private final Pool pool;
  private final Instances instances;

  DeliveryStore(Pool pool, Instances instances) {
    this.pool = pool;
    this.instances = instances;
  }

  /**
   * Somebody's delivery.
   *
   * @param live true while the replica that took it is alive
   */
  record Open(UUID id, String owner, boolean live) {}

  /** What became of a task. */
  record Step(UUID id, String state, @Nullable String error) {}

  /** False when the event became a delivery before. The claim is committed when this answers. */
  Uni<Boolean> claim(UUID id, UUID triggerId, String owner, byte @Nullable [] event) {
    return pool.preparedQuery(CLAIM)
        .execute(
            Tuple.tuple()
                .addUUID(id)
                .addUUID(triggerId)
                .addValue(event == null ? null : Buffer.buffer(event))
                .addString(owner)
                .addUUID(instances.id()))
        .map(rows -> rows.rowCount() == 1);
  }

  Uni<Optional<Delivery>> known(UUID triggerId, byte[] event) {
    return pool.preparedQuery(KNOWN)
        .execute(Tuple.of(triggerId, Buffer.buffer(event)))
        .map(rows -> rows.stream().findFirst().map(Delivery::of));
  }

  Uni<Void> admitted(UUID id) {
    return pool.preparedQuery(ADMITTED).execute(Tuple.of(id)).replaceWithVoid();
  }

  /** Frees the event: nothing was admitted. */
  Uni<Void> release(UUID id, String error) {
    return pool.preparedQuery(RELEASE).execute(Tuple.of(id, error)).replaceWithVoid();
  }

  /** Notes why the newest delivery of a trigger was turned away before it was claimed. */
  Uni<Void> refused(UUID triggerId, String error) {
    return pool.preparedQuery(REFUSED).execute(Tuple.of(triggerId, error)).replaceWithVoid();
  }

  Uni<List<DeliveryView>> audit(UUID triggerId, int limit) {
    return pool.preparedQuery(AUDIT)
        .execute(Tuple.of(triggerId, limit))
        .map(rows -> rows.stream().map(DeliveryView::of).toList());
  }

  /** Deliveries whose task is not over, as far as is known here. */
  Uni<List<Open>> open() {
    return pool.preparedQuery(OPEN)
        .execute()
        .map(
            rows ->
                rows.stream()
                    .map(row -> new Open(row.getUUID("id"), row.getString("owner"), true))
                    .toList());
  }

  Uni<List<Open>> unsettled() {
    return pool.preparedQuery(UNSETTLED)
        .execute(Tuple.of(instances.leaseTtl().toMillis()))
        .map(DeliveryStore::unsettled);
  }

  private static List<Open> unsettled(RowSet<Row> rows) {
    return rows.stream()
        .map(row -> new Open(row.getUUID("id"), row.getString("owner"), row.getBoolean("live")))
        .toList();
  }

  /**
   * Moves rows that are not over to what their tasks are.
   *
   * @return triggers with a delivery that ended
   */
  Uni<List<UUID>> follow(Collection<Step> steps) {
    return pool.preparedQuery(FOLLOW)
        .execute(
            Tuple.tuple()
                .addArrayOfUUID(steps.stream().map(Step::id).toArray(UUID[]::new))
                .addArrayOfString(steps.stream().map(Step::state).toArray(String[]::new))
                .addArrayOfString(steps.stream().map(Step::error).toArray(String[]::new)))
        .map(rows -> rows.stream().map(row -> row.getUUID("trigger_id")).toList());
  }

  Uni<Void> trim(Collection<UUID> triggers) {
    return triggers.isEmpty()
        ? Uni.createFrom().voidItem()
        : pool.preparedQuery(TRIM)
            .execute(Tuple.tuple().addArrayOfUUID(triggers.toArray(UUID[]::new)).addInteger(KEPT))
            .replaceWithVoid();
  }
}
