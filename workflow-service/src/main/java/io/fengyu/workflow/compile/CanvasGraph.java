package io.fengyu.workflow.compile;

import com.fasterxml.jackson.databind.JsonNode;
import io.fengyu.workflow.WorkflowProblems;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Set;

/** The part of a canvas that runs: tool nodes and the edges between them. */
final class CanvasGraph {

  private final Map<String, CanvasNode> nodes;
  private final List<CanvasEdge> edges;

  private CanvasGraph(Map<String, CanvasNode> nodes, List<CanvasEdge> edges) {
    this.nodes = nodes;
    this.edges = edges;
  }

  /** Leaves out everything that does not run, and edges that lead nowhere. */
  static CanvasGraph of(JsonNode graph) {
    var nodes = new LinkedHashMap<String, CanvasNode>();
    for (var json : graph.path("nodes")) {
      if (CanvasNode.isTool(json)) {
        var node = CanvasNode.of(json);
        if (nodes.putIfAbsent(node.id(), node) != null) {
          throw WorkflowProblems.nodeInvalid("node_id_duplicate", node.id());
        }
      }
    }
    return new CanvasGraph(nodes, edges(graph, nodes.keySet()));
  }

  /** Edges that end at a node. */
  List<CanvasEdge> into(CanvasNode node) {
    return edges.stream().filter(edge -> edge.target().equals(node.id())).toList();
  }

  /**
   * Every node after the ones it depends on; the leftmost first among those that are ready,
   * including the ones that have just become so.
   */
  List<CanvasNode> inOrder() {
    var order = sorted(true);
    if (order.size() < nodes.size()) {
      throw WorkflowProblems.graphCycle(cyclic(order));
    }
    return order;
  }

  /** Stops where nodes wait for each other. */
  private List<CanvasNode> sorted(boolean forwards) {
    var waitsFor = waitsFor(forwards);
    var ready = new PriorityQueue<>(CanvasNode.LEFT_TO_RIGHT);
    nodes.values().stream().filter(node -> waits(waitsFor, node).isEmpty()).forEach(ready::add);
    var order = new ArrayList<CanvasNode>(nodes.size());
    for (var next = ready.poll(); next != null; next = ready.poll()) {
      order.add(next);
      ready.addAll(released(waitsFor, next));
    }
    return order;
  }

  private List<CanvasNode> released(Map<String, Set<String>> waitsFor, CanvasNode done) {
    var released = new ArrayList<CanvasNode>();
    for (var node : nodes.values()) {
      var waits = waits(waitsFor, node);
      if (waits.remove(done.id()) && waits.isEmpty()) {
        released.add(node);
      }
    }
    return released;
  }

  private Map<String, Set<String>> waitsFor(boolean forwards) {
    var waitsFor = new HashMap<String, Set<String>>();
    nodes.keySet().forEach(id -> waitsFor.put(id, new HashSet<>()));
    for (var edge : edges) {
      var waiting = forwards ? edge.target() : edge.source();
      waitsFor.getOrDefault(waiting, new HashSet<>()).add(forwards ? edge.source() : edge.target());
    }
    return waitsFor;
  }

  private static Set<String> waits(Map<String, Set<String>> waitsFor, CanvasNode node) {
    return waitsFor.getOrDefault(node.id(), new HashSet<>());
  }

  /** What neither starts before the cycles nor comes after them. */
  private List<String> cyclic(List<CanvasNode> before) {
    var left = new ArrayList<>(nodes.keySet());
    before.forEach(node -> left.remove(node.id()));
    sorted(false).forEach(node -> left.remove(node.id()));
    return List.copyOf(left);
  }

  private static List<CanvasEdge> edges(JsonNode graph, Set<String> ids) {
    var edges = new LinkedHashSet<CanvasEdge>();
    for (var json : graph.path("edges")) {
      var edge = CanvasEdge.of(json);
      if (ids.contains(edge.source()) && ids.contains(edge.target())) {
        edges.add(edge);
      }
    }
    return List.copyOf(edges);
  }
}
