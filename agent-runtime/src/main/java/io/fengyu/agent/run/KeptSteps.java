package io.fengyu.agent.run;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fengyu.contract.json.CanonicalJson;
import io.fengyu.contract.plan.AgentStep;
import io.fengyu.contract.plan.CompiledPlan;
import io.fengyu.contract.plan.PlanReader.ReadPlan;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Which steps that were done already an edited plan leaves as they are: those that are unchanged,
 * and depend on nothing but such steps and steps that were left out before.
 */
final class KeptSteps {

  private final CompiledPlan before;
  private final ReadPlan sent;
  private final CompiledPlan after;
  private final List<StepRun> runs;
  private final boolean numbered;
  private final Map<Integer, Integer> kept = new TreeMap<>();

  private KeptSteps(CompiledPlan before, ReadPlan sent, CompiledPlan after, List<StepRun> runs) {
    this.before = before;
    this.sent = sent;
    this.after = after;
    this.runs = runs;
    var indexes = sent.indexes();
    this.numbered = !indexes.contains(-1) && new HashSet<>(indexes).size() == indexes.size();
  }

  /**
   * The steps of the edited plan that are done, with the index each had.
   *
   * @param sent the edited plan as it came, before its steps were renumbered
   * @param after the edited plan in force
   * @param runs how far the steps of the plan before have come
   */
  static Map<Integer, Integer> of(
      CompiledPlan before, ReadPlan sent, CompiledPlan after, List<StepRun> runs) {
    var steps = new KeptSteps(before, sent, after, runs);
    for (int index = 0; index < after.steps().size(); index++) {
      if (steps.keeps(index)) {
        steps.kept.put(index, steps.was(index));
      }
    }
    return steps.kept;
  }

  private boolean keeps(int index) {
    return unchanged(index)
        && runs.get(was(index)).state() == StepRun.State.COMPLETED
        && dependsOnTheSame(index)
        && after.steps().get(index).dependencies().stream()
            .allMatch(on -> kept.containsKey(on) || wasLeftOut(on));
  }

  /** The step before, whose result it may use, may be another one now. */
  private boolean dependsOnTheSame(int index) {
    var now = after.steps().get(index).dependencies().stream().map(this::was).sorted().toList();
    var then = before.steps().get(was(index)).dependencies().stream().sorted().toList();
    return now.equals(then);
  }

  private boolean wasLeftOut(int index) {
    return unchanged(index) && runs.get(was(index)).state() != StepRun.State.COMPLETED;
  }

  private boolean unchanged(int index) {
    int was = was(index);
    return was < before.steps().size()
        && same(before.steps().get(was).step(), sent.plan().steps().get(index));
  }

  private int was(int index) {
    return numbered ? sent.indexes().get(index) : index;
  }

  /** True when both say the same, wherever in their plans they stand. */
  static boolean same(AgentStep one, AgentStep other) {
    return content(one).equals(content(other));
  }

  private static String content(AgentStep step) {
    ObjectNode json = step.toJson();
    json.remove("index");
    return CanonicalJson.text(json);
  }
}
