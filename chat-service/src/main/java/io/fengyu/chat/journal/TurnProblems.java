package io.fengyu.chat.journal;

import io.fengyu.contract.problem.Problem;
import io.fengyu.contract.problem.ProblemException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** What a caller can be refused about turns. */
public final class TurnProblems {

  private static final Duration SOON = Duration.ofSeconds(1);

  private TurnProblems() {}

  /** No turn of that id, or somebody else's, or one that is forgotten. */
  public static ProblemException unknown(@Nullable String streamId) {
    return Problem.of(404, "UNKNOWN_STREAM").with("streamId", String.valueOf(streamId)).asFailure();
  }

  /** The stream cannot go on from that cursor; the record of the turn can be read instead. */
  static ProblemException replayUnavailable(UUID id, String cursor) {
    return Problem.of(409, "REPLAY_UNAVAILABLE")
        .with("streamId", id.toString())
        .with("cursor", cursor)
        .member("snapshot", "/api/ai/runs/" + id)
        .asFailure();
  }

  static ProblemException tooManyStreams(int limit) {
    return Problem.of(429, "RATE_LIMITED").with("limit", limit).retryAfter(SOON).asFailure();
  }

  static ProblemException tooManyTurns(int limit) {
    return Problem.of(429, "TOO_MANY_PENDING_TURNS")
        .with("limit", limit)
        .retryAfter(SOON)
        .asFailure();
  }

  /** The process stops; another one answers. */
  static ProblemException unavailable() {
    return Problem.of(503, "UNAVAILABLE").retryAfter(SOON).asFailure();
  }

  /**
   * Something else is active in that conversation.
   *
   * @param active the turn; null when it is a run, or ended meanwhile
   */
  static ProblemException busy(String conversationId, @Nullable StoredTurn active) {
    return Problem.of(409, "SESSION_BUSY")
        .with("sessionId", conversationId)
        .member("can_send", false)
        .member("active_run", active == null ? null : active(active))
        .asFailure();
  }

  private static Map<String, Object> active(StoredTurn turn) {
    var active = new LinkedHashMap<String, Object>();
    active.put("run_id", turn.id().toString());
    active.put("kind", "chat");
    active.put("run_status", turn.runStatus());
    active.put("execution_generation", turn.generation());
    return active;
  }

  static ProblemException notLatest(String streamId) {
    return Problem.of(409, "NOT_LATEST_TURN").with("streamId", streamId).asFailure();
  }

  static ProblemException startLost() {
    return Problem.of(503, "START_UNDER_WAY").retryAfter(SOON).asFailure();
  }
}
