package io.fengyu.contract.plan;

import io.fengyu.contract.plan.Reference.Source;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;

/**
 * A plan with its references read and its graph known, so that nothing is parsed while it runs.
 * Exists for plans with mistakes too; {@link PlanChecks} finds those.
 */
public final class CompiledPlan {

  private final AgentPlan plan;
  private final List<Step> steps;
  private final Map<String, Integer> indexOfNode;

  private CompiledPlan(AgentPlan plan, List<Step> steps, Map<String, Integer> indexOfNode) {
    this.plan = plan;
    this.steps = List.copyOf(steps);
    this.indexOfNode = indexOfNode;
  }

  /**
   * One step.
   *
   * @param dependencies earlier steps it waits for, ascending: {@code dependsOn}, the steps its
   *     references and conditions name
   */
  public record Step(AgentStep step, ArgsTemplate args, List<Integer> dependencies) {}

  /** Compiles a plan. Dependencies that don't point to an earlier step are left out. */
  public static CompiledPlan of(AgentPlan plan) {
    var nodes = new HashMap<String, Integer>();
    plan.steps().forEach(step -> nodes.putIfAbsent(step.nodeId(), step.index()));
    var compiled = new CompiledPlan(plan, List.of(), nodes);
    var steps = new ArrayList<Step>(plan.steps().size());
    for (var step : plan.steps()) {
      var args = ArgsTemplate.compile(step.args());
      steps.add(new Step(step, args, compiled.dependencies(step, args)));
    }
    return new CompiledPlan(plan, steps, nodes);
  }

  /** What was compiled. */
  public AgentPlan plan() {
    return plan;
  }

  /** The steps in index order. */
  public List<Step> steps() {
    return steps;
  }

  /**
   * Index of the step that a reference in step {@code at} names; -1 when there is no such node or
   * it names no step.
   */
  public int target(Reference reference, int at) {
    return switch (reference.source()) {
      case Source.Step step -> step.index();
      case Source.Last last -> at - 1;
      case Source.Node node -> indexOfNode.getOrDefault(node.id(), -1);
      case Source.Input input -> -1;
    };
  }

  private List<Integer> dependencies(AgentStep step, ArgsTemplate args) {
    var all = new TreeSet<>(step.dependsOn());
    args.references().forEach(reference -> all.add(target(reference, step.index())));
    step.runWhen().forEach(condition -> all.add(condition.step()));
    return all.stream().filter(index -> index >= 0 && index < step.index()).toList();
  }
}
