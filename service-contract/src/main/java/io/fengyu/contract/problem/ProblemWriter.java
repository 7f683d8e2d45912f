package io.fengyu.contract.problem;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.opentelemetry.api.trace.Span;
import io.vertx.ext.web.RoutingContext;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Turns a failure into the one error body, in the caller's language. */
@ApplicationScoped
public class ProblemWriter {

  /** Media type of every error body. */
  public static final String MEDIA_TYPE = "application/problem+json";

  private static final Duration SOON = Duration.ofSeconds(1);

  private final ProblemTexts texts;
  private final ObjectMapper json;

  ProblemWriter(ProblemTexts texts, ObjectMapper json) {
    this.texts = texts;
    this.json = json;
  }

  /** Answers outside Jakarta REST. */
  public void fail(RoutingContext context, Throwable failure) {
    write(context, Failures.problem(failure));
  }

  /** Answers outside Jakarta REST. */
  public void write(RoutingContext context, Problem problem) {
    var response = context.response();
    if (response.ended() || response.headWritten()) {
      return;
    }
    response.setStatusCode(problem.status()).putHeader("Content-Type", MEDIA_TYPE);
    headers(problem).forEach(response::putHeader);
    response.end(
        text(
            body(
                problem,
                context.request().path(),
                context.request().getHeader("Accept-Language"))));
  }

  /** Headers that belong to the answer, beside its media type. */
  Map<String, String> headers(Problem problem) {
    var wait = waitOf(problem);
    return wait == null ? Map.of() : Map.of("Retry-After", Long.toString(seconds(wait)));
  }

  ObjectNode body(Problem problem, @Nullable String path, @Nullable String acceptLanguage) {
    var language = ProblemTexts.language(acceptLanguage);
    var detail = texts.detail(problem, language);
    var body = json.createObjectNode();
    body.put("type", "urn:fengyu:problem:" + problem.code());
    body.put("title", texts.title(problem.code(), language));
    body.put("status", problem.status());
    body.put("detail", detail);
    body.put("instance", path);
    body.put("code", problem.code());
    body.set("params", json.valueToTree(problem.params()));
    body.put("traceId", Span.current().getSpanContext().getTraceId());
    body.put("success", false);
    body.put("error", detail);
    if (!problem.errors().isEmpty()) {
      body.set("errors", json.valueToTree(problem.errors()));
    }
    members(problem).forEach((name, value) -> body.set(name, json.valueToTree(value)));
    return body;
  }

  private static Map<String, Object> members(Problem problem) {
    var members = new LinkedHashMap<String, Object>();
    var wait = waitOf(problem);
    if (problem.status() == 429 && wait != null) {
      members.put("retryable", true);
      members.put("retryAfterSeconds", seconds(wait));
    }
    members.putAll(problem.members());
    return members;
  }

  // 429 and 503 always say when to come back.
  private static @Nullable Duration waitOf(Problem problem) {
    var wait = problem.retryAfter();
    var mustSay = problem.status() == 429 || problem.status() == 503;
    return wait == null && mustSay ? SOON : wait;
  }

  private static long seconds(Duration wait) {
    return Math.max(1, wait.plusMillis(999).toSeconds());
  }

  private String text(ObjectNode body) {
    try {
      return json.writeValueAsString(body);
    } catch (JsonProcessingException impossible) {
      throw new IllegalStateException(impossible);
    }
  }
}
