package io.fengyu.chat.conversation;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fengyu.chat.journal.TurnPart;
import io.fengyu.chat.journal.TurnStatus;
import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.sqlclient.SqlConnection;
import io.vertx.mutiny.sqlclient.Tuple;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.List;
import java.util.UUID;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;

/**
 * Writes what was asked into the turn's conversation when the turn begins, and the reply before it
 * is told that the turn is over: a client that is gone finds both there.
 */
@ApplicationScoped
class TurnMessages implements TurnPart {

  private static final int LONGEST_HEADING = 60;

  private static final String MAKE =
      """
      INSERT INTO chat.conversation (owner, id, title) VALUES ($1, $2, $3)
      ON CONFLICT DO NOTHING""";

  /** Holds the row; whoever replaces the messages meanwhile waits. */
  private static final String CHANGE =
      """
      UPDATE chat.conversation SET revision = revision + 1, updated_at = clock_timestamp()
       WHERE owner = $1 AND id = $2
      RETURNING revision""";

  private static final String THINKING =
      """
      SELECT string_agg(data::jsonb ->> 'text', '' ORDER BY seq) AS text
        FROM chat.turn_event
       WHERE turn_id = $1 AND type = 'thinking'""";

  private final Messages messages;
  private final ConversationConfig config;

  TurnMessages(Messages messages, ConversationConfig config) {
    this.messages = messages;
    this.config = config;
  }

  @Override
  public Uni<Void> begin(SqlConnection transaction, Beginning turn) {
    var id = turn.conversationId();
    if (id == null) {
      return Uni.createFrom().voidItem();
    }
    var sent =
        StreamSupport.stream(turn.body().path("messages").spliterator(), false)
            .map(Message::sent)
            .toList();
    return transaction
        .preparedQuery(MAKE)
        .execute(Tuple.of(turn.owner(), id, heading(sent.getFirst().content())))
        .chain(made -> hold(transaction, turn.owner(), id))
        .chain(held -> takeBack(transaction, turn, id))
        .chain(ready -> messages.end(transaction, turn.owner(), id))
        .chain(
            end -> {
              var added = end.number() == 0 ? sent : List.of(sent.getLast());
              if (end.number() + added.size() > Message.MOST) {
                throw ConversationProblems.full(id);
              }
              return messages.append(transaction, turn.owner(), id, end.last(), added, turn.id());
            });
  }

  // A turn that takes another's place: what that one asked and was told leaves the conversation.
  private Uni<Void> takeBack(SqlConnection transaction, Beginning turn, String id) {
    var edited = edited(turn.body());
    return edited == null
        ? Uni.createFrom().voidItem()
        : messages.takeBack(transaction, turn.owner(), id, edited);
  }

  private static @Nullable UUID edited(ObjectNode body) {
    JsonNode edited = body.path("editTurn");
    return edited.isTextual() ? UUID.fromString(edited.textValue()) : null;
  }

  @Override
  public Uni<Void> end(SqlConnection transaction, Ending turn) {
    var id = turn.conversationId();
    if (id == null || turn.status() != TurnStatus.COMPLETED) {
      return Uni.createFrom().voidItem();
    }
    return hold(transaction, turn.owner(), id)
        .chain(exists -> exists ? reply(transaction, turn, id) : Uni.createFrom().voidItem());
  }

  private Uni<Void> reply(SqlConnection transaction, Ending turn, String id) {
    return thinking(transaction, turn.id())
        .chain(
            thinking ->
                messages
                    .end(transaction, turn.owner(), id)
                    .chain(
                        end ->
                            messages.append(
                                transaction,
                                turn.owner(),
                                id,
                                end.last(),
                                List.of(Message.reply(turn.text().replace("\0", ""), thinking)),
                                turn.id())));
  }

  private Uni<@Nullable String> thinking(SqlConnection transaction, UUID turn) {
    if (!config.storeThinking()) {
      return Uni.createFrom().nullItem();
    }
    return transaction
        .preparedQuery(THINKING)
        .execute(Tuple.of(turn))
        .map(rows -> rows.iterator().next().getString("text"));
  }

  /** False when there is no such conversation: it was deleted while the turn ran. */
  private static Uni<Boolean> hold(SqlConnection transaction, String owner, String id) {
    return transaction
        .preparedQuery(CHANGE)
        .execute(Tuple.of(owner, id))
        .map(rows -> rows.size() > 0);
  }

  private static String heading(String text) {
    var line = text.strip().lines().findFirst().orElse("");
    var points = line.codePointCount(0, line.length());
    return points <= LONGEST_HEADING
        ? line
        : line.substring(0, line.offsetByCodePoints(0, LONGEST_HEADING)) + "…";
  }
}
