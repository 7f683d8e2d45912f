package io.fengyu.webhook.trigger;

import io.vertx.core.buffer.Buffer;
import io.vertx.mutiny.sqlclient.Row;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A trigger as it is stored.
 *
 * @param defaultInputs JSON
 * @param secretDigest SHA-256 of the secret
 * @param signatureSecret sealed; null without a scheme
 */
public record Trigger(
    UUID id,
    String owner,
    String workflowId,
    String name,
    String defaultInputs,
    String permissionMode,
    String sandboxProfile,
    Buffer secretDigest,
    boolean enabled,
    @Nullable String signatureScheme,
    @Nullable String signatureSecret,
    long fires,
    @Nullable Instant lastFireAt,
    @Nullable UUID lastTaskId,
    @Nullable String lastError,
    Instant createdAt) {

  static final String UNSANDBOXED = "unsandboxed";

  /** Anything that is not known to be weaker counts as sandboxed. */
  public boolean sandboxed() {
    return !sandboxProfile.equals(UNSANDBOXED);
  }

  /** Of a row with all columns. */
  static Trigger of(Row row) {
    var fired = row.getOffsetDateTime("last_fire_at");
    return new Trigger(
        row.getUUID("id"),
        row.getString("owner"),
        row.getString("workflow_id"),
        row.getString("name"),
        row.getString("default_inputs"),
        row.getString("permission_mode"),
        row.getString("sandbox_profile"),
        row.getBuffer("secret_digest").getDelegate(),
        row.getBoolean("enabled"),
        row.getString("signature_scheme"),
        row.getString("signature_secret"),
        row.getLong("fires"),
        fired == null ? null : fired.toInstant(),
        row.getUUID("last_task_id"),
        row.getString("last_error"),
        row.getOffsetDateTime("created_at").toInstant());
  }
}
