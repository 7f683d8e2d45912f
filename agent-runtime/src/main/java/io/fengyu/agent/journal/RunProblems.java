package io.fengyu.agent.journal;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.fengyu.contract.problem.Problem;
import io.fengyu.contract.problem.ProblemException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** What a reader or starter of runs can be refused. */
public final class RunProblems {

  private RunProblems() {}

  /** No run of that id, or somebody else's. */
  public static ProblemException notFound(String runId) {
    return Problem.of(404, "RUN_NOT_FOUND").with("runId", runId).asFailure();
  }

  /** The stream cannot go on from that cursor; the snapshot can be read instead. */
  public static ProblemException replayUnavailable(UUID runId, String reason) {
    return Problem.of(409, "REPLAY_UNAVAILABLE")
        .with("runId", runId.toString())
        .with("reason", reason)
        .member("snapshot", "/api/agent/runs/" + runId)
        .asFailure();
  }

  /** The same as the one frame of a stream. */
  static String replayFrame(UUID runId, String reason) {
    return JsonNodeFactory.instance
        .objectNode()
        .put("code", "REPLAY_UNAVAILABLE")
        .put("reason", reason)
        .put("snapshot", "/api/agent/runs/" + runId)
        .toString();
  }

  /** A parameter is not what it has to be. */
  public static ProblemException parameterInvalid(String name) {
    return Problem.of(400, "PARAMETER_INVALID").with("parameter", name).asFailure();
  }

  /** The owner has as many streams open as allowed. */
  static ProblemException tooManyStreams(int limit) {
    return Problem.of(429, "RATE_LIMITED")
        .with("limit", limit)
        .retryAfter(java.time.Duration.ofSeconds(1))
        .asFailure();
  }

  /** The process stops; another one answers. */
  static ProblemException unavailable() {
    return Problem.of(503, "UNAVAILABLE").asFailure();
  }

  /**
   * Something else is active in that conversation.
   *
   * @param active the run; null when it is a chat turn, or ended meanwhile
   */
  public static ProblemException sessionBusy(String sessionId, @Nullable StoredRun active) {
    return Problem.of(409, "SESSION_BUSY")
        .with("sessionId", sessionId)
        .member("can_send", false)
        .member("active_run", active == null ? null : activeRun(active))
        .asFailure();
  }

  /** What {@code active_run} shows. */
  public static Map<String, Object> activeRun(StoredRun run) {
    var active = new LinkedHashMap<String, Object>();
    active.put("run_id", run.id().toString());
    active.put("run_status", run.status().runStatus());
    active.put("execution_generation", run.generation());
    return active;
  }
}
