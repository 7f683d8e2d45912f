package io.fengyu.chat.turn;

import io.vertx.mutiny.sqlclient.Row;
import java.time.Instant;
import java.util.UUID;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A question about a call, as the database has it.
 *
 * @param args JSON
 * @param schema JSON
 * @param decision null while nobody has answered
 * @param patchedArgs JSON; null unless the answer changed the arguments
 */
record StoredApproval(
    UUID id,
    UUID turn,
    String callId,
    String tool,
    @Nullable String effect,
    String args,
    String schema,
    String reason,
    Instant openedAt,
    Instant expiresAt,
    @Nullable String decision,
    @Nullable String patchedArgs,
    @Nullable String feedback) {

  static final String COLUMNS =
      """
      SELECT a.id, a.turn_id, a.call_id, a.tool, a.effect, a.args, a.schema, a.reason, a.opened_at,
             a.expires_at, a.decision, a.patched_args, a.feedback
        FROM chat.approval a
      """;

  private static final Pattern ID =
      Pattern.compile("ap_([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})");

  static StoredApproval of(Row row) {
    return new StoredApproval(
        row.getUUID("id"),
        row.getUUID("turn_id"),
        row.getString("call_id"),
        row.getString("tool"),
        row.getString("effect"),
        row.getString("args"),
        row.getString("schema"),
        row.getString("reason"),
        row.getOffsetDateTime("opened_at").toInstant(),
        row.getOffsetDateTime("expires_at").toInstant(),
        row.getString("decision"),
        row.getString("patched_args"),
        row.getString("feedback"));
  }

  /** As clients know it. */
  String wireId() {
    return wireId(id);
  }

  static String wireId(UUID id) {
    return "ap_" + id;
  }

  /** What a client sent; no question has an id of another form. */
  static UUID read(String wireId) {
    var parts = ID.matcher(wireId);
    if (!parts.matches()) {
      throw TurnRefusals.approvalUnknown(wireId);
    }
    return UUID.fromString(parts.group(1));
  }
}
