package io.fengyu.agent.run;

/** What became of a run as far as its executor is concerned. */
enum RunResult {
  ENDED,
  /** A gate is open; whoever releases it goes on. */
  PAUSED,
  /** A step failed, and another plan may be made. */
  REPLAN,
  /** Every step is done, and the last word is a model's. */
  DONE,
  /** The model made a plan where it could have done the work itself. */
  PLANNED,
  /** Somebody else has the run now. */
  LOST
}
