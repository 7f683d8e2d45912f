package io.fengyu.agent.run;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fengyu.agent.guard.Guard;
import io.fengyu.agent.guard.Subject;
import io.fengyu.agent.guard.Verdict;
import io.fengyu.agent.tool.Effect;
import io.fengyu.agent.tool.Tool;

/**
 * The one place where a run asks whether a call may be made. Called on the run's virtual thread, so
 * it may block; judged are the resolved arguments, exactly once per decision.
 */
final class CallJudge {

  private final Guard guard;
  private final PlacesOnce places;
  private final Subject subject;

  CallJudge(RunWork work, Guard guard, PlacesOnce places) {
    this.guard = guard;
    this.places = places;
    this.subject =
        Subject.of(work.owner(), work.options().permissionMode())
            .readingOnly(work.options().readOnly());
  }

  /**
   * The verdict on one call.
   *
   * @param args resolved, secrets included
   */
  Verdict judge(Tool tool, ObjectNode args) {
    boolean command = tool.spec().effect() == Effect.COMMAND;
    var placed = command ? subject.in(places.get().workspace()) : subject;
    return guard.judge(placed, tool.spec(), args);
  }
}
