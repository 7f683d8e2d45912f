package io.fengyu.workflow.compile;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;

/**
 * What a canvas becomes.
 *
 * @param layout where each step stood, by step index, rounded
 * @param orderedIds ids of the nodes, by step index
 */
public record Compiled(ObjectNode plan, ObjectNode layout, List<String> orderedIds) {}
