package io.fengyu.contract.plan;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fengyu.contract.plan.AgentStep.RetryPolicy;
import io.fengyu.contract.plan.AgentStep.RunWhen;
import io.fengyu.contract.problem.Problem;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Reads a plan from JSON. What is no plan at all is refused with 400 {@code PLAN_MALFORMED}; a
 * field of a wrong type is noted as a problem and read as absent, so that a plan with mistakes can
 * still be shown, and refused by whoever wants to run it.
 */
public final class PlanReader {

  private static final Set<String> PLAN_FIELDS = Set.of("goal", "reasoning", "steps");
  private static final Set<String> STEP_FIELDS =
      Set.of(
          "index",
          "id",
          "toolName",
          "args",
          "description",
          "requiresApproval",
          "dependsOn",
          "pinnedResult",
          "retryPolicy",
          "runWhen");

  private final List<PlanProblem> problems = new ArrayList<>();
  private final List<Integer> indexes = new ArrayList<>();

  private PlanReader() {}

  /**
   * A plan and what was wrong with its fields.
   *
   * @param indexes the {@code index} values as they came, by array position; -1 where absent
   */
  public record ReadPlan(AgentPlan plan, List<PlanProblem> problems, List<Integer> indexes) {}

  /** Reads a plan whose steps are in index order; an index that says otherwise is a problem. */
  public static ReadPlan read(@Nullable JsonNode json) {
    var reader = new PlanReader();
    var plan = reader.plan(json);
    reader.checkIndexes();
    return new ReadPlan(plan, List.copyOf(reader.problems), List.copyOf(reader.indexes));
  }

  /** Reads a plan by array order alone; the indexes that came are reported, not judged. */
  public static ReadPlan readEdited(@Nullable JsonNode json) {
    var reader = new PlanReader();
    var plan = reader.plan(json);
    return new ReadPlan(plan, List.copyOf(reader.problems), List.copyOf(reader.indexes));
  }

  private AgentPlan plan(@Nullable JsonNode json) {
    if (json == null || !json.isObject()) {
      throw malformed("plan is not an object");
    }
    var steps = json.get("steps");
    if (steps == null || !steps.isArray()) {
      throw malformed("steps is not an array");
    }
    return new AgentPlan(
        text(json, "goal", null), text(json, "reasoning", null), steps(steps), rest(json, true));
  }

  private List<AgentStep> steps(JsonNode array) {
    var steps = new ArrayList<AgentStep>(array.size());
    for (var step : array) {
      if (!step.isObject()) {
        throw malformed("step " + steps.size() + " is not an object");
      }
      steps.add(step((ObjectNode) step, steps.size()));
    }
    return List.copyOf(steps);
  }

  private AgentStep step(ObjectNode json, int at) {
    indexes.add(index(json, at));
    var tool = text(json, "toolName", at);
    return new AgentStep(
        at,
        text(json, "id", at),
        tool == null ? "" : tool,
        args(json, at),
        text(json, "description", at),
        flag(json, at),
        dependsOn(json, at),
        pinned(json.path("pinnedResult")),
        retry(json, at),
        runWhen(json, at),
        rest(json, false));
  }

  private int index(JsonNode json, int at) {
    var value = json.path("index");
    if (absent(value)) {
      return -1;
    }
    if (!value.isIntegralNumber() || !value.canConvertToInt() || value.intValue() < 0) {
      wrongType(at, "index", "a whole number from 0");
      return -1;
    }
    return value.intValue();
  }

  private void checkIndexes() {
    if (indexes.stream().allMatch(i -> i == -1)) {
      return;
    }
    for (int at = 0; at < indexes.size(); at++) {
      if (indexes.get(at) != at) {
        problems.add(
            PlanProblem.of(
                at,
                "STEP_INDEX",
                "index must be " + at + ", steps are numbered from 0 without gaps",
                "expected",
                at,
                "actual",
                indexes.get(at)));
      }
    }
  }

