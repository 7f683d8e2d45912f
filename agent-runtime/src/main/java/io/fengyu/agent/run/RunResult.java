package io.fengyu.agent.run;

/** What became of a run as far as its executor is concerned. */
enum RunResult {
  ENDED,
  /** A gate is open; whoever releases it goes on. */
  PAUSED,
  /** A step failed, and another plan may be made. */
  REPLAN,
  /** The model made a plan where it could have done the work itself. */
  PLANNED,
  /** Somebody else has the run now. */
  LOST
}
