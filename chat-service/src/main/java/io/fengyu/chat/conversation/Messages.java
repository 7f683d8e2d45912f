package io.fengyu.chat.conversation;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.sqlclient.Row;
import io.vertx.mutiny.sqlclient.SqlConnection;
import io.vertx.mutiny.sqlclient.Tuple;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The rows of what was said; always within the transaction that holds the conversation's row. */
@ApplicationScoped
class Messages {

  private static final String ALL =
      """
      SELECT role, content, thinking, attachments
        FROM chat.message
       WHERE owner = $1 AND conversation_id = $2
       ORDER BY position""";

  private static final String END =
      """
      SELECT count(*)::int AS number, coalesce(max(position), -1) AS last
        FROM chat.message
       WHERE owner = $1 AND conversation_id = $2""";

  private static final String INSERT =
      """
      INSERT INTO chat.message
        (owner, conversation_id, position, role, content, thinking, attachments, turn_id)
      SELECT $1, $2, $3 + m.place, m.role, m.content, m.thinking, m.attachments, m.turn_id
        FROM unnest($4::text[], $5::text[], $6::text[], $7::text[], $8::uuid[])
             WITH ORDINALITY m (role, content, thinking, attachments, turn_id, place)""";

  private static final String CLEAR =
      "DELETE FROM chat.message WHERE owner = $1 AND conversation_id = $2";

  private static final String TAKE_BACK = CLEAR + " AND turn_id = $3";

  private static final TypeReference<List<Message.Attachment>> ATTACHMENTS =
      new TypeReference<>() {};

  private final ObjectMapper json;

  Messages(ObjectMapper json) {
    this.json = json;
  }

  /**
   * Where the messages end.
   *
   * @param last position of the last one; -1 for none
   */
  record End(int number, int last) {}

  Uni<List<Message>> all(SqlConnection transaction, String owner, String id) {
    return transaction
        .preparedQuery(ALL)
        .execute(Tuple.of(owner, id))
        .map(
            rows -> {
              var messages = new ArrayList<Message>(rows.size());
              rows.forEach(row -> messages.add(message(row)));
              return messages;
            });
  }

  Uni<End> end(SqlConnection transaction, String owner, String id) {
    return transaction
        .preparedQuery(END)
        .execute(Tuple.of(owner, id))
        .map(rows -> rows.iterator().next())
        .map(row -> new End(row.getInteger("number"), row.getInteger("last")));
  }

  Uni<Void> replace(SqlConnection transaction, String owner, String id, List<Message> messages) {
    return transaction
        .preparedQuery(CLEAR)
        .execute(Tuple.of(owner, id))
        .chain(cleared -> append(transaction, owner, id, -1, messages, null));
  }

  /** Behind position {@code last}; the last of them is what {@code turn} is about. */
  Uni<Void> append(
      SqlConnection transaction,
      String owner,
      String id,
      int last,
      List<Message> messages,
      @Nullable UUID turn) {
    if (messages.isEmpty()) {
      return Uni.createFrom().voidItem();
    }
    @Nullable UUID[] turns = new @Nullable UUID[messages.size()];
    turns[turns.length - 1] = turn;
    return transaction
        .preparedQuery(INSERT)
        .execute(
            Tuple.from(
                List.of(
                    owner,
                    id,
                    last,
                    column(messages, Message::role),
                    column(messages, Message::content),
                    column(messages, Message::thinking),
                    column(messages, Message::attachmentsAsJson),
                    turns)))
        .replaceWithVoid();
  }

  /** Takes back what a turn brought. */
  Uni<Void> takeBack(SqlConnection transaction, String owner, String id, UUID turn) {
    return transaction
        .preparedQuery(TAKE_BACK)
        .execute(Tuple.of(owner, id, turn))
        .replaceWithVoid();
  }

  private static @Nullable String[] column(
      List<Message> messages, Function<Message, @Nullable String> value) {
    return messages.stream().map(value).toArray(String[]::new);
  }

  private Message message(Row row) {
    return new Message(
        row.getString("role"),
        row.getString("content"),
        row.getString("thinking"),
        attachments(row.getString("attachments")));
  }

  private @Nullable List<Message.Attachment> attachments(@Nullable String stored) {
    try {
      return stored == null ? null : json.readValue(stored, ATTACHMENTS);
    } catch (JsonProcessingException notOurs) {
      throw new IllegalStateException("Attachments of a message are not readable", notOurs);
    }
  }
}
