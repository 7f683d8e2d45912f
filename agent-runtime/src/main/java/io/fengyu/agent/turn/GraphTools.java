package io.fengyu.agent.turn;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fengyu.agent.tool.ToolSpec;
import io.fengyu.agent.tool.ToolSpec.Resources;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What the graph tools of an MCP server touch, known by their names when they don't say. */
final class GraphTools {

  private static final String MCP = "mcp";
  private static final String DATASET = "dataset:{dataset_id}";
  private static final Resources LOOKS = new Resources(List.of("graph"), List.of());
  private static final Resources LOADS = new Resources(List.of(DATASET), List.of("graph"));
  private static final Resources DRAWS = new Resources(List.of("graph"), List.of("document"));

  private static final Map<String, Resources> TABLE =
      Map.ofEntries(
          Map.entry("get_graph_info", LOOKS),
          Map.entry("search_node", LOOKS),
          Map.entry("search_edge", LOOKS),
          Map.entry("shortest_path", LOOKS),
          Map.entry("degree_analysis", LOOKS),
          Map.entry("node_centrality", LOOKS),
          Map.entry("community_detection", LOOKS),
          Map.entry("subgraph_extraction", new Resources(List.of("graph"), List.of("graph"))),
          Map.entry("load_constructed_graph", LOADS),
          Map.entry("switch_graph_version", LOADS),
          Map.entry("clear_graph", new Resources(List.of(), List.of("graph"))),
          Map.entry("commit_graph_optimization", new Resources(List.of("graph"), List.of(DATASET))),
          Map.entry("train", new Resources(List.of("graph"), List.of("model"))),
          Map.entry("infer", new Resources(List.of("graph", "model"), List.of())),
          Map.entry("visualize_subgraph", DRAWS),
          Map.entry("create_analysis_report", DRAWS),
          Map.entry("set_session_config", new Resources(List.of(), List.of("config"))));

  private GraphTools() {}

  /** Null for every other tool. */
  static @Nullable Resources resources(ToolSpec tool, ObjectNode args) {
    if (!MCP.equals(tool.pluginId())) {
      return null;
    }
    int prefix = tool.name().indexOf("__");
    var name = prefix < 0 ? tool.name() : tool.name().substring(prefix + 2);
    if (name.equals("subgraph_extraction") && versionless(args)) {
      return LOOKS;
    }
    return TABLE.get(name);
  }

  private static boolean versionless(ObjectNode args) {
    var wanted = args.path("create_version");
    return wanted.isBoolean() && !wanted.booleanValue();
  }
}
