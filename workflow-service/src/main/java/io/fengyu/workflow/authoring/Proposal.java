package io.fengyu.workflow.authoring;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fengyu.contract.plan.ArgsTemplate;
import io.fengyu.contract.plan.Reference;
import io.fengyu.contract.plan.Reference.Source;
import io.fengyu.contract.plan.TextTemplate;
import io.fengyu.workflow.json.ExactJson;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * A canvas that is proposed in the place of the one that is open. Notes stay, and nodes that stay
 * what they are keep everything the proposal does not name. Nothing is stored.
 */
final class Proposal {

  private static final Pattern ID = Pattern.compile("[A-Za-z][A-Za-z0-9_-]{0,63}");
  private static final String START = "start";
  private static final int MAX = 64;
  private static final int COLUMN = 340;
  private static final int ROW = 160;

  private final ObjectNode wish;
  private final Map<String, JsonNode> tools;
  private final Map<String, JsonNode> open = new LinkedHashMap<>();
  private final Map<String, JsonNode> proposed = new LinkedHashMap<>();

  private Proposal(FlowContext context, ObjectNode wish, Map<String, JsonNode> tools) {
    this.wish = wish;
    this.tools = tools;
    context
        .graph()
        .path("nodes")
        .forEach(node -> open.putIfAbsent(node.path("id").asText(""), node));
  }

  /** The proposal says what is wrong with it. */
  static final class RefusedException extends Exception {

    private static final long serialVersionUID = 1L;

    RefusedException(String message) {
      super(message, null, false, false);
    }
  }

  /** The proposed canvas, complete with what is kept. */
  static ObjectNode graph(FlowContext context, ObjectNode wish, Map<String, JsonNode> tools)
      throws RefusedException {
    return new Proposal(context, wish, tools).graph();
  }

  private ObjectNode graph() throws RefusedException {
    nodes();
    edges();
    var ways = Ways.of(proposed.keySet(), wish.path("edges"));
    var circle = ways.circular(proposed.keySet());
    if (!circle.isEmpty()) {
      throw new RefusedException("nodes wait for each other: " + String.join(", ", circle));
    }
    references(ways);
    return drawn(ways);
  }

  private void nodes() throws RefusedException {
    var nodes = wish.path("nodes");
    if (!nodes.isArray() || nodes.isEmpty()) {
      throw new RefusedException("a flow needs at least one node");
    }
    if (nodes.size() > MAX) {
      throw new RefusedException("a flow has at most " + MAX + " nodes, not " + nodes.size());
    }
    for (var node : nodes) {
      var id = node.path("id").asText("");
      id(id);
      tool(id, node);
      if (proposed.putIfAbsent(id, node) != null) {
        throw new RefusedException("node id " + id + " is there twice");
      }
    }
  }

  private void id(String id) throws RefusedException {
    if (!ID.matcher(id).matches()) {
      throw new RefusedException("node id \"" + id + "\" must match " + ID);
    }
    if (id.equals(START)) {
      throw new RefusedException("node id start is reserved");
    }
    var there = open.get(id);
    if (there != null && !there.path("type").asText().equals("tool")) {
      throw new RefusedException(
          "node id " + id + " is taken by a note or the start of the canvas");
    }
  }

  private void tool(String id, JsonNode node) throws RefusedException {
    var name = node.path("toolName").asText("");
    var tool = Diagnosis.offered(name) ? tools.get(name) : null;
    if (tool == null) {
      throw new RefusedException("node " + id + ": there is no tool \"" + name + "\"");
    }
    var missing = ArgumentCheck.missing(tool.path("inputSchema"), args(id, node));
    if (!missing.isEmpty()) {
      throw new RefusedException(
          "node " + id + ": missing arguments " + String.join(", ", missing));
    }
  }

  /** As named; those of the canvas where the node stays and names none. */
  private ObjectNode args(String id, JsonNode node) throws RefusedException {
    var named = node.path("args");
    if (named.isMissingNode() || named.isNull()) {
      return kept(id, node)
          ? FlowNode.of(Objects.requireNonNull(open.get(id))).args().orElseGet(ExactJson::object)
          : ExactJson.object();
    }
    if (named instanceof ObjectNode object) {
      return object;
    }
    return ExactJson.arguments(named.asText(""))
        .orElseThrow(() -> new RefusedException("node " + id + ": args must be an object"));
  }

  private boolean kept(String id, JsonNode node) {
    var there = open.get(id);
    return there != null
        && there.path("data").path("toolName").asText("").equals(node.path("toolName").asText());
  }

