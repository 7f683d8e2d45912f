package io.fengyu.contract.plan;

import com.fasterxml.jackson.databind.JsonNode;
import org.jspecify.annotations.Nullable;

/**
 * What the checks of a plan need to know of a tool.
 *
 * @param read true when it only observes
 * @param retrySafe true when a failed attempt may be repeated
 * @param outputSchema JSON Schema of its result; null when undeclared
 */
public record ToolFacts(boolean read, boolean retrySafe, @Nullable JsonNode outputSchema) {}
