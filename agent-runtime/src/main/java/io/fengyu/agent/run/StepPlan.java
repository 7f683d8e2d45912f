package io.fengyu.agent.run;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fengyu.agent.tool.Effect;
import io.fengyu.agent.tool.Tool;
import io.fengyu.contract.plan.AgentStep;

/**
 * A step that is about to be run.
 *
 * @param args resolved, secrets included, {@code @file:} placeholders still in place
 * @param shownArgs the same as anybody may see it
 */
record StepPlan(AgentStep step, Tool tool, ObjectNode args, ObjectNode shownArgs) {

  int index() {
    return step.index();
  }

  boolean pinned() {
    return step.pinnedResult() != null;
  }

  /** True when the call must be on record before it is made. */
  boolean hasEffect() {
    return !pinned() && tool.spec().effect() != Effect.READ;
  }

  int maxAttempts() {
    return step.retryPolicy() == null ? 1 : step.retryPolicy().maxAttempts();
  }

  /** Wait before the attempt after the given one. */
  long delayMs(int attempt) {
    long backoff = step.retryPolicy() == null ? 0 : step.retryPolicy().backoffMs();
    return Math.min(30_000L, backoff << (attempt - 1));
  }
}
