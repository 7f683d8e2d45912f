package io.fengyu.chat.journal;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.sqlclient.SqlConnection;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Something that begins and ends together with turns, such as the messages and the files of a
 * conversation. Each is a bean; what it does is committed with the turn, or not at all.
 */
public interface TurnPart {

  /**
   * A turn that begins.
   *
   * @param body what the client sent
   * @param answer what the client is told; parts add their members
   */
  record Beginning(
      UUID id, String owner, @Nullable String conversationId, ObjectNode body, ObjectNode answer) {}

  /**
   * A turn that ends.
   *
   * @param text the reply; as far as it came, if the turn ended early
   */
  record Ending(
      UUID id, String owner, @Nullable String conversationId, TurnStatus status, String text) {}

  /** Does its share, or refuses the turn by failing with a problem. */
  Uni<Void> begin(SqlConnection transaction, Beginning turn);

  /** Does its share before the last event is shown. */
  Uni<Void> end(SqlConnection transaction, Ending turn);
}
