package io.fengyu.chat.conversation;

import io.fengyu.chat.conversation.ConversationList.Summary;
import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.sqlclient.Pool;
import io.vertx.mutiny.sqlclient.Row;
import io.vertx.mutiny.sqlclient.RowSet;
import io.vertx.mutiny.sqlclient.SqlClient;
import io.vertx.mutiny.sqlclient.Tuple;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Reads, writes and deletes conversations; each change holds the conversation's row first. */
@ApplicationScoped
class Conversations {

  private static final String COLUMNS = "id, title, created_at, updated_at, revision";

  private static final String CREATE =
      "INSERT INTO chat.conversation (owner, id, title) VALUES ($1, $2, $3) RETURNING " + COLUMNS;

  private static final String READ =
      "SELECT " + COLUMNS + " FROM chat.conversation WHERE owner = $1 AND id = $2";

  // While messages are read, nobody replaces them.
  private static final String READ_WHOLE = READ + " FOR SHARE";

  private static final String HOLD = READ + " FOR UPDATE";

  private static final String CHANGE =
      """
      UPDATE chat.conversation
         SET title = $3, revision = revision + 1, updated_at = clock_timestamp()
       WHERE owner = $1 AND id = $2
      RETURNING\s"""
          + COLUMNS;

  private static final String DELETE = "DELETE FROM chat.conversation WHERE owner = $1 AND id = $2";

  private static final String FORGET_SUMMARIES =
      "DELETE FROM chat.summary WHERE owner = $1 AND conversation_id = $2";

  // Index turn_of_conversation. What still runs is stopped by the process that runs it. Not within
  // the deletion: a turn that ends holds its own row first and the conversation's then.
  private static final String STOP =
      """
      WITH asked AS (
        UPDATE chat.turn SET cancel_requested = true
         WHERE owner = $1 AND conversation_id = $2 AND ended_at IS NULL
        RETURNING id)
      SELECT pg_notify('chat_stop', id::text) FROM asked""";

  private static final String FORGET_TURNS =
      """
      WITH gone AS (
        DELETE FROM chat.turn
         WHERE owner = $1 AND conversation_id = $2 AND ended_at IS NOT NULL
        RETURNING id),
      questions AS (DELETE FROM chat.approval WHERE turn_id IN (SELECT id FROM gone))
      DELETE FROM chat.turn_event WHERE turn_id IN (SELECT id FROM gone)""";

  private final Pool pool;
  private final Messages messages;

  Conversations(Pool pool, Messages messages) {
    this.pool = pool;
    this.messages = messages;
  }

  Uni<Conversation> create(String owner, Draft draft) {
    var id = UUID.randomUUID().toString();
    return pool.withTransaction(
        transaction ->
            transaction
                .preparedQuery(CREATE)
                .execute(Tuple.of(owner, id, draft.title()))
                .call(made -> messages.append(transaction, owner, id, -1, draft.messages(), null))
                .map(made -> with(made, draft)));
  }

  Uni<Conversation> get(String owner, String id) {
    return pool.withTransaction(
        transaction ->
            transaction
                .preparedQuery(READ_WHOLE)
                .execute(Tuple.of(owner, id))
                .map(rows -> known(rows, id))
                .chain(
                    row ->
                        messages
                            .all(transaction, owner, id)
                            .map(
                                all ->
                                    new Conversation(
                                        Summary.of(row), all, row.getLong("revision")))));
  }

  /** All of it becomes what the draft says; refused when the caller read another revision. */
  Uni<Conversation> replace(String owner, String id, @Nullable Revisions expected, Draft draft) {
    return pool.withTransaction(
        transaction ->
            transaction
                .preparedQuery(HOLD)
                .execute(Tuple.of(owner, id))
                .map(rows -> known(rows, id))
                .invoke(row -> check(row, id, expected))
                .chain(row -> messages.replace(transaction, owner, id, draft.messages()))
                .chain(
                    replaced ->
                        transaction
                            .preparedQuery(CHANGE)
                            .execute(Tuple.of(owner, id, draft.title())))
                .map(changed -> with(changed, draft)));
  }

  /** With all that belongs to it. What runs in it is told to stop. */
  Uni<Void> delete(String owner, String id) {
    var key = Tuple.of(owner, id);
    return pool.withTransaction(
            transaction ->
                transaction
                    .preparedQuery(DELETE)
                    .execute(key)
                    .invoke(
                        gone -> {
                          if (gone.rowCount() == 0) {
                            throw ConversationProblems.unknown(id);
                          }
                        })
                    .chain(gone -> run(transaction, FORGET_SUMMARIES, key))
                    .chain(forgotten -> run(transaction, FORGET_TURNS, key)))
        .chain(deleted -> run(pool, STOP, key));
  }

  private static Uni<Void> run(SqlClient client, String sql, Tuple values) {
    return client.preparedQuery(sql).execute(values).replaceWithVoid();
  }

  private static void check(Row row, String id, @Nullable Revisions expected) {
    if (expected != null && !expected.include(row.getLong("revision"))) {
      throw ConversationProblems.changed(id);
    }
  }

  private static Row known(RowSet<Row> rows, String id) {
    if (rows.size() == 0) {
      throw ConversationProblems.unknown(id);
    }
    return rows.iterator().next();
  }

  private static Conversation with(RowSet<Row> rows, Draft draft) {
    var row = rows.iterator().next();
    return new Conversation(Summary.of(row), draft.messages(), row.getLong("revision"));
  }
}
