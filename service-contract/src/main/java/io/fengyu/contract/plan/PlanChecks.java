package io.fengyu.contract.plan;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fengyu.contract.plan.Reference.Side;
import io.fengyu.contract.plan.Reference.Source;
import io.fengyu.contract.plan.ValuePath.Part;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The rules a plan must keep before any of its tools is called; the same for plans that a model, a
 * caller or an editing reviewer made.
 */
public final class PlanChecks {

  /** Most steps of a plan that runs; saved definitions allow fewer. */
  public static final int MAX_STEPS = 200;

  private final CompiledPlan compiled;
  private final List<PlanProblem> problems = new ArrayList<>();

  private PlanChecks(CompiledPlan compiled) {
    this.compiled = compiled;
  }

  /** Numbers, ids, dependencies, references and retries; needs no tool catalog. */
  public static List<PlanProblem> structure(CompiledPlan compiled, int maxSteps) {
    var checks = new PlanChecks(compiled);
    checks.size(maxSteps);
    checks.nodeIds();
    compiled.steps().forEach(checks::structure);
    return checks.problems;
  }

  /**
   * Tools exist, retries and reading-only are respected, and references into results that a tool
   * declares in full name fields it has.
   *
   * @param tools null for an unknown tool
   */
  public static List<PlanProblem> tools(
      CompiledPlan compiled, Function<String, @Nullable ToolFacts> tools, boolean readOnly) {
    var checks = new PlanChecks(compiled);
    compiled.steps().forEach(step -> checks.tool(step, tools, readOnly));
    return checks.problems;
  }

  /** Every input that the goal or an argument uses has a value. */
  public static List<PlanProblem> inputs(
      CompiledPlan compiled, @Nullable String goal, ObjectNode inputs) {
    var checks = new PlanChecks(compiled);
    if (goal != null) {
      TextTemplate.parse(goal).references().forEach(ref -> checks.input(null, ref, inputs));
    }
    for (var step : compiled.steps()) {
      step.args().references().forEach(ref -> checks.input(step.step().index(), ref, inputs));
    }
    return checks.problems;
  }

  private void size(int maxSteps) {
    int steps = compiled.steps().size();
    if (steps > maxSteps) {
      add(
          null,
          "STEPS_TOO_MANY",
          "the plan has " + steps + " steps, at most " + maxSteps + " are allowed",
          "steps",
          steps,
          "max",
          maxSteps);
    }
  }

  private void nodeIds() {
    var seen = new HashSet<String>();
    for (var step : compiled.plan().steps()) {
      if (!seen.add(step.nodeId())) {
        add(
            step.index(),
            "NODE_ID_DUPLICATE",
            "node id " + step.nodeId() + " is taken",
            "id",
            step.nodeId());
      }
    }
  }

  private void structure(CompiledPlan.Step compiledStep) {
    var step = compiledStep.step();
    if (step.toolName().isBlank()) {
      add(step.index(), "TOOL_MISSING", "toolName is missing");
    }
    step.dependsOn().forEach(on -> dependency(step, on));
    step.runWhen().forEach(condition -> condition(step, condition.step()));
    retryBounds(step);
    compiledStep.args().malformed().forEach(text -> malformed(step, text));
    compiledStep.args().references().forEach(reference -> reference(step, reference));
  }

  private void dependency(AgentStep step, int on) {
    if (on < 0 || on >= step.index()) {
      add(
          step.index(),
          "DEPENDENCY_INVALID",
          "dependsOn " + on + " is not an earlier step",
          "dependsOn",
          on);
    }
  }

  private void condition(AgentStep step, int on) {
    if (on < 0 || on >= step.index()) {
      add(
          step.index(),
          "CONDITION_INVALID",
          "runWhen names step " + on + ", which is not an earlier one",
          "step",
          on);
    }
  }

  private void retryBounds(AgentStep step) {
    var retry = step.retryPolicy();
    if (retry == null) {
      return;
    }
    if (retry.maxAttempts() < 1 || retry.maxAttempts() > 5) {
      add(
          step.index(),
          "RETRY_ATTEMPTS",
          "maxAttempts must be 1 to 5",
          "maxAttempts",
          retry.maxAttempts());
    }
    if (retry.backoffMs() < 0 || retry.backoffMs() > 30_000) {
      add(
          step.index(),
          "RETRY_BACKOFF",
          "backoffMs must be 0 to 30000",
          "backoffMs",
          retry.backoffMs());
    }
  }

