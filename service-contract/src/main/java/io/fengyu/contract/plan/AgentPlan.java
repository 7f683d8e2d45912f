package io.fengyu.contract.plan;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What a run executes. Read by {@link PlanReader}, which is forgiving, and checked by {@link
 * PlanChecks}, which is not.
 *
 * @param goal may hold {@code {{inputs.*}}} references
 * @param steps in index order
 * @param other unknown fields, kept as they came
 */
public record AgentPlan(
    @Nullable String goal,
    @Nullable String reasoning,
    List<AgentStep> steps,
    Map<String, JsonNode> other) {

  /** The plan as it appears on the wire; a new tree each time. */
  @JsonValue
  public ObjectNode toJson() {
    return PlanWriter.write(this);
  }

  /** Reads a plan inside a body; fields of a wrong type are read as absent. */
  @JsonCreator(mode = JsonCreator.Mode.DELEGATING)
  static AgentPlan of(JsonNode json) {
    return PlanReader.read(json).plan();
  }
}
