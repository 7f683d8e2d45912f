package io.fengyu.contract.problem;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.opentelemetry.api.trace.Span;
import io.vertx.ext.web.RoutingContext;
import jakarta.enterprise.context.ApplicationScoped;

/** Answers failures with the one error body, in the caller's language. */
@ApplicationScoped
public class ProblemWriter {

  private final ProblemBody body;

  ProblemWriter(ObjectMapper json) {
    this.body = new ProblemBody(new ProblemTexts(), json);
  }

  /** Answers outside Jakarta REST. */
  public void fail(RoutingContext context, Throwable failure) {
    write(context, Failures.problem(failure));
  }

  /** Answers outside Jakarta REST, when only the status is known. */
  public void status(RoutingContext context, int status) {
    write(context, Failures.status(status));
  }

  /** Answers outside Jakarta REST. */
  public void write(RoutingContext context, Problem problem) {
    var response = context.response();
    if (response.ended() || response.headWritten()) {
      return;
    }
    response.setStatusCode(problem.status()).putHeader("Content-Type", ProblemBody.MEDIA_TYPE);
    var wait = ProblemBody.retryAfter(problem);
    if (wait != null) {
      response.putHeader("Retry-After", wait);
    }
    response.end(body(problem, context).toString());
  }

  ObjectNode body(Problem problem, RoutingContext context) {
    var request = context.request();
    return body.render(
        problem,
        request.path(),
        request.getHeader("Accept-Language"),
        Span.current().getSpanContext().getTraceId());
  }
}
