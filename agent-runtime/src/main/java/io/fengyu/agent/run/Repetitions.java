package io.fengyu.agent.run;

import io.fengyu.agent.guard.PermissionMode;
import io.fengyu.agent.history.Receipt;
import io.fengyu.agent.tool.Effect;
import io.fengyu.agent.tool.ToolException;
import io.fengyu.contract.json.CanonicalJson;
import io.fengyu.contract.plan.AgentStep;
import io.fengyu.contract.plan.UnresolvedReferenceException;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Finds the steps that would make a call with an effect that was, or may have been, made before.
 */
final class Repetitions {

  private final RunWork work;
  private final RunState state;
  private final EarlierCalls earlier;

  Repetitions(RunScope scope, EarlierCalls earlier) {
    this.work = scope.work();
    this.state = scope.state();
    this.earlier = earlier;
  }

  /** The steps with what they would repeat; outside of full access such a step asks first. */
  List<ReadyStep> compare(List<ReadyStep> ready) {
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

  private ReadyStep compared(ReadyStep step, List<Receipt> receipts) {
    var same =
        step.plan().hasEffect()
            ? same(step.plan().tool().spec().name(), step.call().argsHash(), receipts)
            : List.<Receipt>of();
    boolean asks =
        !same.isEmpty()
            && !state.run(step.index()).approved()
            && work.options().permissionMode() != PermissionMode.FULL_ACCESS;
    return step.repeating(same, asks);
  }

  /**
   * What the pending steps of the plan would repeat, by index, as far as their arguments are known
   * before anything runs.
   */
  Map<Integer, List<Receipt>> ofPlan() {
    if (!earlier.expected()) {
      return Map.of();
    }
    var hashes = hashes();
    var receipts = receipts(List.copyOf(hashes.values()));
    var repeated = new TreeMap<Integer, List<Receipt>>();
    for (var step : hashes.entrySet()) {
      var tool = work.plan().steps().get(step.getKey()).step().toolName();
      var same = same(tool, step.getValue(), receipts);
      if (!same.isEmpty()) {
        repeated.put(step.getKey(), same);
      }
    }
    return repeated;
  }

  private Map<Integer, String> hashes() {
    var hashes = new TreeMap<Integer, String>();
    for (var compiled : work.plan().steps()) {
      var step = compiled.step();
      var hash = state.run(step.index()).pending() ? hash(step) : null;
      if (hash != null) {
        hashes.put(step.index(), hash);
      }
    }
    return hashes;
  }

  /** Null for a step that calls nothing with an effect, or whose arguments are not known yet. */
  private @Nullable String hash(AgentStep step) {
    try {
      return step.pinnedResult() == null && state.tool(step.index()).spec().effect() != Effect.READ
          ? CanonicalJson.sha256(state.resolve(step.index()))
          : null;
    } catch (UnresolvedReferenceException | ToolException notYet) {
      return null;
    }
  }

  private List<Receipt> receipts(List<String> hashes) {
    return hashes.isEmpty() ? List.of() : earlier.with(hashes);
  }

  private static List<Receipt> same(String tool, String hash, List<Receipt> receipts) {
    return receipts.stream()
        .filter(receipt -> receipt.tool().equals(tool) && receipt.argsHash().equals(hash))
        .toList();
  }
}