  private ObjectNode args(JsonNode json, int at) {
    var value = json.path("args");
    if (absent(value)) {
      return JsonNodeFactory.instance.objectNode();
    }
    if (value instanceof ObjectNode args) {
      return args;
    }
    wrongType(at, "args", "an object");
    return JsonNodeFactory.instance.objectNode();
  }

  private boolean flag(JsonNode json, int at) {
    var value = json.path("requiresApproval");
    if (!absent(value) && !value.isBoolean()) {
      wrongType(at, "requiresApproval", "true or false");
    }
    return value.asBoolean(false);
  }

  private List<Integer> dependsOn(JsonNode json, int at) {
    var value = json.path("dependsOn");
    if (absent(value)) {
      return List.of();
    }
    if (!value.isArray()) {
      wrongType(at, "dependsOn", "an array of step indexes");
      return List.of();
    }
    var indexes = new ArrayList<Integer>(value.size());
    for (var entry : value) {
      if (entry.isIntegralNumber() && entry.canConvertToInt()) {
        indexes.add(entry.intValue());
      } else {
        wrongType(at, "dependsOn", "an array of step indexes");
      }
    }
    return List.copyOf(indexes);
  }

  private @Nullable RetryPolicy retry(JsonNode json, int at) {
    var value = json.path("retryPolicy");
    if (absent(value)) {
      return null;
    }
    if (!value.isObject()) {
      wrongType(at, "retryPolicy", "an object");
      return null;
    }
    return new RetryPolicy(whole(value, "maxAttempts", 1, at), whole(value, "backoffMs", 0, at));
  }

  private int whole(JsonNode json, String field, int otherwise, int at) {
    var value = json.path(field);
    if (absent(value)) {
      return otherwise;
    }
    if (value.isIntegralNumber() && value.canConvertToInt()) {
      return value.intValue();
    }
    wrongType(at, "retryPolicy." + field, "a whole number");
    return otherwise;
  }

  private List<RunWhen> runWhen(JsonNode json, int at) {
    var value = json.path("runWhen");
    if (absent(value)) {
      return List.of();
    }
    if (!value.isArray()) {
      wrongType(at, "runWhen", "an array");
      return List.of();
    }
    var conditions = new ArrayList<RunWhen>(value.size());
    for (var entry : value) {
      var step = entry.get("step");
      var equals = entry.get("equals");
      if (step != null && step.canConvertToInt() && equals != null && equals.isValueNode()) {
        conditions.add(new RunWhen(step.intValue(), equals.asText()));
      } else {
        wrongType(at, "runWhen", "an array of {step, equals}");
      }
    }
    return List.copyOf(conditions);
  }

  private static @Nullable String pinned(JsonNode value) {
    if (absent(value)) {
      return null;
    }
    return value.isTextual() ? value.textValue() : value.toString();
  }

  private @Nullable String text(JsonNode json, String field, @Nullable Integer step) {
    var value = json.path(field);
    if (absent(value)) {
      return null;
    }
    if (value.isTextual()) {
      return value.textValue();
    }
    wrongType(step, field, "a string");
    return null;
  }

  private static Map<String, JsonNode> rest(JsonNode json, boolean plan) {
    var known = plan ? PLAN_FIELDS : STEP_FIELDS;
    var rest = new LinkedHashMap<String, JsonNode>();
    for (var field : json.properties()) {
      if (!known.contains(field.getKey())) {
        rest.put(field.getKey(), field.getValue());
      }
    }
    return rest.isEmpty() ? Map.of() : Collections.unmodifiableMap(rest);
  }

  private void wrongType(@Nullable Integer step, String field, String expected) {
    problems.add(
        PlanProblem.of(
            step,
            "FIELD_TYPE",
            field + " must be " + expected,
            "field",
            field,
            "expected",
            expected));
  }

  private static boolean absent(JsonNode value) {
    return value.isMissingNode() || value.isNull();
  }

  private static RuntimeException malformed(String reason) {
    return Problem.of(400, "PLAN_MALFORMED").with("reason", reason).asFailure();
  }
}
