package io.fengyu.contract.problem;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.exc.StreamConstraintsException;
import io.vertx.pgclient.PgException;
import io.vertx.sqlclient.ClosedConnectionException;
import jakarta.ws.rs.WebApplicationException;
import java.net.ConnectException;
import java.util.Set;
import org.jboss.logging.Logger;

/** Which problem an exception is; what nobody foresaw is 500 and in the log. */
final class Failures {

  private static final Logger LOG = Logger.getLogger(Failures.class);

  // Connection failures, and a server that starts, stops or has no connection left.
  private static final Set<String> AWAY_CLASSES = Set.of("08", "53", "57");

  private Failures() {}

  static Problem problem(Throwable failure) {
    return switch (failure) {
      case ProblemException known -> known.problem();
      case StreamConstraintsException tooDeep -> Problem.of(400, "MALFORMED_JSON");
      case JsonProcessingException malformed -> Problem.of(400, "MALFORMED_JSON");
      case WebApplicationException http -> status(http.getResponse().getStatus());
      default ->
          databaseAway(failure) ? Problem.of(503, "DATABASE_UNAVAILABLE") : unforeseen(failure);
    };
  }

  static Problem status(int status) {
    return switch (status) {
      case 400 -> Problem.of(400, "BAD_REQUEST");
      case 401 -> Problem.of(401, "UNAUTHENTICATED");
      case 403 -> Problem.of(403, "FORBIDDEN");
      case 404 -> Problem.of(404, "NOT_FOUND");
      case 405 -> Problem.of(405, "METHOD_NOT_ALLOWED");
      case 406 -> Problem.of(406, "NOT_ACCEPTABLE");
      case 413 -> Problem.of(413, "BODY_TOO_LARGE");
      case 414 -> Problem.of(414, "URL_TOO_LONG");
      case 415 -> Problem.of(415, "UNSUPPORTED_MEDIA_TYPE");
      case 429 -> Problem.of(429, "RATE_LIMITED");
      case 431 -> Problem.of(431, "HEADERS_TOO_LARGE");
      case 503 -> Problem.of(503, "UNAVAILABLE");
      default ->
          status < 500 ? Problem.of(status, "BAD_REQUEST") : Problem.of(500, "INTERNAL_ERROR");
    };
  }

  private static boolean databaseAway(Throwable failure) {
    return switch (failure) {
      case ClosedConnectionException closed -> true;
      case ConnectException refused -> true;
      case PgException answered -> AWAY_CLASSES.contains(answered.getSqlState().substring(0, 2));
      default -> false;
    };
  }

  private static Problem unforeseen(Throwable failure) {
    LOG.error("A request failed in a way nobody foresaw", failure);
    return Problem.of(500, "INTERNAL_ERROR");
  }
}
