package io.fengyu.agent.run;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fengyu.agent.guard.Guard;
import io.fengyu.agent.guard.Subject;
import io.fengyu.agent.guard.Verdict;
import io.fengyu.agent.tool.Effect;
import io.fengyu.agent.tool.Tool;
import io.fengyu.agent.tool.ToolSpec;
import org.jspecify.annotations.Nullable;

/**
 * The one place where a run asks whether a call may be made. Called on the run's virtual thread, so
 * it may block; judged are the resolved arguments, exactly once per decision.
 */
final class CallJudge {

  private final Guard guard;
  private final Admission admission;
  private final PlacesOnce places;
  private final Subject subject;

  CallJudge(RunScope scope, Guard guard, PlacesOnce places) {
    var work = scope.work();
    this.guard = guard;
    this.admission = scope.admission();
    this.places = places;
    var own =
        Subject.of(work.owner(), work.options().permissionMode())
            .readingOnly(work.options().readOnly())
            .forRun(work.runId())
            .within(guard.scopes().of(work.owner(), work.dataSession()));
    this.subject = work.options().inherits() ? own.inherited() : own;
  }

  /**
   * The verdict on one call.
   *
   * @param args resolved, secrets included
   */
  Verdict judge(Tool tool, ObjectNode args) {
    var spec = tool.spec();
    return guard.judge(placed(spec), spec, args, () -> hooks(spec, args));
  }

  /** The verdict on a call that a person has agreed to as it is: its hooks were asked before. */
  Verdict judgeAgain(Tool tool, ObjectNode args) {
    return guard.judgeAgain(placed(tool.spec()), tool.spec(), args);
  }

  private Subject placed(ToolSpec tool) {
    return tool.effect() == Effect.COMMAND ? subject.in(places.get().workspace()) : subject;
  }

  /** A stop of the run ends the hooks, too; nothing is called then. */
  private @Nullable Verdict hooks(ToolSpec tool, ObjectNode args) {
    if (!admission.enter()) {
      return null;
    }
    try {
      return guard.hooks().before(subject, tool, args);
    } finally {
      admission.leave();
    }
  }
}
