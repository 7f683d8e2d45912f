package io.fengyu.contract.db;

import io.smallrye.mutiny.Uni;
import io.vertx.pgclient.PgException;
import io.vertx.sqlclient.ClosedConnectionException;
import java.net.ConnectException;
import java.time.Duration;
import java.util.Set;

/** A database that does not answer right now, but will again. */
public final class DatabaseAway {

  // Connection failures, and a server that starts, stops or has no connection left.
  private static final Set<String> AWAY_CLASSES = Set.of("08", "53", "57");
  private static final Duration FIRST_PAUSE = Duration.ofMillis(100);
  private static final Duration LONGEST_PAUSE = Duration.ofSeconds(1);

  private DatabaseAway() {}

  /** True when the statement failed only because the database is away. */
  public static boolean causes(Throwable failure) {
    return switch (failure) {
      case ClosedConnectionException closed -> true;
      case ConnectException refused -> true;
      case PgException answered -> AWAY_CLASSES.contains(answered.getSqlState().substring(0, 2));
      default -> false;
    };
  }

  /**
   * Tries again while the database is away. Whether an attempt was carried out before its answer
   * was lost is open: for statements only that may be repeated.
   */
  public static <T> Uni<T> outwaited(Uni<T> statement, Duration atMost) {
    return statement
        .onFailure(DatabaseAway::causes)
        .retry()
        .withBackOff(FIRST_PAUSE, LONGEST_PAUSE)
        .expireIn(atMost.toMillis());
  }
}
