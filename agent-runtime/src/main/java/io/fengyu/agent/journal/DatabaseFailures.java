package io.fengyu.agent.journal;

import io.vertx.pgclient.PgException;

/** Tells an answer of the database from its absence. */
final class DatabaseFailures {

  private DatabaseFailures() {}

  /**
   * True when the database looked at the statement and refused it for what it says, so that sending
   * it again is pointless: bad data, a broken rule, a limit of the program.
   */
  static boolean isRefusal(Throwable failure) {
    return failure instanceof PgException refused && isRefusal(refused.getSqlState());
  }

  private static boolean isRefusal(String state) {
    return state != null
        && (state.startsWith("22")
            || state.startsWith("23")
            || state.startsWith("42")
            || state.startsWith("54"));
  }

  /** True when the row is refused because another one with that key is there. */
  static boolean isDuplicate(Throwable failure) {
    return failure instanceof PgException refused && "23505".equals(refused.getSqlState());
  }
}
