package io.fengyu.chat.user;

import io.fengyu.contract.identity.FixedTokens;
import io.quarkus.arc.All;
import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.sqlclient.Pool;
import io.vertx.mutiny.sqlclient.Row;
import io.vertx.mutiny.sqlclient.RowSet;
import io.vertx.mutiny.sqlclient.SqlConnection;
import io.vertx.mutiny.sqlclient.Tuple;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.stream.StreamSupport;

/** The owners that are made at run time. */
@ApplicationScoped
class Users {

  // An id is given once, though its user was deleted long ago.
  private static final String CREATE =
      """
      WITH given AS (
        INSERT INTO platform.user_id (id) VALUES ($1) ON CONFLICT DO NOTHING RETURNING id)
      INSERT INTO platform.app_user (id, display_name, role)
      SELECT id, $2, $3 FROM given
      RETURNING id, display_name, role, created_at""";

  private static final String LIST =
      """
      SELECT id, display_name, role, created_at
        FROM platform.app_user
       WHERE id > $1
       ORDER BY id
       LIMIT $2""";

  private static final String DELETE = "DELETE FROM platform.app_user WHERE id = $1";

  private final Pool pg;
  private final FixedTokens fixed;
  private final List<OwnedRows> owned;

  Users(Pool pg, FixedTokens fixed, @All List<OwnedRows> owned) {
    this.pg = pg;
    this.fixed = fixed;
    this.owned = owned;
  }

  Uni<User> create(String id, String displayName, String role) {
    if (fixed.owns(id)) {
      return Uni.createFrom().failure(UserProblems.fixed(id));
    }
    return pg.preparedQuery(CREATE)
        .execute(Tuple.of(id, displayName, role))
        .map(Users::all)
        .map(
            created -> {
              if (created.isEmpty()) {
                throw UserProblems.exists(id);
              }
              return created.getFirst();
            });
  }

  /** In the order of ids, after the one that ended the previous page. */
  Uni<List<User>> list(String after, int limit) {
    return pg.preparedQuery(LIST).execute(Tuple.of(after, limit)).map(Users::all);
  }

  /** Takes the tokens along, and what this service keeps of the user. */
  Uni<Void> delete(String id) {
    return pg.withTransaction(
        connection ->
            connection
                .preparedQuery(DELETE)
                .execute(Tuple.of(id))
                .invoke(
                    gone -> {
                      if (gone.rowCount() == 0) {
                        throw UserProblems.unknown(id);
                      }
                    })
                .chain(gone -> deleteOwned(connection, id)));
  }

  private Uni<Void> deleteOwned(SqlConnection connection, String id) {
    var done = Uni.createFrom().voidItem();
    for (var rows : owned) {
      done = done.chain(unused -> rows.delete(connection, id));
    }
    return done;
  }

  private static List<User> all(RowSet<Row> rows) {
    return StreamSupport.stream(rows.spliterator(), false).map(Users::user).toList();
  }

  private static User user(Row row) {
    return new User(
        row.getString("id"),
        row.getString("display_name"),
        row.getString("role"),
        row.get(OffsetDateTime.class, "created_at").toInstant());
  }
}
