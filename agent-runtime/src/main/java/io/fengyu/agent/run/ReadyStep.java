package io.fengyu.agent.run;

import io.fengyu.agent.guard.Verdict;
import io.fengyu.agent.history.Receipt;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A step with resolved arguments and a verdict on its call.
 *
 * @param pause the reason why a person has to agree first; null when it may run
 * @param asked the verdict that asks for it; null when none does
 * @param alreadyDone receipts of calls that it would make again
 */
record ReadyStep(
    StepPlan plan,
    StepCall call,
    @Nullable String pause,
    @Nullable Verdict asked,
    List<Receipt> alreadyDone) {

  static final String REPEAT = "repeat";

  boolean paused() {
    return pause != null;
  }

  int index() {
    return plan.index();
  }

  /** The same, now that somebody has looked for calls it would repeat. */
  ReadyStep repeating(List<Receipt> receipts, boolean asks) {
    return new ReadyStep(plan, call, pause == null && asks ? REPEAT : pause, asked, receipts);
  }
}
