package io.fengyu.agent.run;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fengyu.agent.plan.PlanningRequest;
import io.fengyu.agent.tool.Sensitive;
import io.fengyu.agent.tool.Tool;
import io.fengyu.agent.tool.ToolException;
import io.fengyu.contract.plan.CompiledPlan;
import io.fengyu.contract.plan.InputBinding;
import io.fengyu.contract.plan.Reference;
import io.fengyu.contract.plan.Reference.Side;
import io.fengyu.contract.plan.Reference.Source;
import io.fengyu.contract.plan.TextTemplate;
import io.fengyu.contract.plan.UnresolvedReferenceException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** How far a plan has come: the states of its steps, and which of them may start. */
final class RunState {

  private final CompiledPlan plan;
  private final ObjectNode inputs;
  private final Map<String, Tool> tools;
  private final List<StepRun> runs;
  private final RunSize size = new RunSize();
  private final int[] waitsFor;
  private final List<List<Integer>> dependents;
  private List<Integer> ready = new ArrayList<>();

  /**
   * Starts from what is known of the steps.
   *
   * @param runs one per step of the plan
   */
  RunState(CompiledPlan plan, ObjectNode inputs, Map<String, Tool> tools, List<StepRun> runs) {
    this.plan = plan;
    this.inputs = inputs;
    this.tools = tools;
    this.runs = runs;
    this.waitsFor = new int[runs.size()];
    this.dependents = new ArrayList<>(runs.size());
    runs.forEach(run -> dependents.add(new ArrayList<>(1)));
    runs.forEach(this::count);
    for (int i = 0; i < runs.size(); i++) {
      connect(i);
    }
  }

  /** A plan of which nothing has happened yet. */
  static RunState fresh(CompiledPlan plan, ObjectNode inputs, Map<String, Tool> tools) {
    return new RunState(plan, inputs, tools, pending(plan));
  }

  static List<StepRun> pending(CompiledPlan plan) {
    var runs = new ArrayList<StepRun>(plan.steps().size());
    plan.steps().forEach(step -> runs.add(new StepRun()));
    return runs;
  }

  /** What was done before a gate, or by an earlier run, is held as well. */
  private void count(StepRun run) {
    var result = run.result();
    if (result != null) {
      size.keeps(result);
    }
  }

  private void connect(int step) {
    for (int on : plan.steps().get(step).dependencies()) {
      if (!runs.get(on).settled()) {
        waitsFor[step]++;
        dependents.get(on).add(step);
      }
    }
    if (waitsFor[step] == 0 && runs.get(step).pending()) {
      ready.add(step);
    }
  }

  StepRun run(int step) {
    return runs.get(step);
  }

  /** The steps that may start, ascending; they are not given out again. */
  List<Integer> takeReady() {
    var taken = ready;
    ready = new ArrayList<>(taken.size());
    if (taken.size() > 1) {
      taken.sort(null);
    }
    return taken;
  }

  /** A step that was given out has completed or was skipped: what waited for it may be ready. */
  void settle(int step) {
    for (int dependent : dependents.get(step)) {
      if (--waitsFor[dependent] == 0) {
        ready.add(dependent);
      }
    }
  }

  /** True when the step has to be left out: nothing leads to it any more. */
  boolean skips(int step) {
    var compiled = plan.steps().get(step);
    for (var condition : compiled.step().runWhen()) {
      var output = runs.get(condition.step()).output();
      if (output == null || !condition.equals().equals(output.path("branch").asText())) {
        return true;
      }
    }
    return !compiled.dependencies().isEmpty()
        && compiled.dependencies().stream()
            .allMatch(on -> runs.get(on).state() == StepRun.State.SKIPPED);
  }

  int completed() {
    return completedSteps().size();
  }

  /** The indexes of the completed steps, ascending. */
  List<Integer> completedSteps() {
    return IntStream.range(0, runs.size())
        .filter(step -> runs.get(step).state() == StepRun.State.COMPLETED)
        .boxed()
        .toList();
  }

  /** What the completed steps came to. */
  List<PlanningRequest.Result> results() {
    var results = new ArrayList<PlanningRequest.Result>();
    for (int i = 0; i < runs.size(); i++) {
      var text = runs.get(i).result();
      if (runs.get(i).state() == StepRun.State.COMPLETED && text != null) {
        results.add(new PlanningRequest.Result(i, toolName(i), text));
      }
    }
    return results;
  }

  /** Result text of the last step, by index, that completed. */
  @Nullable String lastResult() {
    for (int i = runs.size() - 1; i >= 0; i--) {
      if (runs.get(i).state() == StepRun.State.COMPLETED) {
        return runs.get(i).result();
      }
    }
    return null;
  }

  /**
   * The arguments of a step with every reference resolved, remembered for later ones.
   *
   * @throws UnresolvedReferenceException when a reference leads to nothing
   */
  ObjectNode resolve(int step) {
    var run = runs.get(step);
    if (run.patched() != null) {
      run.input(Sensitive.unmasked(run.patched(), plain(step)));
    }
    var known = run.input();
    if (known == null) {
      known = plain(step);
      run.input(known);
    }
    return known;
  }

  private ObjectNode plain(int step) {
    return plan.steps().get(step).args().resolve(values(step));
  }

  /** Where the references of a step get their values. */
  TextTemplate.Values values(int step) {
    var share = size.step();
    return reference -> share.pass(value(reference, step));
  }

  /** False when the run holds too much already to keep this result as well. */
  boolean keeps(String result) {
    return size.keeps(result);
  }

  private JsonNode value(Reference reference, int at) {
    return switch (reference.source()) {
      case Source.Input input -> InputBinding.value(reference, inputs);
      case Source.Step(int index, var side) -> value(reference, index, side);
      case Source.Last last -> value(reference, at - 1, Side.RESULT);
      case Source.Node(var id, var side) -> value(reference, plan.target(reference, at), side);
    };
  }

  private JsonNode value(Reference reference, int step, Side side) {
    var output = runs.get(step).output();
    if (output == null) {
      throw new UnresolvedReferenceException(
          reference.root() + reference.path() + " has no value: step " + step + " has no result");
    }
    return side == Side.RESULT
        ? reference.path().in(output, reference.root())
        : input(reference, step);
  }

  private JsonNode input(Reference reference, int step) {
    var args = resolve(step);
    var value = reference.path().in(args, reference.root());
    var shown = reference.path().in(masked(step, args), reference.root());
    if (!shown.equals(value)) {
      throw new UnresolvedReferenceException(
          reference.root() + reference.path() + " is sensitive and can't be read by other steps");
    }
    return value;
  }

  /** The arguments as anybody may see them. */
  ObjectNode masked(int step, ObjectNode args) {
    var tool = tools.get(toolName(step));
    return Sensitive.masked(
        args, tool == null ? MissingNode.getInstance() : tool.spec().inputSchema());
  }

  /**
   * The tool of a step.
   *
   * @throws ToolException when it is gone since the plan was checked
   */
  Tool tool(int step) throws ToolException {
    var tool = tools.get(toolName(step));
    if (tool == null) {
      throw new ToolException("there is no tool " + toolName(step) + " any more");
    }
    return tool;
  }

  private String toolName(int step) {
    return plan.steps().get(step).step().toolName();
  }
}
