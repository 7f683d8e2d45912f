package io.fengyu.agent.tool;

import com.fasterxml.jackson.annotation.JsonValue;
import java.util.Locale;

/**
 * What is at work for a run. A stop is confirmed only when every branch that was begun has ended,
 * so one is begun before its work is, and closed when nothing of the work is left.
 */
public interface Branches {

  /** Outside of a run nobody asks. */
  Branches NONE = (kind, id) -> () -> {};

  /** What kind of work it is. */
  enum Kind {
    /** A request to a model. */
    MODEL,
    /** A call of a tool. */
    TOOL,
    /** A connection to an MCP server. */
    MCP,
    /** A job that a tool has accepted. */
    JOB,
    /** A process with all of its descendants. */
    PROCESS,
    /** A wait before another attempt. */
    TIMER;

    /** Lower-case word of the wire. */
    @JsonValue
    public String wire() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /**
   * Begins a branch.
   *
   * @param id tells it from others of its kind in the run
   */
  Branch begin(Kind kind, String id);

  /** Work that goes on until it is closed; closing again does no harm. */
  interface Branch extends AutoCloseable {

    @Override
    void close();
  }
}
