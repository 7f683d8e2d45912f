package io.fengyu.contract.plan;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fengyu.contract.plan.AgentStep.RunWhen;
import io.fengyu.contract.plan.PlanReader.ReadPlan;
import io.fengyu.contract.plan.Reference.Source;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A plan that a reviewer sent back. When its indexes are distinct but not 0 to n-1 in order, it is
 * the shown plan with steps removed or moved: the array order decides, and everything that names a
 * step by number moves along with it.
 */
public final class PlanEdit {

  private final Map<Integer, Integer> newIndex = new HashMap<>();
  private final Map<String, Integer> oldDefaultIds = new HashMap<>();
  private final List<PlanProblem> problems;

  private PlanEdit(List<PlanProblem> problems) {
    this.problems = new ArrayList<>(problems);
  }

  /** Reads an edited plan and renumbers it where its indexes ask for that. */
  public static ReadPlan read(@Nullable JsonNode json) {
    var read = PlanReader.readEdited(json);
    return moved(read.indexes())
        ? new PlanEdit(read.problems()).renumber(read)
        : PlanReader.read(json);
  }

  private static boolean moved(List<Integer> indexes) {
    boolean inOrder = true;
    for (int at = 0; at < indexes.size(); at++) {
      inOrder &= indexes.get(at) == at;
    }
    return !inOrder && !indexes.contains(-1) && new HashSet<>(indexes).size() == indexes.size();
  }

  private ReadPlan renumber(ReadPlan read) {
    for (int at = 0; at < read.indexes().size(); at++) {
      newIndex.put(read.indexes().get(at), at);
      if (read.plan().steps().get(at).id() == null) {
        oldDefaultIds.put("step-" + read.indexes().get(at), at);
      }
    }
    var steps = read.plan().steps().stream().map(this::renumber).toList();
    var plan =
        new AgentPlan(read.plan().goal(), read.plan().reasoning(), steps, read.plan().other());
    return new ReadPlan(plan, List.copyOf(problems), read.indexes());
  }

  private AgentStep renumber(AgentStep step) {
    return new AgentStep(
        step.index(),
        step.id(),
        step.toolName(),
        (ObjectNode) ArgsTemplate.rewrite(step.args(), reference -> renumber(step, reference)),
        step.description(),
        step.requiresApproval(),
        step.dependsOn().stream().map(on -> earlier(step, on, "dependsOn")).toList(),
        step.pinnedResult(),
        step.retryPolicy(),
        step.runWhen().stream()
            .map(when -> new RunWhen(earlier(step, when.step(), "runWhen"), when.equals()))
            .toList(),
        step.other());
  }

  private Reference renumber(AgentStep step, Reference reference) {
    return switch (reference.source()) {
      case Source.Step(int index, var side) ->
          reference.from(new Source.Step(earlier(step, index, reference.toString()), side));
      case Source.Node(var id, var side) when oldDefaultIds.containsKey(id) ->
          reference.from(new Source.Node("step-" + oldDefaultIds.get(id), side));
      default -> reference;
    };
  }

  /** The new number of a step, or a problem when it was removed or comes later now. */
  private int earlier(AgentStep step, int old, String field) {
    var moved = newIndex.get(old);
    if (moved == null || moved >= step.index()) {
      var how = moved == null ? "was removed" : "comes later";
      problems.add(
          PlanProblem.of(
              step.index(),
              moved == null ? "STEP_REMOVED" : "STEP_LATER",
              field + " names step " + old + ", which " + how,
              "field",
              field,
              "step",
              old));
      return 0;
    }
    return moved;
  }
}
