package io.fengyu.agent.run;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fengyu.agent.guard.Verdict;
import io.fengyu.agent.tool.Tool;
import io.fengyu.agent.tool.ToolException;
import io.fengyu.contract.plan.AgentStep;
import io.fengyu.contract.plan.CompiledPlan;
import io.fengyu.contract.plan.UnresolvedReferenceException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Gets steps ready: resolves their references, has their calls judged, puts in granted files. */
final class StepPreparation {

  private final RunScope scope;
  private final RunWork work;
  private final RunState state;
  private final StepNotes notes;
  private final CallJudge judge;
  private final ToolCalls tools;
  private final PlacesOnce places;
  private final Repetitions repetitions;

  StepPreparation(
      RunScope scope,
      StepNotes notes,
      CallJudge judge,
      ToolCalls tools,
      PlacesOnce places,
      Repetitions repetitions) {
    this.scope = scope;
    this.work = scope.work();
    this.state = scope.state();
    this.notes = notes;
    this.judge = judge;
    this.tools = tools;
    this.places = places;
    this.repetitions = repetitions;
  }

  /** The steps of a level that can run; the others are noted as failed. */
  List<ReadyStep> prepare(List<Integer> level) {
    var ready = new ArrayList<ReadyStep>(level.size());
    for (int step : level) {
      try {
        ready.add(prepare(step));
      } catch (UnresolvedReferenceException | ToolException e) {
        notes.failed(step, String.valueOf(e.getMessage()));
      }
    }
    return repetitions.compare(ready);
  }

  private ReadyStep prepare(int index) throws ToolException {
    var compiled = work.plan().steps().get(index);
    var tool = state.tool(index);
    return compiled.step().pinnedResult() == null ? called(compiled, tool) : pinned(compiled, tool);
  }

  private ReadyStep pinned(CompiledPlan.Step compiled, Tool tool) {
    var step = compiled.step();
    var shown = state.masked(step.index(), pinnedArgs(compiled));
    var plan = new StepPlan(step, tool, step.args(), shown);
    return new ReadyStep(
        plan, new StepCall(scope, tools, plan, step.args()), null, null, List.of());
  }

  /** A pinned step needs no values, so a reference that leads to nothing is shown as written. */
  private ObjectNode pinnedArgs(CompiledPlan.Step compiled) {
    try {
      return state.resolve(compiled.step().index());
    } catch (UnresolvedReferenceException e) {
      return compiled.step().args();
    }
  }

  private ReadyStep called(CompiledPlan.Step compiled, Tool tool) throws ToolException {
    var step = compiled.step();
    var args = state.resolve(step.index());
    var plan = new StepPlan(step, tool, args, state.masked(step.index(), args));
    var run = state.run(step.index());
    boolean agreed = run.approved() && run.patched() == null;
    var verdict = agreed ? judge.judgeAgain(tool, args) : judge.judge(tool, args);
    if (verdict.denies()) {
      throw new ToolException(verdict.told());
    }
    var call = new StepCall(scope, tools, plan, dispatched(compiled, tool, args));
    var pause = state.run(step.index()).approved() ? null : pause(step, verdict);
    return new ReadyStep(plan, call, pause, verdict.asks() ? verdict : null, List.of());
  }

  /** Why a person has to agree first; null when nobody has to. */
  private @Nullable String pause(AgentStep step, Verdict verdict) {
    if (verdict.asks()) {
      return verdict.stage().wire();
    }
    if (!work.options().pausesAt(step.requiresApproval())) {
      return null;
    }
    return step.requiresApproval() ? "step" : "every";
  }

  /** What the tool gets: granted files in the place of their names. */
  private ObjectNode dispatched(CompiledPlan.Step compiled, Tool tool, ObjectNode args)
      throws ToolException {
    int index = compiled.step().index();
    var pluginId = tool.spec().pluginId();
    return state.run(index).patched() == null
        ? GrantedFiles.dispatch(places.get(), pluginId, compiled.args(), args, state.values(index))
        : GrantedFiles.dispatch(places.get(), pluginId, args);
  }
}
