package io.fengyu.workflow.compile;

import com.fasterxml.jackson.databind.JsonNode;
import org.jspecify.annotations.Nullable;

/**
 * A line between two nodes that become steps.
 *
 * @param handle the branch of the source that leads on; null when any outcome does
 */
record CanvasEdge(String source, String target, @Nullable String handle) {

  static CanvasEdge of(JsonNode edge) {
    var handle = edge.path("sourceHandle").asText("");
    return new CanvasEdge(
        edge.path("source").asText(""),
        edge.path("target").asText(""),
        handle.isEmpty() || edge.path("sourceHandle").isNull() ? null : handle);
  }
}
