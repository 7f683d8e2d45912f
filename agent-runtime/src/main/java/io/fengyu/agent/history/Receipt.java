package io.fengyu.agent.history;

import io.vertx.mutiny.sqlclient.Row;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * What a tool with effects was asked to do, and what is known of the outcome.
 *
 * @param invocationId also sent to the tool
 * @param argsHash SHA-256, hex, over the canonical JSON of the arguments
 * @param state {@code intended}, {@code done}, {@code failed} or {@code unknown}
 * @param at when the intention was written, before the call
 * @param settledAt null while {@code intended}
 */
public record Receipt(
    UUID invocationId,
    UUID runId,
    int step,
    int attempt,
    String tool,
    String effect,
    String argsHash,
    String state,
    String at,
    @Nullable String settledAt) {

  static Receipt of(UUID runId, Row row) {
    return new Receipt(
        row.getUUID("invocation_id"),
        runId,
        row.getInteger("step"),
        row.getInteger("attempt"),
        row.getString("tool"),
        row.getString("effect"),
        row.getString("args_hash"),
        row.getString("state"),
        Times.wire(row.getOffsetDateTime("intended_at").toInstant()),
        Times.wireOrNull(row.getOffsetDateTime("settled_at")));
  }
}