  private void edges() throws RefusedException {
    for (var edge : wish.path("edges")) {
      var source = edge.path("source").asText("");
      var target = edge.path("target").asText("");
      for (var end : Set.of(source, target.equals(source) ? "" : target)) {
        if (!end.isEmpty() && !proposed.containsKey(end)) {
          throw new RefusedException("an edge names the unknown node " + end);
        }
      }
      if (source.isEmpty() || target.isEmpty()) {
        throw new RefusedException("an edge needs source and target");
      }
      if (source.equals(target)) {
        throw new RefusedException("node " + source + " has an edge to itself");
      }
    }
  }

  private void references(Ways ways) throws RefusedException {
    for (var reference : TextTemplate.parse(wish.path("goal").asText("")).references()) {
      declared(reference);
    }
    for (var node : proposed.entrySet()) {
      var template = ArgsTemplate.compile(args(node.getKey(), node.getValue()));
      if (!template.malformed().isEmpty()) {
        throw new RefusedException(
            "node " + node.getKey() + ": " + template.malformed().getFirst() + " is no reference");
      }
      for (var reference : template.references()) {
        declared(reference);
        reachable(ways, node.getKey(), reference);
      }
    }
  }

  private void declared(Reference reference) throws RefusedException {
    if (reference.source() instanceof Source.Input input
        && !wish.path("inputSchema").path("properties").has(input.name())) {
      throw new RefusedException("the input " + input.name() + " is not declared");
    }
  }

  private void reachable(Ways ways, String node, Reference reference) throws RefusedException {
    if (reference.source() instanceof Source.Node(var id, var side)) {
      if (!proposed.containsKey(id)) {
        throw new RefusedException("node " + node + ": " + reference + " names an unknown node");
      }
      if (!ways.lead(id, node)) {
        throw new RefusedException(
            "node " + node + ": no edges lead from " + id + " to it, as " + reference + " needs");
      }
    }
  }

  private ObjectNode drawn(Ways ways) throws RefusedException {
    var graph = ExactJson.object();
    var nodes = graph.putArray("nodes");
    start(nodes);
    var rows = new LinkedHashMap<Integer, Integer>();
    for (var node : proposed.entrySet()) {
      int column = ways.depth(node.getKey());
      int row = rows.merge(column, 1, Integer::sum) - 1;
      nodes.add(drawn(node.getKey(), node.getValue(), column, row));
    }
    for (var there : open.values()) {
      if (there.path("type").asText().equals("note")) {
        nodes.add(there);
      }
    }
    lines(graph.putArray("edges"));
    return graph;
  }

  private void start(ArrayNode nodes) {
    var start = nodes.addObject().put("id", START).put("type", START);
    var there =
        open.values().stream().filter(node -> node.path("type").asText().equals(START)).findFirst();
    start.set(
        "position",
        there
            .map(node -> node.get("position"))
            .orElseGet(() -> ExactJson.object().put("x", 60 - COLUMN).put("y", 120)));
    start.putObject("data");
  }

  private ObjectNode drawn(String id, JsonNode node, int column, int row) throws RefusedException {
    var drawn =
        kept(id, node)
            ? (ObjectNode) Objects.requireNonNull(open.get(id)).deepCopy()
            : ExactJson.object().put("id", id).put("type", "tool");
    if (node.path("x").isNumber() && node.path("y").isNumber()) {
      var position = drawn.putObject("position");
      position.set("x", node.get("x"));
      position.set("y", node.get("y"));
    } else if (!drawn.path("position").path("x").isNumber()) {
      drawn.putObject("position").put("x", 60 + column * COLUMN).put("y", 120 + row * ROW);
    }
    var data = drawn.withObject("/data");
    data.put("toolName", node.path("toolName").asText());
    data.put("argsText", args(id, node).toString());
    for (var member : Set.of("title", "description", "requiresApproval")) {
      if (node.hasNonNull(member)) {
        data.set(member, node.get(member));
      }
    }
    return drawn;
  }

  private void lines(ArrayNode edges) {
    var seen = new HashSet<String>();
    for (var edge : wish.path("edges")) {
      var source = edge.path("source").asText();
      var target = edge.path("target").asText();
      var handle = edge.path("sourceHandle").isNull() ? "" : edge.path("sourceHandle").asText("");
      var id = "edge_" + source + "_" + target + (handle.isEmpty() ? "" : "_" + handle);
      if (seen.add(id)) {
        var line = edges.addObject().put("id", id).put("source", source).put("target", target);
        if (!handle.isEmpty()) {
          line.put("sourceHandle", handle);
        }
      }
    }
  }
}
