package io.fengyu.chat.model.config;

import io.fengyu.chat.model.Mode;
import io.fengyu.contract.problem.Problem;
import io.fengyu.contract.problem.ProblemException;
import java.time.Duration;

/** What a caller can be refused about models. */
public final class AiProblems {

  private AiProblems() {}

  static ProblemException modelNotFound(String id) {
    return Problem.of(404, "MODEL_NOT_FOUND").with("id", id).asFailure();
  }

  static ProblemException tooManyModels(int limit) {
    return Problem.of(409, "TOO_MANY_MODELS").with("limit", limit).asFailure();
  }

  static ProblemException notConfigured(Mode mode, String reason) {
    return Problem.of(422, "MODEL_NOT_CONFIGURED")
        .with("mode", mode.id())
        .with("reason", reason)
        .asFailure();
  }

  static ProblemException unavailable(String model) {
    return Problem.of(422, "MODEL_UNAVAILABLE").with("model", model).asFailure();
  }

  /** Too many open requests to models. */
  public static ProblemException busy(String scope) {
    return Problem.of(429, "MODEL_BUSY")
        .with("scope", scope)
        .retryAfter(Duration.ofSeconds(1))
        .asFailure();
  }

  /** Tools that no provider takes. */
  public static ProblemException invalidTools() {
    return Problem.of(400, "INVALID_TOOLS").asFailure();
  }

  /** A conversation that no model can continue. */
  public static ProblemException invalidMessages() {
    return Problem.of(400, "INVALID_MESSAGES").asFailure();
  }
}
