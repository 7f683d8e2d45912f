package io.fengyu.agent.file;

import io.fengyu.contract.problem.Problem;
import io.fengyu.contract.problem.ProblemException;

/** Everything a caller can be refused about files. */
final class FileProblems {

  private FileProblems() {}

  /** An entry of {@code files} that yields nothing to use. */
  static ProblemException invalid(String name, String reason) {
    return Problem.of(400, "RUN_FILE_INVALID")
        .with("name", name)
        .with("reason", reason)
        .asFailure();
  }

  static ProblemException notNative(String reason) {
    return Problem.of(400, "NATIVE_FILE_REFUSED").with("reason", reason).asFailure();
  }

  static ProblemException badUpload(String reason) {
    return Problem.of(400, "UPLOAD_INVALID").with("reason", reason).asFailure();
  }

  static ProblemException tooLarge(long maxBytes) {
    return Problem.of(413, "UPLOAD_TOO_LARGE").with("maxBytes", maxBytes).asFailure();
  }

  static ProblemException diskFull() {
    return Problem.of(507, "DISK_FULL").asFailure();
  }

  static ProblemException noPlugin() {
    return Problem.of(409, "NO_FILE_PLUGIN").asFailure();
  }

  static ProblemException noRun() {
    return Problem.of(404, "RUN_NOT_FOUND").asFailure();
  }

  static ProblemException noFile() {
    return Problem.of(404, "FILE_NOT_FOUND").asFailure();
  }

  static ProblemException noWorkspaceFile() {
    return Problem.of(404, "WORKSPACE_FILE_NOT_FOUND").asFailure();
  }

  static ProblemException noArea(String area) {
    return Problem.of(400, "WORKSPACE_AREA_UNKNOWN").with("area", area).asFailure();
  }

  static ProblemException noGrant() {
    return Problem.of(404, "GRANT_NOT_FOUND").asFailure();
  }
}
