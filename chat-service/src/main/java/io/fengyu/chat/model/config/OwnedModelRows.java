package io.fengyu.chat.model.config;

import io.fengyu.chat.user.OwnedRows;
import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.sqlclient.SqlConnection;
import io.vertx.mutiny.sqlclient.Tuple;
import jakarta.enterprise.context.ApplicationScoped;

/** Choices, models and keys do not outlive their owner. */
@ApplicationScoped
class OwnedModelRows implements OwnedRows {

  private static final String DELETE =
      """
      WITH keys AS (DELETE FROM chat.ai_key WHERE owner = $1),
           models AS (DELETE FROM chat.ai_model WHERE owner = $1)
      DELETE FROM chat.ai_config WHERE owner = $1""";

  @Override
  public Uni<Void> delete(SqlConnection connection, String owner) {
    return connection.preparedQuery(DELETE).execute(Tuple.of(owner)).replaceWithVoid();
  }
}
