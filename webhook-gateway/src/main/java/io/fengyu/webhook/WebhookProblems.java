package io.fengyu.webhook;

import com.fasterxml.jackson.databind.JsonNode;
import io.fengyu.contract.problem.Problem;
import io.fengyu.contract.problem.ProblemException;
import java.time.Duration;
import java.util.Map;

/** Every refusal of this service. None quotes a secret, an event id or a body. */
public final class WebhookProblems {

  private static final Duration SOON = Duration.ofSeconds(1);

  private WebhookProblems() {}

  /** One answer for a missing or wrong proof and for a trigger that is not there. */
  public static Problem unauthorized() {
    return Problem.of(401, "WEBHOOK_UNAUTHORIZED");
  }

  public static Problem tooLarge(int maxBytes) {
    return Problem.of(413, "WEBHOOK_BODY_TOO_LARGE").with("maxBytes", maxBytes);
  }

  public static ProblemException notObject() {
    return Problem.of(400, "WEBHOOK_BODY_NOT_OBJECT").asFailure();
  }

  public static ProblemException tooDeep(int max) {
    return Problem.of(413, "JSON_TOO_DEEP").with("max", max).asFailure();
  }

  public static ProblemException eventIdTooLong(int max) {
    return Problem.of(400, "EVENT_ID_TOO_LONG").with("max", max).asFailure();
  }

  public static ProblemException weakened(String triggerId) {
    return Problem.of(409, "SANDBOX_POSTURE_WEAKENED").with("triggerId", triggerId).asFailure();
  }

  /** Too many deliveries of one trigger in the running minute. */
  public static ProblemException rate(int perMinute, Duration wait) {
    return Problem.of(429, "RATE_LIMITED")
        .with("perMinute", perMinute)
        .retryAfter(wait)
        .asFailure();
  }

  /** The same event is being admitted and takes its time. */
  public static ProblemException pending() {
    return Problem.of(503, "DELIVERY_PENDING").retryAfter(SOON).asFailure();
  }

  public static ProblemException unavailable() {
    return Problem.of(503, "ADMISSION_UNAVAILABLE").retryAfter(SOON).asFailure();
  }

  public static ProblemException triggerNotFound(String triggerId) {
    return Problem.of(404, "TRIGGER_NOT_FOUND").with("triggerId", triggerId).asFailure();
  }

  public static ProblemException nameTooLong(int max, int actual) {
    return Problem.of(400, "TRIGGER_NAME_TOO_LONG")
        .with("max", max)
        .with("actual", actual)
        .asFailure();
  }

  public static ProblemException limit(int min, int max) {
    return Problem.of(400, "DELIVERY_LIMIT").with("min", min).with("max", max).asFailure();
  }

  public static ProblemException mode(Object value) {
    return Problem.of(400, "PERMISSION_MODE_UNKNOWN").with("value", value).asFailure();
  }

  /** One field of the body. */
  public static ProblemException field(String pointer, String code) {
    return Problem.of(400, "INVALID_REQUEST").field(pointer, code, Map.of()).asFailure();
  }

  /**
   * Somebody would have to agree to a step, and nobody will be there.
   *
   * @param foreseen the answer of the dry run
   */
  public static ProblemException unattended(JsonNode foreseen) {
    var first = foreseen.path("steps").path(0);
    for (var step : foreseen.path("steps")) {
      if (!step.path("verdict").asText("").equals("allow")) {
        first = step;
        break;
      }
    }
    return Problem.of(400, "UNATTENDED_APPROVAL_REQUIRED")
        .with("step", first.path("index").asInt())
        .with("tool", first.path("tool").asText(""))
        .member("steps", foreseen.path("steps"))
        .asFailure();
  }
}
