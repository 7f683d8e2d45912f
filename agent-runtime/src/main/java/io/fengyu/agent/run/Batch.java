package io.fengyu.agent.run;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Turns the body of a batch into the bodies of its starts. */
final class Batch {

  private static final int MAX = 8;

  private Batch() {}

  /**
   * One body for each goal that is not blank.
   *
   * @throws io.fengyu.contract.problem.ProblemException 400 when there are none or too many
   */
  static List<ObjectNode> bodies(@Nullable JsonNode body) {
    if (!(body instanceof ObjectNode batch)) {
      throw RunRefusals.body("", "an object");
    }
    var goals = goals(batch.path("goals"));
    var config = config(batch);
    return goals.stream().map(goal -> start(goal, config)).toList();
  }

  private static ObjectNode start(String goal, ObjectNode config) {
    var start = JsonNodeFactory.instance.objectNode().put("goal", goal);
    start.set("config", config);
    return start;
  }

  private static List<String> goals(JsonNode value) {
    if (!value.isArray()) {
      throw RunRefusals.body("goals", "an array of strings");
    }
    var goals = new ArrayList<String>();
    for (var goal : value) {
      if (!goal.isTextual()) {
        throw RunRefusals.body("goals", "an array of strings");
      }
      if (!goal.textValue().isBlank()) {
        goals.add(goal.textValue());
      }
    }
    if (goals.isEmpty() || goals.size() > MAX) {
      throw RunRefusals.batchSize(MAX);
    }
    return goals;
  }

  /** A batch that only reads needs nobody's approval unless it asks for it. */
  private static ObjectNode config(ObjectNode batch) {
    var given = batch.path("config");
    if (!Json.absent(given) && !given.isObject()) {
      throw RunRefusals.config("config", "an object");
    }
    var config = JsonNodeFactory.instance.objectNode();
    if (given instanceof ObjectNode object) {
      config.setAll(object);
    }
    var mode = Json.first(batch.path("capabilityMode"), config.path("capabilityMode"));
    if (!Json.absent(mode)) {
      config.set("capabilityMode", mode);
    }
    if (mode.asText().equals("read-only") && Json.absent(config.path("requirePlanApproval"))) {
      config.put("requirePlanApproval", false);
    }
    return config;
  }
}
