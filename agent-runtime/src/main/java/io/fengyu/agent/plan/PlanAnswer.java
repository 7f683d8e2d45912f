package io.fengyu.agent.plan;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectReader;
import com.fasterxml.jackson.databind.cfg.JsonNodeFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fengyu.contract.plan.PlanReader;
import io.fengyu.contract.plan.PlanReader.ReadPlan;
import io.fengyu.contract.problem.ProblemException;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Finds the plan in what a model wrote: a fence or words around it do no harm. */
final class PlanAnswer {

  private static final int TRIES = 200;

  // Reads one value and leaves what follows it alone.
  private static final ObjectReader READER =
      JsonMapper.builder()
          .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
          .disable(JsonNodeFeature.STRIP_TRAILING_BIGDECIMAL_ZEROES)
          .build()
          .reader();

  private PlanAnswer() {}

  /**
   * The plan, its steps numbered by position.
   *
   * @param tools names that a step may have
   */
  static ReadPlan read(String answer, String goal, Set<String> tools) throws PlanningException {
    if (answer.isBlank()) {
      throw new PlanningException("the model answered nothing");
    }
    var json = object(answer);
    if (json == null) {
      throw new PlanningException("the answer holds no JSON object with steps");
    }
    if (!json.path("goal").isTextual()) {
      json.put("goal", goal);
    }
    var plan = plan(json);
    for (var step : plan.plan().steps()) {
      if (!tools.contains(step.toolName())) {
        throw new PlanningException(
            "step " + step.index() + " names the unknown tool \"" + step.toolName() + "\"");
      }
    }
    return plan;
  }

  /** Null unless the whole answer is a plan that could be carried out. */
  static @Nullable ReadPlan alone(String answer, String goal, Set<String> tools) {
    var text = unfenced(answer.strip());
    if (!text.startsWith("{") || !text.endsWith("}")) {
      return null;
    }
    try {
      var plan = read(text, goal, tools);
      return plan.plan().steps().isEmpty() ? null : plan;
    } catch (PlanningException noPlan) {
      return null;
    }
  }

  private static String unfenced(String text) {
    int first = text.indexOf('\n');
    if (!text.startsWith("```") || !text.endsWith("```") || first < 0 || text.length() < 7) {
      return text;
    }
    return text.substring(first, text.length() - 3).strip();
  }

  private static ReadPlan plan(ObjectNode json) throws PlanningException {
    try {
      return PlanReader.readEdited(json);
    } catch (ProblemException malformed) {
      throw new PlanningException("a step of the answer is not an object");
    }
  }

  /** The first object that has steps; whole objects without any are looked into as well. */
  private static @Nullable ObjectNode object(String answer) {
    int at = answer.indexOf('{');
    for (int tries = 0; at >= 0 && tries < TRIES; tries++) {
      var value = value(answer.substring(at));
      if (value instanceof ObjectNode object && object.path("steps").isArray()) {
        return object;
      }
      at = answer.indexOf('{', at + 1);
    }
    return null;
  }

  private static @Nullable JsonNode value(String text) {
    try {
      return READER.readTree(text);
    } catch (JsonProcessingException noJson) {
      return null;
    }
  }
}
