package io.fengyu.workflow.compile;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a canvas becomes.
 *
 * @param layout where each step stood, by step index, rounded
 * @param orderedIds ids of the nodes, by step index
 * @param inputSchema what the fields of a Start node declare; null when it has none
 */
public record Compiled(
    ObjectNode plan,
    ObjectNode layout,
    List<String> orderedIds,
    @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable ObjectNode inputSchema) {}
