package io.fengyu.agent.run;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fengyu.agent.journal.Change;
import io.fengyu.agent.journal.EventType;
import io.fengyu.agent.journal.RunStatus;
import io.fengyu.agent.model.ModelException;
import io.fengyu.agent.plan.Planner;
import io.fengyu.agent.tool.Sensitive;
import io.fengyu.agent.tool.Tool;
import io.fengyu.contract.model.ModelBlock;
import io.fengyu.contract.model.ModelEvent;
import io.fengyu.contract.model.ModelTurn;
import io.fengyu.contract.plan.PlanReader.ReadPlan;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A run without a plan: the model speaks, its calls are made, it reads what they came to and speaks
 * again, until it has nothing left to do.
 */
final class DirectRun {

  /** How often a model may speak in one run. */
  static final int MOST_TURNS = 32;

  private final RunWork work;
  private final RunWriter writer;
  private final Admission admission;
  private final RunEnds ends;
  private final Gates gates;
  private final DirectTurn turn;
  private final RunModel model;
  private final Map<String, Tool> offered;
  private @Nullable ReadPlan plan;

  DirectRun(
      RunScope scope, RunEnds ends, DirectTurn turn, RunModel model, Map<String, Tool> offered) {
    this.work = scope.work();
    this.writer = scope.writer();
    this.admission = scope.admission();
    this.ends = ends;
    this.gates = new Gates(scope, ends);
    this.turn = turn;
    this.model = model;
    this.offered = offered;
  }

  /** The plan that the model made instead of doing the work itself; null unless it did. */
  @Nullable ReadPlan plan() {
    return plan;
  }

  /** Begins with the goal. */
  RunResult begin() {
    writer.hold(new Change.Status(RunStatus.EXECUTING));
    writer.flushDurably();
    try {
      var user = model.briefing();
      var checked = model.checked(user);
      if (checked == null) {
        return ends.halted();
      }
      return loop(begun(checked));
    } catch (ModelException failed) {
      return ends.modelFailed(failed);
    }
  }

  private DirectTalk begun(String user) {
    var system = DirectPrompt.system(work.options());
    writer.hold(EventType.MODEL_TURN, DirectEvents.prompt(system, user));
    return new DirectTalk(system, user);
  }

  /** Goes on after somebody decided about a call. */
  RunResult resume(DirectTalk talk, Decision decision, String callId) {
    model.pinned(talk.pin());
    for (var call : talk.open()) {
      if (call.id().equals(callId)) {
        decided(talk, decision, call);
      }
    }
    try {
      return loop(talk);
    } catch (ModelException failed) {
      return ends.modelFailed(failed);
    }
  }

  private void decided(DirectTalk talk, Decision decision, DirectCall call) {
    ObjectNode args = call.args();
    if (decision.kind() == Decision.Kind.REJECT || args == null) {
      turn.reject(talk, call);
    } else if (decision.patchedArgs() == null) {
      turn.agree(call, args);
    } else {
      turn.agree(call, Sensitive.unmasked(decision.patchedArgs(), args));
    }
  }

  private RunResult loop(DirectTalk talk) throws ModelException {
    while (admission.open()) {
      var paused = talk.open().isEmpty() ? null : turn.make(talk);
      if (paused != null) {
        return admission.open() ? gates.openAt(paused) : ends.halted();
      }
      if (talk.turns() >= MOST_TURNS) {
        return ends.turnsUsedUp(MOST_TURNS);
      }
      var said = answer(talk);
      if (said != null && talk.calls().isEmpty()) {
        return finish(ModelTurn.text(said));
      }
    }
    return ends.halted();
  }

  /** What the model says next, on record; null when the run was stopped. */
  private @Nullable List<ModelBlock> answer(DirectTalk talk) throws ModelException {
    // Fragments are shown before they are stored, but not before what precedes them.
    writer.flushDurably();
    if (!admission.open()) {
      return null;
    }
    var answer = model.ask(talk.system(), talk.messages(), offered.values(), this::show);
    if (answer == null) {
      return null;
    }
    if (answer.blocks().stream().allMatch(DirectRun::silent)) {
      throw ModelException.unusable("the model answered nothing");
    }
    var said = talk.said(answer.blocks());
    writer.hold(EventType.MODEL_TURN, DirectEvents.said(said, model.pin()));
    for (var call : talk.calls()) {
      writer.hold(EventType.TOOL, DirectEvents.called(call, offered.get(call.name())));
    }
    writer.flush();
    return said;
  }

  private static boolean silent(ModelBlock block) {
    return switch (block) {
      case ModelBlock.Text(var text) -> text.isBlank();
      case ModelBlock.Call call -> false;
      default -> true;
    };
  }

  private void show(ModelEvent event) {
    switch (event) {
      case ModelEvent.Text(var text) -> writer.text(EventType.TOKEN, text);
      case ModelEvent.Thinking(var text) -> writer.text(EventType.THINKING, text);
      default -> {}
    }
  }

  private RunResult finish(String answer) {
    if (work.options().planningMode().equals("auto")) {
      plan = Planner.planIn(answer, work.goal(), offered.keySet());
      if (plan != null) {
        return RunResult.PLANNED;
      }
    }
    return ends.answered(FinalText.of(work.options().outputFormat(), answer));
  }
}
