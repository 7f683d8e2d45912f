package io.fengyu.workflow.compile;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fengyu.workflow.json.ExactJson;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;

/** A canvas that compiles, drawn by chance: close and equal places, branches, notes, references. */
final class RandomCanvas {

  private final Random random;
  private final List<JsonNode> nodes = new ArrayList<>();
  private final List<JsonNode> edges = new ArrayList<>();
  private final List<String> ids = new ArrayList<>();

  RandomCanvas(long seed) {
    random = new Random(seed);
    int count = 1 + random.nextInt(random.nextInt(8) == 0 ? 64 : 14);
    for (int i = 0; i < count; i++) {
      tool(i);
    }
    nodes.add(ExactJson.object().put("id", "start_1").put("type", "start"));
    nodes.add(ExactJson.object().put("id", "note_1").put("type", "note"));
    edges.add(edge("start_1", ids.getFirst()));
    edges.add(edge("ghost", ids.getFirst()));
  }

  /** The same canvas each time, with its lists in another order for another seed. */
  ObjectNode graph(long shuffle) {
    var graph = ExactJson.object();
    graph.putArray("nodes").addAll(shuffled(nodes, shuffle));
    graph.putArray("edges").addAll(shuffled(edges, shuffle));
    return graph;
  }

  // Sources are always drawn before, and stand further left, so there is no cycle and every
  // reference leads to an earlier step.
  private void tool(int i) {
    var id = "n" + random.nextInt(3) + "_" + i;
    var data =
        ExactJson.object()
            .put("toolName", "tool_" + random.nextInt(3))
            .put("description", "step " + i)
            .put("requiresApproval", random.nextBoolean());
    var args = ExactJson.object().put("plain", i);
    for (int source = 0; source < i; source++) {
      if (random.nextInt(4) == 0) {
        edges.add(edge(ids.get(source), id));
        args.put("from" + source, "x {{node." + ids.get(source) + ".result.a[0].b}}");
        args.putArray("list").add("{{ node." + ids.get(source) + ".input.plain }}");
      }
      if (random.nextInt(8) == 0) {
        edges.add(edge(ids.get(source), id).put("sourceHandle", random.nextBoolean() + ""));
      }
    }
    data.put("argsText", args.toString());
    if (random.nextInt(4) == 0) {
      var retry = data.putObject("retryPolicy").put("maxAttempts", 1 + random.nextInt(5));
      if (random.nextBoolean()) {
        retry.put("backoffMs", random.nextInt(30_001));
      }
    }
    if (random.nextInt(4) == 0) {
      data.put("pinnedOutput", "{\"pinned\":" + i + "}");
    } else if (random.nextInt(4) == 0) {
      data.putObject("pinnedOutput").put("pinned", random.nextDouble());
    }
    var node = ExactJson.object().put("id", id).put("type", "tool");
    node.putObject("position")
        .put("x", random.nextInt(3) + random.nextDouble() / 2)
        .put("y", random.nextInt(2));
    node.set("data", data);
    nodes.add(node);
    ids.add(id);
  }

  private static ObjectNode edge(String source, String target) {
    return ExactJson.object().put("source", source).put("target", target);
  }

  private static List<JsonNode> shuffled(List<JsonNode> list, long seed) {
    var copy = new ArrayList<>(list);
    Collections.shuffle(copy, new Random(seed));
    return copy;
  }
}
