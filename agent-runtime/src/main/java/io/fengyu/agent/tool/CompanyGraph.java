package io.fengyu.agent.tool;

import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The graph tools of the company's own servers, which admins have named as such. They are known by
 * name: most need no question, two always do. On any other server these names mean nothing.
 */
public final class CompanyGraph {

  private static final String INTERNAL = "mcp-internal:";

  private static final Set<String> LOOKS =
      Set.of(
          "get_graph_info",
          "search_node",
          "search_edge",
          "shortest_path",
          "degree_analysis",
          "node_centrality",
          "community_detection",
          "infer");

  private static final Set<String> WORKS =
      Set.of(
          "subgraph_extraction",
          "load_constructed_graph",
          "switch_graph_version",
          "train",
          "visualize_subgraph",
          "create_analysis_report");

  private static final Set<String> CONFIRMED = Set.of("clear_graph", "commit_graph_optimization");

  private CompanyGraph() {}

  /** Id of a tool of such a server; nothing a server or its name says makes another id like it. */
  public static String id(String prefix, String tool) {
    return INTERNAL + prefix + ":" + tool;
  }

  /** What a tool of that name does on such a server; null for any other name. */
  public static @Nullable Effect effect(String tool) {
    if (LOOKS.contains(tool)) {
      return Effect.READ;
    }
    return WORKS.contains(tool) ? Effect.WRITE : null;
  }

  /** True when no mode asks about calls of the tool. */
  public static boolean unasked(ToolSpec tool) {
    return effect(own(tool)) != null;
  }

  /** True when a person confirms each call of the tool, unless the mode asks nobody. */
  public static boolean confirmed(ToolSpec tool) {
    return CONFIRMED.contains(own(tool));
  }

  /** The server's own name of the tool; empty for a tool of anything else. */
  private static String own(ToolSpec tool) {
    return "mcp".equals(tool.pluginId()) && tool.id().startsWith(INTERNAL)
        ? tool.id().substring(tool.id().indexOf(':', INTERNAL.length()) + 1)
        : "";
  }
}
