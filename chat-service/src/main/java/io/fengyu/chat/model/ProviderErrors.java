package io.fengyu.chat.model;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** What a provider's refusal means. */
final class ProviderErrors {

  private static final int LONGEST_MESSAGE = 500;
  private static final int OVERLOADED = 529;

  private static final List<String> OVERFLOW =
      List.of(
          "context_length_exceeded",
          "maximum context length",
          "prompt is too long",
          "context window",
          "exceeds the context",
          "request_too_large");

  private static final Set<String> PARAMETERS =
      Set.of(
          "temperature",
          "top_p",
          "max_tokens",
          "max_completion_tokens",
          "stream_options",
          "thinking",
          "think",
          "reasoning_effort");

  private static final Pattern REFUSAL =
      Pattern.compile(
          "unsupported|not support|unknown|unrecognized|deprecated|not permitted|extra inputs"
              + "|cannot both|not allowed|removed");

  private ProviderErrors() {}

  /** An answer that is not 200. */
  static ModelFailure ofStatus(int status, String body, @Nullable Duration retryAfter) {
    var json = Json.tryRead(body);
    var detail = json.map(ProviderErrors::message).orElse("");
    var message = detail.isEmpty() ? "HTTP " + status : "HTTP " + status + ": " + shortened(detail);
    return failure(status, json.orElseGet(Json::object), message, retryAfter);
  }

  /** An error object inside a stream that began well. */
  static ModelFailure inStream(ObjectNode body) {
    var error = body.path("error");
    var message = "The provider broke off: " + shortened(message(body));
    return failure(statusOf(error), body, message, null);
  }

  private static ModelFailure failure(
      int status, ObjectNode body, String message, @Nullable Duration retryAfter) {
    var whole = (body + " " + message).toLowerCase(Locale.ROOT);
    if (status == 429) {
      return ModelFailure.passing(ErrorCode.RATE_LIMITED, message, retryAfter);
    }
    if (status >= 500) {
      return ModelFailure.passing(ErrorCode.UNKNOWN, message, retryAfter);
    }
    if (status == 413 || OVERFLOW.stream().anyMatch(whole::contains)) {
      return ModelFailure.lasting(ErrorCode.CONTEXT_OVERFLOW, message);
    }
    if (status == 401) {
      return ModelFailure.lasting(ErrorCode.AUTH_MISSING, message);
    }
    if (status == 400 || status == 422) {
      return parameter(body, message.toLowerCase(Locale.ROOT))
          .map(name -> ModelFailure.parameter(message, name))
          .orElseGet(() -> ModelFailure.parameter(message, RefusedParameters.IMAGES));
    }
    return ModelFailure.lasting(ErrorCode.PROVIDER_4XX, message);
  }

  // OpenAI names it; others only speak about it.
  private static Optional<String> parameter(ObjectNode body, String message) {
    var named = Json.text(body.path("error"), "param");
    if (named != null && PARAMETERS.contains(named)) {
      return Optional.of(named);
    }
    if (!REFUSAL.matcher(message).find()) {
      return Optional.empty();
    }
    return PARAMETERS.stream()
        .filter(name -> Pattern.compile("\\b" + name + "\\b").matcher(message).find())
        .sorted()
        .findFirst();
  }

  private static String message(ObjectNode body) {
    var error = body.path("error");
    var inside = Json.text(error, "message");
    if (inside != null) {
      return inside;
    }
    for (var member : List.of("error", "message", "detail")) {
      var text = Json.text(body, member);
      if (text != null) {
        return text;
      }
    }
    return error.isMissingNode() ? "" : error.toString();
  }

  private static int statusOf(JsonNode error) {
    var code = error.path("code");
    if (code.isInt() && code.asInt() >= 400) {
      return code.asInt();
    }
    var type = (Json.raw(error.get("type")) + " " + Json.raw(error.get("code")));
    return byWord(type.toLowerCase(Locale.ROOT));
  }

  private static int byWord(String type) {
    if (type.contains("rate_limit") || type.contains("too_many")) {
      return 429;
    }
    if (type.contains("overloaded")) {
      return OVERLOADED;
    }
    if (type.contains("authentication") || type.contains("invalid_api_key")) {
      return 401;
    }
    return type.contains("invalid_request") || type.contains("permission") ? 403 : 500;
  }

  private static String shortened(String text) {
    var line = text.strip().replaceAll("\\s+", " ");
    if (line.isEmpty()) {
      return "no reason given";
    }
    return line.length() <= LONGEST_MESSAGE ? line : line.substring(0, LONGEST_MESSAGE) + "…";
  }
}
