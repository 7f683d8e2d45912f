package io.fengyu.agent.journal;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fengyu.agent.tool.Effect;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** State that is committed together with the events that caused it. */
public sealed interface Change {

  /** The run moves to another open status. */
  record Status(RunStatus status) implements Change {}

  /**
   * The plan in force; replaces an earlier one.
   *
   * @param text the plan as JSON
   */
  record Plan(String text) implements Change {

    /** The plan as a tree. */
    public Plan(ObjectNode plan) {
      this(plan.toString());
    }
  }

  /**
   * A gate opens: the run is paused, its lease is given up, and this log ends. The gate's payload
   * is what {@code pendingGate} shows.
   */
  record Gate(RunStatus status, String gateId, ObjectNode payload) implements Change {}

  /**
   * The run ends; this log with it.
   *
   * @param status one that is not open
   * @param summary null unless completed
   * @param error null when completed
   */
  record End(
      RunStatus status, @Nullable String summary, @Nullable String error, boolean interrupted)
      implements Change {}

  /**
   * A tool with effects is about to be called.
   *
   * @param invocationId stable per attempt of a step
   * @param argsHash SHA-256, hex, over the canonical JSON of the resolved arguments
   */
  record Intended(
      UUID invocationId, int step, int attempt, String tool, Effect effect, String argsHash)
      implements Change {}

  /** What became of that call. */
  record Outcome(UUID invocationId, ReceiptState state) implements Change {}

  /**
   * A step wrote a file that clients may fetch.
   *
   * @param path as clients see it, unique in the run; a later writer of it takes its place
   * @param location below the data directory
   * @param size in bytes
   */
  record Wrote(int step, String path, String location, long size) implements Change {}

  /** State of an effect receipt. */
  enum ReceiptState {
    INTENDED,
    DONE,
    /** The tool said that nothing happened, or the call never left. */
    FAILED,
    /** Timeout, crash or lost connection: only a person can tell. */
    UNKNOWN
  }
}
