package io.fengyu.contract.problem;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The error body on the wire; a plain class, for programs without dependency injection too. */
public final class ProblemBody {

  /** Media type of every error body. */
  public static final String MEDIA_TYPE = "application/problem+json";

  private static final Duration SOON = Duration.ofSeconds(1);
  private static final String NO_TRACE = "00000000000000000000000000000000";
  private static final int LONGEST_WAIT_SECONDS = 3_600;

  // Members that each service writes anew.
  private static final Set<String> OWN =
      Set.of("type", "status", "instance", "code", "params", "traceId", "success", "errors");

  private final ProblemTexts texts;
  private final ObjectMapper json;

  /** Renders with these texts. */
  public ProblemBody(ProblemTexts texts, ObjectMapper json) {
    this.texts = texts;
    this.json = json;
  }

  /**
   * The body.
   *
   * @param path path of the request, without its query
   * @param acceptLanguage header of the request; null for English
   * @param traceId null when the request has none
   */
  public ObjectNode render(
      Problem problem,
      @Nullable String path,
      @Nullable String acceptLanguage,
      @Nullable String traceId) {
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
    body.put("traceId", traceId == null ? NO_TRACE : traceId);
    body.put("success", false);
    body.put("error", detail);
    if (!problem.errors().isEmpty()) {
      body.set("errors", json.valueToTree(problem.errors()));
    }
    members(problem).forEach((name, value) -> body.set(name, json.valueToTree(value)));
    return body;
  }

  /** Value of {@code Retry-After}; null when the answer has none. 429 and 503 always have one. */
  public static @Nullable String retryAfter(Problem problem) {
    var wait = waitOf(problem);
    return wait == null ? null : Long.toString(seconds(wait));
  }

  /** Reads another service's answer, so that it can be passed on with its own words. */
  public static Problem parse(int status, JsonNode body, @Nullable String retryAfter) {
    if (!body.path("code").isTextual()) {
      return Failures.status(status).retryAfter(wait(retryAfter));
    }
    var problem = Problem.of(status, body.path("code").textValue());
    for (var param : body.path("params").properties()) {
      problem = problem.with(param.getKey(), param.getValue());
    }
    for (var member : body.properties()) {
      if (!OWN.contains(member.getKey())) {
        problem = problem.member(member.getKey(), member.getValue());
      }
    }
    for (var error : body.path("errors")) {
      problem =
          problem.field(error.path("pointer").asText(), error.path("code").asText(), params(error));
    }
    return problem.retryAfter(wait(retryAfter));
  }

  private static Map<String, Object> params(JsonNode error) {
    var params = new LinkedHashMap<String, Object>();
    error.path("params").properties().forEach(p -> params.put(p.getKey(), p.getValue()));
    return params;
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

  private static @Nullable Duration waitOf(Problem problem) {
    var wait = problem.retryAfter();
    var mustSay = problem.status() == 429 || problem.status() == 503;
    return wait == null && mustSay ? SOON : wait;
  }

  private static long seconds(Duration wait) {
    return Math.max(1, wait.plusMillis(999).toSeconds());
  }

  private static @Nullable Duration wait(@Nullable String retryAfter) {
    if (retryAfter == null || !retryAfter.matches("\\d{1,4}")) {
      return null;
    }
    return Duration.ofSeconds(Math.min(Integer.parseInt(retryAfter), LONGEST_WAIT_SECONDS));
  }
}
