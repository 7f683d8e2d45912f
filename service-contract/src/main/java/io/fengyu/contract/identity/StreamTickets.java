package io.fengyu.contract.identity;

import io.fengyu.contract.problem.Problem;
import io.smallrye.mutiny.Uni;
import io.vertx.core.buffer.Buffer;
import io.vertx.mutiny.sqlclient.Pool;
import io.vertx.mutiny.sqlclient.Row;
import io.vertx.mutiny.sqlclient.RowSet;
import io.vertx.mutiny.sqlclient.Tuple;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.inject.Instance;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.temporal.ChronoUnit;
import java.util.Optional;

/**
 * One-time tickets that open a stream where a client cannot send headers; any replica takes them.
 */
@ApplicationScoped
public class StreamTickets {

  // Expired tickets go with the next one that is issued (index stream_ticket_by_expiry); the count
  // stops at the limit.
  private static final String ISSUE =
      """
      WITH swept AS (
        DELETE FROM platform.stream_ticket
         WHERE digest IN (SELECT digest
                            FROM platform.stream_ticket
                           WHERE expires_at <= now()
                           LIMIT 1000
                             FOR UPDATE SKIP LOCKED)
      )
      INSERT INTO platform.stream_ticket (digest, owner, admin, endpoint, expires_at)
      SELECT $1, $2, $3, $4, now() + interval '60 seconds'
       WHERE (SELECT count(*)
                FROM (SELECT FROM platform.stream_ticket WHERE expires_at > now() LIMIT 10000) t)
             < 10000
      RETURNING expires_at""";

  // The delete is the redemption: of two that come at once, one finds nothing.
  private static final String REDEEM =
      """
      DELETE FROM platform.stream_ticket
       WHERE digest = $1 AND endpoint = $2 AND expires_at > now()
      RETURNING owner, admin""";

  /** What the client gets, once. */
  public record Ticket(String ticket, Instant expiresAt) {}

  private final Instance<Pool> pool;

  StreamTickets(Instance<Pool> pool) {
    this.pool = pool;
  }

  /**
   * Lets whoever holds the ticket open one stream as this caller, within a minute.
   *
   * @param endpoint the stream's path, such as {@code /api/agent/stream}
   */
  public Uni<Ticket> issue(Caller caller, String endpoint) {
    var secret = Digest.newSecret();
    return pool.get()
        .preparedQuery(ISSUE)
        .execute(Tuple.of(stored(secret), caller.owner(), caller.admin(), endpoint))
        .map(rows -> new Ticket(secret, expiry(rows)));
  }

  Uni<Optional<Identity>> redeem(String ticket, String endpoint) {
    return pool.get()
        .preparedQuery(REDEEM)
        .execute(Tuple.of(stored(ticket), endpoint))
        .map(StreamTickets::identity);
  }

  private static Buffer stored(String secret) {
    return Buffer.buffer(Digest.of(secret).bytes());
  }

  private static Instant expiry(RowSet<Row> rows) {
    for (var row : rows) {
      return row.get(OffsetDateTime.class, "expires_at").toInstant().truncatedTo(ChronoUnit.MILLIS);
    }
    throw Problem.of(429, "TOO_MANY_TICKETS").with("limit", 10_000).asFailure();
  }

  private static Optional<Identity> identity(RowSet<Row> rows) {
    for (var row : rows) {
      return Optional.of(Identity.user(row.getString("owner"), row.getBoolean("admin")));
    }
    return Optional.empty();
  }
}
