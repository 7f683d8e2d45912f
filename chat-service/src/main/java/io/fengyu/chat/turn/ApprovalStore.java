package io.fengyu.chat.turn;

import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.sqlclient.Pool;
import io.vertx.mutiny.sqlclient.Row;
import io.vertx.mutiny.sqlclient.RowSet;
import io.vertx.mutiny.sqlclient.Tuple;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Duration;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Questions about calls and their answers; any replica answers them. */
@ApplicationScoped
class ApprovalStore {

  private static final String OPEN =
      """
      INSERT INTO chat.approval
        (id, turn_id, owner, call_id, tool, effect, args, schema, reason, expires_at)
      SELECT $1, $2, $3, $4, $5, $6, $7, $8, $9, now() + $10::float8 * interval '1 millisecond'
        FROM chat.turn t WHERE t.id = $2 AND t.ended_at IS NULL
      RETURNING opened_at, expires_at""";

  // The first answer counts, and only while its turn runs and its time is not over.
  private static final String DECIDE =
      """
      WITH decided AS (
        UPDATE chat.approval a
           SET decision = $3, patched_args = $4, feedback = $5, decided_at = clock_timestamp()
         WHERE a.id = $1 AND a.owner = $2 AND a.decision IS NULL AND a.expires_at > now()
           AND EXISTS (SELECT FROM chat.turn t WHERE t.id = a.turn_id AND t.ended_at IS NULL)
        RETURNING id)
      SELECT id, pg_notify('chat_approval', id::text) FROM decided""";

  private static final String EXPIRE =
      """
      UPDATE chat.approval SET decision = $2, decided_at = clock_timestamp()
       WHERE id = $1 AND decision IS NULL""";

  private static final String FIND = StoredApproval.COLUMNS + " WHERE a.id = $1 AND a.owner = $2";

  // Index approval_of_turn.
  private static final String OF_TURN =
      StoredApproval.COLUMNS
          + """
             WHERE a.turn_id = $1 AND a.owner = $2 AND a.decision IS NULL
             ORDER BY a.opened_at""";

  // A range of approval_open.
  private static final String OPEN_OF_OWNER =
      StoredApproval.COLUMNS
          + """
             WHERE a.owner = $1 AND a.decision IS NULL AND a.opened_at >= $2
               AND (a.opened_at > $2 OR a.turn_id::text > $3)
             ORDER BY a.opened_at, a.id
             LIMIT $4""";

  private static final String OPEN_OF_TURNS =
      StoredApproval.COLUMNS
          + " WHERE a.turn_id = ANY ($2::uuid[]) AND a.owner = $1 AND a.decision IS NULL";

  private final Pool pool;

  ApprovalStore(Pool pool) {
    this.pool = pool;
  }

  /** A question to be asked. */
  record Question(
      UUID turn,
      String owner,
      String callId,
      String tool,
      @Nullable String effect,
      String args,
      String schema,
      String reason) {}

  /** When a question was asked, and until when it may be answered. */
  record Opened(OffsetDateTime at, OffsetDateTime expiresAt) {}

  /** Null when the turn is over. */
  Uni<@Nullable Opened> open(UUID id, Question question, Duration patience) {
    var values =
        Tuple.tuple()
            .addUUID(id)
            .addUUID(question.turn())
            .addString(question.owner())
            .addString(question.callId())
            .addString(question.tool())
            .addString(question.effect())
            .addString(question.args())
            .addString(question.schema())
            .addString(question.reason())
            .addDouble((double) patience.toMillis());
    return pool.preparedQuery(OPEN)
        .execute(values)
        .map(
            rows -> {
              for (var row : rows) {
                return new Opened(row.getOffsetDateTime(0), row.getOffsetDateTime(1));
              }
              return null;
            });
  }

  /** True when this was the first answer, and in time. */
  Uni<Boolean> decide(UUID id, String owner, Decision decision) {
    var args = decision.patchedArgs();
    var values =
        Tuple.tuple()
            .addUUID(id)
            .addString(owner)
            .addString(decision.word())
            .addString(args == null ? null : args.toString())
            .addString(decision.feedback());
    return pool.preparedQuery(DECIDE).execute(values).map(rows -> rows.size() > 0);
  }

  /** Closes a question that nobody answered; does nothing to one that was. */
  Uni<Void> close(UUID id, String word) {
    return pool.preparedQuery(EXPIRE).execute(Tuple.of(id, word)).replaceWithVoid();
  }

  Uni<@Nullable StoredApproval> find(String owner, UUID id) {
    return pool.preparedQuery(FIND)
        .execute(Tuple.of(id, owner))
        .map(
            rows -> {
              for (var row : rows) {
                return StoredApproval.of(row);
              }
              return null;
            });
  }

  Uni<List<StoredApproval>> ofTurn(String owner, UUID turn) {
    return pool.preparedQuery(OF_TURN).execute(Tuple.of(turn, owner)).map(ApprovalStore::all);
  }

  /** Open ones behind a place, oldest first. */
  Uni<List<StoredApproval>> open(String owner, OffsetDateTime from, String turn, int limit) {
    return pool.preparedQuery(OPEN_OF_OWNER)
        .execute(Tuple.of(owner, from, turn, limit))
        .map(ApprovalStore::all);
  }

  Uni<List<StoredApproval>> openAt(String owner, List<UUID> turns) {
    return pool.preparedQuery(OPEN_OF_TURNS)
        .execute(Tuple.tuple().addString(owner).addArrayOfUUID(turns.toArray(UUID[]::new)))
        .map(ApprovalStore::all);
  }

  private static List<StoredApproval> all(RowSet<Row> rows) {
    var all = new ArrayList<StoredApproval>(rows.size());
    rows.forEach(row -> all.add(StoredApproval.of(row)));
    return all;
  }
}
