package io.fengyu.console.proxy;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fengyu.contract.problem.Problem;
import io.vertx.core.http.HttpServerRequest;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Properties;

/** Writes the edge's own problems in the same form as the services' ones. */
final class ProblemAnswers {

  private static final Properties ENGLISH = texts("en");
  private static final Properties CHINESE = texts("zh");

  private ProblemAnswers() {}

  static void answer(HttpServerRequest request, Trace trace, Problem problem) {
    var response = request.response();
    if (response.headWritten() || response.closed()) {
      return;
    }
    response.setStatusCode(problem.status());
    response.putHeader("Content-Type", "application/problem+json");
    response.putHeader("Cache-Control", "no-store");
    response.putHeader("X-Content-Type-Options", "nosniff");
    response.putHeader("X-Request-ID", trace.requestId());
    response.putHeader("X-Trace-ID", trace.traceId());
    var wait = problem.retryAfter();
    if (wait != null) {
      response.putHeader("Retry-After", Long.toString(wait.toSeconds()));
    }
    response.end(body(request, trace, problem).toString());
  }

  private static ObjectNode body(HttpServerRequest request, Trace trace, Problem problem) {
    var texts = chinese(request) ? CHINESE : ENGLISH;
    var detail = filled(text(texts, problem.code() + ".detail"), problem);
    var body = JsonNodeFactory.instance.objectNode();
    body.put("type", "urn:fengyu:problem:" + problem.code());
    body.put("title", text(texts, problem.code() + ".title"));
    body.put("status", problem.status());
    body.put("detail", detail);
    body.put("instance", request.path());
    body.put("code", problem.code());
    var params = body.putObject("params");
    problem.params().forEach((name, value) -> params.put(name, value.toString()));
    body.put("traceId", trace.traceId());
    body.put("success", false);
    body.put("error", detail);
    return body;
  }

  private static boolean chinese(HttpServerRequest request) {
    var wanted = request.getHeader("Accept-Language");
    return wanted != null && wanted.strip().toLowerCase(java.util.Locale.ROOT).startsWith("zh");
  }

  private static String filled(String text, Problem problem) {
    var result = text;
    for (var param : problem.params().entrySet()) {
      result = result.replace("{" + param.getKey() + "}", param.getValue().toString());
    }
    return result;
  }

  private static String text(Properties texts, String key) {
    var text = texts.getProperty(key);
    return text != null ? text : ENGLISH.getProperty(key, key);
  }

  private static Properties texts(String language) {
    var texts = new Properties();
    try {
      var files =
          ProblemAnswers.class
              .getClassLoader()
              .getResources("problems/" + language + ".properties");
      while (files.hasMoreElements()) {
        try (var in =
            new InputStreamReader(files.nextElement().openStream(), StandardCharsets.UTF_8)) {
          texts.load(in);
        }
      }
    } catch (IOException unreadable) {
      throw new UncheckedIOException(unreadable);
    }
    return texts;
  }
}