  private void malformed(AgentStep step, String text) {
    var shown = text.length() > 80 ? text.substring(0, 80) + "…" : text;
    add(step.index(), "REFERENCE_MALFORMED", shown + " is no valid reference", "reference", shown);
  }

  private void reference(AgentStep step, Reference reference) {
    int target = compiled.target(reference, step.index());
    switch (reference.source()) {
      case Source.Input input -> {}
      case Source.Last last when step.index() == 0 ->
          add(
              0,
              "REFERENCE_LAST_FIRST",
              "the first step has no step before it, so " + reference + " means nothing",
              "reference",
              reference.toString());
      case Source.Node node when target < 0 ->
          add(
              step.index(),
              "REFERENCE_NODE_UNKNOWN",
              reference + " names no node of the plan",
              "reference",
              reference.toString(),
              "id",
              node.id());
      default -> {
        if (target >= step.index()) {
          add(
              step.index(),
              "REFERENCE_FORWARD",
              reference + " does not name an earlier step",
              "reference",
              reference.toString());
        }
      }
    }
  }

  private void tool(
      CompiledPlan.Step compiledStep,
      Function<String, @Nullable ToolFacts> tools,
      boolean readOnly) {
    var step = compiledStep.step();
    var facts = tools.apply(step.toolName());
    if (facts == null) {
      if (!step.toolName().isBlank()) {
        add(
            step.index(),
            "TOOL_UNKNOWN",
            "there is no tool " + step.toolName(),
            "tool",
            step.toolName());
      }
    } else {
      retrySafe(step, facts);
      readOnly(step, facts, readOnly);
    }
    compiledStep.args().references().forEach(reference -> resultPath(step, reference, tools));
  }

  private void retrySafe(AgentStep step, ToolFacts facts) {
    var retry = step.retryPolicy();
    if (retry != null && retry.maxAttempts() > 1 && !facts.retrySafe()) {
      add(
          step.index(),
          "NOT_RETRY_SAFE",
          "tool " + step.toolName() + " is not retry-safe, so it can have one attempt only",
          "tool",
          step.toolName());
    }
  }

  private void readOnly(AgentStep step, ToolFacts facts, boolean readOnly) {
    if (readOnly && !facts.read()) {
      add(
          step.index(),
          "NOT_READ_ONLY",
          "tool " + step.toolName() + " does more than read, and the run is read-only",
          "tool",
          step.toolName());
    }
  }

  private void resultPath(
      AgentStep step, Reference reference, Function<String, @Nullable ToolFacts> tools) {
    int target = compiled.target(reference, step.index());
    if (target < 0 || target >= step.index() || !ofResult(reference)) {
      return;
    }
    var source = compiled.steps().get(target).step();
    var facts = source.pinnedResult() == null ? tools.apply(source.toolName()) : null;
    if (facts != null
        && facts.outputSchema() != null
        && excludes(facts.outputSchema(), reference.path())) {
      add(
          step.index(),
          "RESULT_PATH_UNKNOWN",
          reference + " names a field that tool " + source.toolName() + " does not return",
          "reference",
          reference.toString(),
          "tool",
          source.toolName());
    }
  }

  private static boolean ofResult(Reference reference) {
    return switch (reference.source()) {
      case Source.Step step -> step.side() == Side.RESULT;
      case Source.Node node -> node.side() == Side.RESULT;
      case Source.Last last -> true;
      case Source.Input input -> false;
    };
  }

  /** True when the schema says for certain that nothing can be at that path. */
  private static boolean excludes(JsonNode schema, ValuePath path) {
    JsonNode at = schema;
    for (var part : path.parts()) {
      var next =
          switch (part) {
            case Part.Key key -> at.path("properties").get(key.name());
            case Part.Index index -> at.get("items");
          };
      if (next == null) {
        return part instanceof Part.Key && closed(at);
      }
      at = next;
    }
    return false;
  }

  private static boolean closed(JsonNode schema) {
    var additional = schema.get("additionalProperties");
    return additional != null
        && additional.isBoolean()
        && !additional.booleanValue()
        && !schema.has("patternProperties");
  }

  private void input(@Nullable Integer step, Reference reference, ObjectNode inputs) {
    if (reference.source() instanceof Source.Input input
        && !InputBinding.bound(reference, inputs)) {
      add(
          step,
          "INPUT_UNBOUND",
          reference + " has no value",
          "reference",
          reference.toString(),
          "name",
          input.name());
    }
  }

  private void add(@Nullable Integer step, String code, String message, Object... params) {
    problems.add(PlanProblem.of(step, code, message, params));
  }
}
