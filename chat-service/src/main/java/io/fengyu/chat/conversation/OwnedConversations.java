package io.fengyu.chat.conversation;

import io.fengyu.chat.user.OwnedRows;
import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.sqlclient.SqlConnection;
import io.vertx.mutiny.sqlclient.Tuple;
import jakarta.enterprise.context.ApplicationScoped;

/** Conversations go with their owner. */
@ApplicationScoped
class OwnedConversations implements OwnedRows {

  @Override
  public Uni<Void> delete(SqlConnection connection, String owner) {
    return connection
        .preparedQuery("DELETE FROM chat.conversation WHERE owner = $1")
        .execute(Tuple.of(owner))
        .replaceWithVoid();
  }
}
