package io.fengyu.workflow.authoring;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Which nodes of a canvas come before which, along its edges. */
final class Ways {

  private final Map<String, Set<String>> sources = new HashMap<>();
  private final Map<String, Set<String>> before = new HashMap<>();
  private final Map<String, Integer> depths = new HashMap<>();

  private Ways(Collection<String> ids) {
    ids.forEach(id -> sources.put(id, new LinkedHashSet<>()));
  }

  /** Edges that lead nowhere are left out. */
  static Ways of(Collection<String> ids, JsonNode edges) {
    var ways = new Ways(ids);
    for (var edge : edges) {
      var source = edge.path("source").asText("");
      var into = ways.sources.get(edge.path("target").asText(""));
      if (into != null && ways.sources.containsKey(source)) {
        into.add(source);
      }
    }
    ids.forEach(id -> ways.before.put(id, ways.reach(id)));
    return ways;
  }

  /** True when a way leads from one node to the other. */
  boolean lead(String from, String to) {
    return before.getOrDefault(to, Set.of()).contains(from);
  }

  /** Nodes that wait for themselves. */
  List<String> circular(Collection<String> ids) {
    return ids.stream().distinct().filter(id -> lead(id, id)).toList();
  }

  /** How many nodes are on the longest way to this one; the canvas must hold no circle. */
  int depth(String id) {
    var known = depths.get(id);
    if (known != null) {
      return known;
    }
    int depth = 0;
    for (var source : sources.getOrDefault(id, Set.of())) {
      depth = Math.max(depth, depth(source) + 1);
    }
    depths.put(id, depth);
    return depth;
  }

  private Set<String> reach(String id) {
    var reached = new HashSet<String>();
    var open = new ArrayDeque<>(sources.getOrDefault(id, Set.of()));
    while (!open.isEmpty()) {
      var next = open.pop();
      if (reached.add(next)) {
        open.addAll(sources.getOrDefault(next, Set.of()));
      }
    }
    return reached;
  }
}
