package io.fengyu.contract.plan;

import com.fasterxml.jackson.annotation.JsonAnyGetter;
import com.fasterxml.jackson.annotation.JsonAnySetter;
import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What a run executes.
 *
 * @param goal may hold {@code {{inputs.*}}} references
 * @param steps in index order
 * @param other unknown fields, kept as they came
 */
public record AgentPlan(
    @Nullable String goal,
    @Nullable String reasoning,
    List<AgentStep> steps,
    @JsonAnySetter @JsonAnyGetter Map<String, JsonNode> other) {}
