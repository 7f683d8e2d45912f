package io.fengyu.contract.plan;

import com.fasterxml.jackson.annotation.JsonValue;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One step of a plan.
 *
 * @param index position in the plan, from 0
 * @param id what {@code {{node.<id>...}}} addresses; {@code step-<index>} when absent
 * @param toolName name in the tool catalog
 * @param args arguments, which may hold references and {@code @file:} placeholders
 * @param description for people; never scanned for references
 * @param requiresApproval pauses before this step in every mode but full access
 * @param dependsOn indexes of earlier steps, besides those that references name
 * @param pinnedResult served as the result without calling the tool; null when not pinned
 * @param retryPolicy null for a single attempt
 * @param runWhen conditions that all must hold; empty for always
 * @param other unknown fields, kept as they came
 */
public record AgentStep(
    int index,
    @Nullable String id,
    String toolName,
    ObjectNode args,
    @Nullable String description,
    boolean requiresApproval,
    List<Integer> dependsOn,
    @Nullable String pinnedResult,
    @Nullable RetryPolicy retryPolicy,
    List<RunWhen> runWhen,
    Map<String, JsonNode> other) {

  /**
   * How often and how patiently a step is tried.
   *
   * @param maxAttempts 1 to 5, the first one included
   * @param backoffMs 0 to 30000; doubles with every further attempt, capped at 30000
   */
  public record RetryPolicy(int maxAttempts, int backoffMs) {}

  /**
   * Holds when the JSON result of an earlier step has this {@code branch}.
   *
   * @param step index of the earlier step
   */
  public record RunWhen(int step, String equals) {}

  /** The step as it appears on the wire; a new tree each time. */
  @JsonValue
  public ObjectNode toJson() {
    return PlanWriter.write(this);
  }

  /** The node id in force. */
  public String nodeId() {
    return id == null ? "step-" + index : id;
  }
}
