package io.fengyu.console.proxy;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.fengyu.contract.problem.Problem;
import io.fengyu.contract.problem.ProblemBody;
import io.fengyu.contract.problem.ProblemTexts;
import io.vertx.core.http.HttpServerRequest;

/** Writes the edge's own problems in the same form as the services' ones. */
final class ProblemAnswers {

  private static final ProblemBody BODY = new ProblemBody(new ProblemTexts(), new ObjectMapper());

  private ProblemAnswers() {}

  /** Answers, and reads on for a while what the client still sends. */
  static void refuse(HttpServerRequest request, Problem problem) {
    answer(request, Trace.of(request), problem);
    Leftovers.discard(request);
  }

  static void answer(HttpServerRequest request, Trace trace, Problem problem) {
    var response = request.response();
    if (response.headWritten() || response.closed()) {
      return;
    }
    response.setStatusCode(problem.status());
    response.putHeader("Content-Type", ProblemBody.MEDIA_TYPE);
    response.putHeader("Cache-Control", "no-store");
    response.putHeader("X-Content-Type-Options", "nosniff");
    response.putHeader("X-Request-ID", trace.requestId());
    var wait = ProblemBody.retryAfter(problem);
    if (wait != null) {
      response.putHeader("Retry-After", wait);
    }
    var language = request.getHeader("Accept-Language");
    response.end(BODY.render(problem, request.path(), language, trace.traceId()).toString());
  }
}
