package io.fengyu.agent.plugin;

import io.fengyu.contract.problem.Problem;
import io.fengyu.contract.problem.ProblemException;

/** Everything a caller can be refused about plugins. */
public final class PluginProblems {

  private PluginProblems() {}

  /**
   * A package that is not installed for what it holds.
   *
   * @param entry empty when it is about the package as a whole
   */
  public static ProblemException packageInvalid(String entry, String reason) {
    return Problem.of(400, "PLUGIN_PACKAGE_INVALID")
        .with("entry", entry)
        .with("reason", reason)
        .asFailure();
  }

  public static ProblemException manifestInvalid(String field, String expected) {
    return Problem.of(400, "PLUGIN_MANIFEST_INVALID")
        .with("field", field)
        .with("expected", expected)
        .asFailure();
  }

  public static ProblemException bodyInvalid(String field, String expected) {
    return Problem.of(400, "PLUGIN_BODY_INVALID")
        .with("field", field)
        .with("expected", expected)
        .asFailure();
  }

  public static ProblemException tooLarge(long maxBytes) {
    return Problem.of(413, "PLUGIN_TOO_LARGE").with("maxBytes", maxBytes).asFailure();
  }

  public static ProblemException adminOnly() {
    return Problem.of(403, "FORBIDDEN").asFailure();
  }

  public static ProblemException denied(String reason) {
    return Problem.of(403, "PLUGIN_CALL_DENIED").with("reason", reason).asFailure();
  }

  public static ProblemException notFound() {
    return Problem.of(404, "PLUGIN_NOT_FOUND").asFailure();
  }

  public static ProblemException noMethod(String method) {
    return Problem.of(404, "PLUGIN_METHOD_UNKNOWN").with("method", method).asFailure();
  }

  public static ProblemException idReserved(String id) {
    return Problem.of(409, "PLUGIN_ID_RESERVED").with("id", id).asFailure();
  }

  public static ProblemException tooMany(int max) {
    return Problem.of(409, "PLUGIN_LIMIT").with("max", max).asFailure();
  }

  public static ProblemException disabled() {
    return Problem.of(409, "PLUGIN_DISABLED").asFailure();
  }

  public static ProblemException callFailed(String message) {
    return Problem.of(502, "PLUGIN_CALL_FAILED").with("message", message).asFailure();
  }
}
