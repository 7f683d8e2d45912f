package io.fengyu.chat.user;

import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.sqlclient.SqlConnection;

/** What a feature keeps of a user; it goes in the transaction that deletes the user. */
public interface OwnedRows {

  /** Deletes everything of this owner. */
  Uni<Void> delete(SqlConnection connection, String owner);
}
