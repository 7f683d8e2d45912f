package io.fengyu.contract.problem;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.exc.MismatchedInputException;
import io.fengyu.contract.db.DatabaseAway;
import io.smallrye.mutiny.TimeoutException;
import io.vertx.pgclient.PgException;
import jakarta.ws.rs.WebApplicationException;
import java.io.IOException;
import java.util.Map;
import java.util.stream.Collectors;
import org.jboss.logging.Logger;

/** Which problem an exception is; what nobody foresaw is 500 and in the log. */
final class Failures {

  private static final Logger LOG = Logger.getLogger(Failures.class);

  // Postgres keeps every text but one with a zero character; only callers write such.
  private static final String NO_TEXT = "22021";

  private Failures() {}

  static Problem problem(Throwable failure) {
    return switch (failure) {
      case ProblemException known -> known.problem();
      case JsonProcessingException malformed -> json(malformed);
      case WebApplicationException http -> http(http);
      case IOException body when "Request too large".equals(body.getMessage()) -> status(413);
      case PgException text when NO_TEXT.equals(text.getSqlState()) ->
          Problem.of(400, "INVALID_CHARACTER");
      case TimeoutException late -> Problem.of(503, "UNAVAILABLE");
      default ->
          DatabaseAway.causes(failure)
              ? Problem.of(503, "DATABASE_UNAVAILABLE")
              : unforeseen(failure);
    };
  }

  // Jackson's failures come wrapped when the body is read for a resource.
  private static Problem http(WebApplicationException failure) {
    var status = failure.getResponse().getStatus();
    return switch (failure.getCause()) {
      case ProblemException known -> known.problem();
      case JsonProcessingException malformed when status == 400 -> json(malformed);
      case null, default -> status >= 500 ? unforeseen(failure) : status(status);
    };
  }

  private static Problem json(JsonProcessingException failure) {
    for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
      if (cause instanceof ProblemException known) {
        return known.problem();
      }
    }
    return failure instanceof MismatchedInputException wrong && !wrong.getPath().isEmpty()
        ? Problem.of(400, "INVALID_REQUEST").field(pointer(wrong), "WRONG_TYPE", Map.of())
        : Problem.of(400, "MALFORMED_JSON");
  }

  private static String pointer(MismatchedInputException wrong) {
    return wrong.getPath().stream()
        .map(part -> part.getFieldName() == null ? part.getIndex() : part.getFieldName())
        .map(part -> "/" + String.valueOf(part).replace("~", "~0").replace("/", "~1"))
        .collect(Collectors.joining());
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

  private static Problem unforeseen(Throwable failure) {
    LOG.error("A request failed in a way nobody foresaw", failure);
    return Problem.of(500, "INTERNAL_ERROR");
  }
}
