package io.fengyu.contract.problem;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.exc.MismatchedInputException;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.vertx.ext.web.RoutingContext;
import jakarta.validation.ConstraintViolationException;
import jakarta.ws.rs.WebApplicationException;
import org.jboss.resteasy.reactive.RestResponse;
import org.jboss.resteasy.reactive.RestResponse.ResponseBuilder;
import org.jboss.resteasy.reactive.server.ServerExceptionMapper;

/** Answers every failure of a resource with the one error body. */
class ProblemMappers {

  private final ProblemWriter writer;

  ProblemMappers(ProblemWriter writer) {
    this.writer = writer;
  }

  @ServerExceptionMapper
  RestResponse<ObjectNode> refused(ProblemException failure, RoutingContext context) {
    return answer(failure.problem(), context);
  }

  @ServerExceptionMapper
  RestResponse<ObjectNode> http(WebApplicationException failure, RoutingContext context) {
    return answer(Failures.problem(failure), context);
  }

  @ServerExceptionMapper
  RestResponse<ObjectNode> json(JsonProcessingException failure, RoutingContext context) {
    return answer(Failures.problem(failure), context);
  }

  // A mapper of Quarkus knows this one and would answer without a body.
  @ServerExceptionMapper
  RestResponse<ObjectNode> json(MismatchedInputException failure, RoutingContext context) {
    return answer(Failures.problem(failure), context);
  }

  @ServerExceptionMapper
  RestResponse<ObjectNode> invalid(ConstraintViolationException failure, RoutingContext context) {
    return answer(Violations.problem(failure), context);
  }

  @ServerExceptionMapper
  RestResponse<ObjectNode> anything(Throwable failure, RoutingContext context) {
    return answer(Failures.problem(failure), context);
  }

  private RestResponse<ObjectNode> answer(Problem problem, RoutingContext context) {
    var answer =
        ResponseBuilder.<ObjectNode>create(problem.status())
            .entity(writer.body(problem, context))
            .header("Content-Type", ProblemBody.MEDIA_TYPE);
    var wait = ProblemBody.retryAfter(problem);
    return (wait == null ? answer : answer.header("Retry-After", wait)).build();
  }
}
