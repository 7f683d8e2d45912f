package io.fengyu.workflow.validation;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import io.fengyu.workflow.WorkflowProblems;
import io.fengyu.workflow.json.ExactJson;
import java.io.IOException;

/**
 * A canvas has lists of nodes and edges, neither of them without end. Read as a stream, because a
 * canvas may be the largest part of a body and is stored without being understood.
 */
final class GraphShape {

  private static final int MAX_NODES = 512;
  private static final int MAX_EDGES = 1024;

  private GraphShape() {}

  /** Refuses what is no canvas, or one that is too large. */
  static void check(String graph) {
    try (var parser = ExactJson.parser(graph)) {
      if (parser.nextToken() != JsonToken.START_OBJECT) {
        throw WorkflowProblems.graphInvalid("not_an_object");
      }
      for (var name = parser.nextFieldName(); name != null; name = parser.nextFieldName()) {
        parser.nextToken();
        member(name, parser);
      }
    } catch (IOException malformed) {
      throw WorkflowProblems.malformedJson();
    }
  }

  private static void member(String name, JsonParser parser) throws IOException {
    switch (name) {
      case "nodes" -> list(name, MAX_NODES, parser);
      case "edges" -> list(name, MAX_EDGES, parser);
      default -> parser.skipChildren();
    }
  }

  private static void list(String name, int max, JsonParser parser) throws IOException {
    if (parser.currentToken() != JsonToken.START_ARRAY) {
      throw WorkflowProblems.graphInvalid(name + "_not_a_list");
    }
    int elements = 0;
    while (parser.nextToken() != JsonToken.END_ARRAY) {
      parser.skipChildren();
      elements++;
    }
    if (elements > max) {
      throw WorkflowProblems.graphInvalid("too_many_" + name);
    }
  }
}
