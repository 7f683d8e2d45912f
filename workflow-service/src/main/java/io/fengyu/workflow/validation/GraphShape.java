package io.fengyu.workflow.validation;

import com.fasterxml.jackson.databind.JsonNode;
import io.fengyu.workflow.WorkflowProblems;
import org.jspecify.annotations.Nullable;

/** A canvas has lists of nodes and edges, neither of them without end. */
public final class GraphShape {

  private static final int MAX_NODES = 512;
  private static final int MAX_EDGES = 1024;

  private GraphShape() {}

  /** Refuses what is no canvas, or one that is too large. */
  public static void check(JsonNode graph) {
    if (!graph.isObject()) {
      throw WorkflowProblems.graphInvalid("not_an_object");
    }
    list(graph.get("nodes"), "nodes", MAX_NODES);
    list(graph.get("edges"), "edges", MAX_EDGES);
  }

  private static void list(@Nullable JsonNode list, String name, int max) {
    if (list == null) {
      return;
    }
    if (!list.isArray()) {
      throw WorkflowProblems.graphInvalid(name + "_not_a_list");
    }
    if (list.size() > max) {
      throw WorkflowProblems.graphInvalid("too_many_" + name);
    }
  }
}
