package io.fengyu.agent.run;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fengyu.agent.guard.HookGate;
import io.fengyu.agent.guard.Subject;
import io.fengyu.agent.tool.Tool;

/** What the hooks of a run's owner are told of it; nobody waits for them. */
final class RunHooks {

  private final HookGate hooks;
  private final RunWork work;

  RunHooks(HookGate hooks, RunWork work) {
    this.hooks = hooks;
    this.work = work;
  }

  /** A call has ended that was really made. */
  void called(Tool tool, ObjectNode args, boolean success, String result) {
    var subject = Subject.of(work.owner(), work.options().permissionMode()).forRun(work.runId());
    hooks.after(subject, tool.spec(), args, success, result);
  }

  /**
   * The run has ended.
   *
   * @param result the summary, or the code and message of the error
   */
  void ended(boolean completed, String result) {
    hooks.runEnded(work.owner(), work.runId(), work.goal(), completed, result);
  }
}
