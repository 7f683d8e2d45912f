package io.fengyu.agent.run;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fengyu.agent.guard.Guard;
import io.fengyu.agent.guard.Verdict;
import io.fengyu.agent.tool.Tool;

/**
 * The one place where a run asks whether a call may be made. Called on the run's virtual thread, so
 * it may block; judged are the resolved arguments, exactly once per decision.
 */
final class CallJudge {

  private final RunWork work;
  private final Guard guard;

  CallJudge(RunWork work, Guard guard) {
    this.work = work;
    this.guard = guard;
  }

  /**
   * The verdict on one call.
   *
   * @param args resolved, secrets included
   */
  Verdict judge(Tool tool, ObjectNode args) {
    return guard.judge(work.options().permissionMode(), tool.spec(), args);
  }
}
