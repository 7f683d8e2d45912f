package io.fengyu.agent.toolbatch;

import com.fasterxml.jackson.annotation.JsonProperty;
import io.fengyu.agent.journal.Change.ReceiptState;
import io.fengyu.agent.tool.ToolSpec;
import io.fengyu.contract.db.Migrations;
import io.fengyu.contract.instance.Instances;
import io.quarkus.runtime.StartupEvent;
import io.smallrye.mutiny.Uni;
import io.vertx.core.Vertx;
import io.vertx.mutiny.sqlclient.Pool;
import io.vertx.mutiny.sqlclient.Row;
import io.vertx.mutiny.sqlclient.Tuple;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.Locale;
import java.util.UUID;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/** What calls outside of runs were asked to do, on record before they were asked. */
@ApplicationScoped
class BatchReceipts {

  private static final Logger LOG = Logger.getLogger(BatchReceipts.class);
  private static final long EVERY_MS = 15_000;

  // Both rows or none; the batch's own is there from its first call with an effect.
  private static final String INTEND =
      """
      WITH batch AS (
        INSERT INTO agent.tool_batch (id, owner, session_id, instance, until)
        VALUES ($1, $2, $3, $4, now() + $5::float8 * interval '1 millisecond')
        ON CONFLICT (id) DO NOTHING)
      INSERT INTO agent.receipt
        (invocation_id, run_id, step, attempt, tool, effect, args_hash, state, intended_at)
      VALUES ($6, $1, $7, 1, $8, $9, $10, 'intended', now())""";

  // Primary key. What was given up as unknown may turn out to be known after all.
  private static final String SETTLE =
      """
      UPDATE agent.receipt SET state = $2, settled_at = now()
       WHERE invocation_id = $1 AND state IN ('intended', 'unknown')""";

  // Every call has come back: what could not be settled then stays unknown (receipt_of_run).
  private static final String END =
      """
      WITH ended AS (UPDATE agent.tool_batch SET ended_at = now() WHERE id = $1)
      UPDATE agent.receipt SET state = 'unknown', settled_at = now()
       WHERE run_id = $1 AND state = 'intended'""";

  // Index tool_batch_open, as small as what runs right now. A batch is lost when its process is, or
  // when its time is long over.
  private static final String LOST =
      """
      WITH lost AS (
        SELECT b.id FROM agent.tool_batch b
         WHERE b.ended_at IS NULL
           AND (b.until < now()
                OR NOT EXISTS (SELECT FROM platform.instances i
                                WHERE i.id = b.instance
                                  AND i.heartbeat_at > now() - interval '1 minute'))
         ORDER BY b.until
         LIMIT 100
           FOR UPDATE SKIP LOCKED),
      unknown AS (
        UPDATE agent.receipt r SET state = 'unknown', settled_at = now()
          FROM lost WHERE r.run_id = lost.id AND r.state = 'intended')
      UPDATE agent.tool_batch b SET ended_at = now() FROM lost WHERE b.id = lost.id""";

  // Primary key of the batch, then receipt_of_run.
  private static final String OF_BATCH =
      """
      SELECT r.invocation_id, r.step, r.attempt, r.tool, r.effect, r.args_hash, r.state,
             r.intended_at, r.settled_at
        FROM agent.tool_batch b JOIN agent.receipt r ON r.run_id = b.id
       WHERE b.id = $1 AND b.owner = $2
       ORDER BY r.intended_at, r.step""";

  private final Pool pool;
  private final Instances instances;
  private final Migrations migrations;
  private final Vertx vertx;

  BatchReceipts(Pool pool, Instances instances, Migrations migrations, Vertx vertx) {
    this.pool = pool;
    this.instances = instances;
    this.migrations = migrations;
    this.vertx = vertx;
  }

  /**
   * A batch that may have effects.
   *
   * @param limit after which nothing of it can be running any more
   */
  record Batch(UUID id, String owner, @Nullable String sessionId, Duration limit) {}

  /**
   * One receipt, as the receipts of a run are shown.
   *
   * @param step which call of the batch it was
   * @param settledAt null while nothing is known
   */
  public record Receipt(
      UUID invocationId,
      @JsonProperty("batchId") UUID batch,
      int step,
      int attempt,
      String tool,
      String effect,
      String argsHash,
      String state,
      Instant at,
      @Nullable Instant settledAt) {}

  void start(@Observes StartupEvent started) {
    vertx.setPeriodic(EVERY_MS, tick -> look());
  }

  private void look() {
    if (migrations.complete()) {
      giveUpLost().subscribe().with(done -> {}, BatchReceipts::later);
    }
  }

  private static void later(Throwable failure) {
    LOG.warnf("Receipts of lost tool batches are settled later: %s", failure.getMessage());
  }

  /** Says of calls whose process died that nobody knows what they did. */
  Uni<Void> giveUpLost() {
    return pool.query(LOST).execute().replaceWithVoid();
  }

  Uni<Void> intend(Batch batch, UUID invocation, int call, ToolSpec tool, String argsHash) {
    var values =
        Tuple.tuple()
            .addUUID(batch.id())
            .addString(batch.owner())
            .addString(batch.sessionId())
            .addUUID(instances.id())
            .addDouble((double) batch.limit().toMillis())
            .addUUID(invocation)
            .addInteger(call)
            .addString(tool.name())
            .addString(tool.effect().wire())
            .addString(argsHash);
    return pool.preparedQuery(INTEND).execute(values).replaceWithVoid();
  }

  Uni<Void> settle(UUID invocation, ReceiptState state) {
    var word = state.name().toLowerCase(Locale.ROOT);
    return pool.preparedQuery(SETTLE).execute(Tuple.of(invocation, word)).replaceWithVoid();
  }

  Uni<Void> end(UUID batch) {
    return pool.preparedQuery(END).execute(Tuple.of(batch)).replaceWithVoid();
  }

  /** Empty for a batch of somebody else, as for one that changed nothing. */
  Uni<List<Receipt>> of(String owner, UUID batch) {
    return pool.preparedQuery(OF_BATCH)
        .execute(Tuple.of(batch, owner))
        .map(rows -> rows.stream().map(row -> receipt(batch, row)).toList());
  }

  private static Receipt receipt(UUID batch, Row row) {
    return new Receipt(
        row.getUUID(0),
        batch,
        row.getInteger(1),
        row.getInteger(2),
        row.getString(3),
        row.getString(4),
        row.getString(5),
        row.getString(6),
        row.getOffsetDateTime(7).toInstant(),
        instant(row.getOffsetDateTime(8)));
  }

  private static @Nullable Instant instant(@Nullable OffsetDateTime time) {
    return time == null ? null : time.toInstant();
  }
}
