package io.fengyu.agent.run;

import io.fengyu.agent.guard.Verdict;
import org.jspecify.annotations.Nullable;

/**
 * A step with resolved arguments and a verdict on its call.
 *
 * @param gate the verdict, when a person has to agree first; null when it may run
 */
record ReadyStep(StepPlan plan, StepCall call, @Nullable Verdict gate) {

  boolean paused() {
    return gate != null;
  }

  int index() {
    return plan.index();
  }
}
