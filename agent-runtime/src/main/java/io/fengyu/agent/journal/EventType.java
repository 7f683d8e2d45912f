package io.fengyu.agent.journal;

import java.util.Locale;

/** Every event a run can have, and who sees it. */
public enum EventType {
  CREATED(false, true),
  PLAN_TOKEN(true, false),
  /** Several fragments of a plan's text in one row; readers get each as {@link #PLAN_TOKEN}. */
  PLAN_TOKENS(true, false),
  /** A fragment of what a model answers, outside of planning. */
  TOKEN(true, false),
  TOKENS(true, false),
  /** A fragment of a model's reasoning. */
  THINKING(true, false),
  THINKINGS(true, false),
  /** A model calls a tool, or the call has come to its end. */
  TOOL(true, true),
  /** What a model was told first, and everything it said in one turn; never shown. */
  MODEL_TURN(false, true),
  /** What the run has used so far; shown as a sum only. */
  USAGE(false, true),
  PLAN_READY(true, true),
  PLAN_APPROVAL_REQUESTED(true, true),
  STEP_APPROVAL_REQUESTED(true, true),
  APPROVAL_RESOLVED(false, true),
  STEP_START(true, true),
  STEP_RETRY(true, true),
  STEP_COMPLETE(true, true),
  STEP_FAILED(true, true),
  STEP_SKIPPED(true, true),
  JOB_PROGRESS(true, false),
  CANCEL_REQUESTED(false, true),
  CANCELLED(false, true),
  INTERRUPTED(false, true),
  COMPLETE(true, true),
  ERROR(true, true);

  private final boolean streamed;
  private final boolean audited;
  private final String wire = name().toLowerCase(Locale.ROOT);

  EventType(boolean streamed, boolean audited) {
    this.streamed = streamed;
    this.audited = audited;
  }

  /** True when clients of the stream see it, with a {@code seq}. */
  public boolean streamed() {
    return streamed;
  }

  /** True when it is part of the history, with an audit number of its own. */
  public boolean audited() {
    return audited;
  }

  /** True when nothing follows it in the stream. */
  public boolean terminal() {
    return this == COMPLETE || this == ERROR;
  }

  /** True for fragments of a text, which are stored several in a row. */
  boolean inPieces() {
    return this == PLAN_TOKEN || this == TOKEN || this == THINKING;
  }

  /** Type of the rows that hold such fragments. */
  EventType piece() {
    return switch (this) {
      case PLAN_TOKEN -> PLAN_TOKENS;
      case TOKEN -> TOKENS;
      case THINKING -> THINKINGS;
      default -> throw new IllegalArgumentException(this + " is no fragment of a text");
    };
  }

  /** Lower-case name of the wire. */
  public String wire() {
    return wire;
  }
}
