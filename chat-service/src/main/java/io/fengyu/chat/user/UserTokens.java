package io.fengyu.chat.user;

import io.fengyu.contract.identity.Digest;
import io.smallrye.mutiny.Uni;
import io.vertx.core.buffer.Buffer;
import io.vertx.mutiny.sqlclient.Pool;
import io.vertx.mutiny.sqlclient.Row;
import io.vertx.mutiny.sqlclient.RowSet;
import io.vertx.mutiny.sqlclient.Tuple;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Clock;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.List;
import java.util.UUID;
import java.util.stream.StreamSupport;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/** Tokens of users: made, listed without their value, taken back. */
@ApplicationScoped
class UserTokens {

  private static final Logger AUDIT = Logger.getLogger("audit");
  private static final String PREFIX = "fy_";

  // Nothing is inserted for a user who is not there.
  private static final String CREATE =
      """
      INSERT INTO platform.api_token (id, digest, user_id, label, expires_at)
      SELECT $1, $2, u.id, $4, $5
        FROM platform.app_user u
       WHERE u.id = $3""";

  // The outer join tells a user without tokens from a user who is not there.
  private static final String LIST =
      """
      SELECT t.id, t.label, t.created_at, t.expires_at
        FROM platform.app_user u
        LEFT JOIN platform.api_token t ON t.user_id = u.id
       WHERE u.id = $1
       ORDER BY t.created_at, t.id
       LIMIT 1000""";

  private static final String DELETE =
      "DELETE FROM platform.api_token WHERE user_id = $1 AND id = $2";

  /** A token with its value, which nobody sees again. */
  record Created(UUID tokenId, String token) {}

  private final Pool pg;
  private final Clock clock;

  UserTokens(Pool pg, Clock clock) {
    this.pg = pg;
    this.clock = clock;
  }

  Uni<Created> create(String userId, String label, @Nullable Instant expiresAt) {
    if (expiresAt != null && !expiresAt.isAfter(clock.instant())) {
      return Uni.createFrom().failure(UserProblems.expired());
    }
    var created = new Created(UUID.randomUUID(), PREFIX + Digest.newSecret());
    var digest = Buffer.buffer(Digest.of(created.token()).bytes());
    var expiry = expiresAt == null ? null : expiresAt.atOffset(ZoneOffset.UTC);
    return pg.preparedQuery(CREATE)
        .execute(Tuple.of(created.tokenId(), digest, userId, label, expiry))
        .invoke(rows -> requireOne(rows, userId))
        .invoke(done -> AUDIT.infof("token created: %s", created.tokenId()))
        .replaceWith(created);
  }

  Uni<List<UserToken>> list(String userId) {
    return pg.preparedQuery(LIST)
        .execute(Tuple.of(userId))
        .invoke(rows -> requireOne(rows, userId))
        .map(UserTokens::all);
  }

  Uni<Void> delete(String userId, UUID tokenId) {
    return pg.preparedQuery(DELETE)
        .execute(Tuple.of(userId, tokenId))
        .invoke(
            gone -> {
              if (gone.rowCount() == 0) {
                throw UserProblems.unknownToken(tokenId);
              }
            })
        .invoke(done -> AUDIT.infof("token deleted: %s", tokenId))
        .replaceWithVoid();
  }

  private static void requireOne(RowSet<Row> rows, String userId) {
    if (rows.rowCount() == 0) {
      throw UserProblems.unknown(userId);
    }
  }

  private static List<UserToken> all(RowSet<Row> rows) {
    return StreamSupport.stream(rows.spliterator(), false)
        .filter(row -> row.getUUID("id") != null)
        .map(UserTokens::token)
        .toList();
  }

  private static UserToken token(Row row) {
    var expiry = row.get(OffsetDateTime.class, "expires_at");
    return new UserToken(
        row.getUUID("id"),
        row.getString("label"),
        row.get(OffsetDateTime.class, "created_at").toInstant(),
        expiry == null ? null : expiry.toInstant());
  }
}
