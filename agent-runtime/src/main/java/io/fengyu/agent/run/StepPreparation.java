package io.fengyu.agent.run;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fengyu.agent.guard.PermissionMode;
import io.fengyu.agent.guard.Verdict;
import io.fengyu.agent.history.Receipt;
import io.fengyu.agent.tool.Effect;
import io.fengyu.agent.tool.Tool;
import io.fengyu.agent.tool.ToolException;
import io.fengyu.contract.json.CanonicalJson;
import io.fengyu.contract.plan.AgentStep;
import io.fengyu.contract.plan.CompiledPlan;
import io.fengyu.contract.plan.UnresolvedReferenceException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
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
  private final EarlierCalls earlier;

  StepPreparation(
      RunScope scope,
      StepNotes notes,
      CallJudge judge,
      ToolCalls tools,
      PlacesOnce places,
      EarlierCalls earlier) {
    this.scope = scope;
    this.work = scope.work();
    this.state = scope.state();
    this.notes = notes;
    this.judge = judge;
    this.tools = tools;
    this.places = places;
    this.earlier = earlier;
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
    return compared(ready);
  }

  /** Steps that would make a call again ask first, in every mode but full access. */
  private List<ReadyStep> compared(List<ReadyStep> ready) {
    if (!earlier.expected() && ready.stream().noneMatch(this::wasTried)) {
      return ready;
    }
    var hashes =
        ready.stream().filter(step -> step.plan().hasEffect()).map(step -> step.call().argsHash());
    var receipts = receipts(hashes.toList());
    return receipts.isEmpty()
        ? ready
        : ready.stream().map(step -> compared(step, receipts)).toList();
  }

  private boolean wasTried(ReadyStep step) {
    return state.run(step.index()).attempts() > 0;
  }

  private List<Receipt> receipts(List<String> hashes) {
    return hashes.isEmpty() ? List.of() : earlier.with(hashes);
  }

  private ReadyStep compared(ReadyStep step, List<Receipt> receipts) {
    var same = step.plan().hasEffect() ? repeated(step.call(), receipts) : List.<Receipt>of();
    boolean asks =
        !same.isEmpty()
            && !state.run(step.index()).approved()
            && work.options().permissionMode() != PermissionMode.FULL_ACCESS;
    return step.repeating(same, asks);
  }

  private static List<Receipt> repeated(StepCall call, List<Receipt> receipts) {
    return receipts.stream().filter(call::repeats).toList();
  }

  /**
   * What the pending steps would make again, as far as their arguments are known before anything
   * runs; by index.
   */
  Map<Integer, List<Receipt>> repeated() {
    if (!earlier.expected()) {
      return Map.of();
    }
    var hashes = new TreeMap<Integer, String>();
    for (var compiled : work.plan().steps()) {
      var hash = state.run(compiled.step().index()).pending() ? hash(compiled.step()) : null;
      if (hash != null) {
        hashes.put(compiled.step().index(), hash);
      }
    }
    var receipts = receipts(List.copyOf(hashes.values()));
    var repeated = new TreeMap<Integer, List<Receipt>>();
    hashes.forEach(
        (index, hash) -> {
          var tool = work.plan().steps().get(index).step().toolName();
          var same =
              receipts.stream()
                  .filter(receipt -> receipt.tool().equals(tool) && receipt.argsHash().equals(hash))
                  .toList();
          if (!same.isEmpty()) {
            repeated.put(index, same);
          }
        });
    return repeated;
  }

  private @Nullable String hash(AgentStep step) {
    try {
      return step.pinnedResult() == null && state.tool(step.index()).spec().effect() != Effect.READ
          ? CanonicalJson.sha256(state.resolve(step.index()))
          : null;
    } catch (UnresolvedReferenceException | ToolException notYet) {
      return null;
    }
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
    var verdict = judge.judge(tool, args);
    if (verdict.denies()) {
      throw new ToolException("Denied: " + verdict.reason());
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
