package io.fengyu.agent.run;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fengyu.agent.tool.Sensitive;
import io.fengyu.agent.tool.Tool;
import io.fengyu.contract.model.ModelBlock;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Payloads of a direct run's own events. */
final class DirectEvents {

  private static final JsonNodeFactory JSON = JsonNodeFactory.instance;
  private static final ObjectMapper MAPPER = new ObjectMapper();

  private DirectEvents() {}

  /** What the model is told first. */
  static ObjectNode prompt(String system, String user) {
    return JSON.objectNode().put("system", system).put("user", user);
  }

  /**
   * What the model said in one turn.
   *
   * @param pin which back end it was; null when nobody knows
   */
  static ObjectNode said(List<ModelBlock> blocks, @Nullable String pin) {
    var data = JSON.objectNode();
    if (pin != null) {
      data.put("pin", pin);
    }
    var all = data.putArray("blocks");
    blocks.forEach(block -> all.add(MAPPER.<JsonNode>valueToTree(block)));
    return data;
  }

  static ModelBlock block(JsonNode stored) {
    return MAPPER.convertValue(stored, ModelBlock.class);
  }

  /**
   * A call begins.
   *
   * @param tool null when there is none of that name
   */
  static ObjectNode called(DirectCall call, @Nullable Tool tool) {
    return JSON.objectNode()
        .put("phase", "call")
        .put("id", call.id())
        .put("name", call.name())
        .put("arguments", shown(call, tool))
        .put("index", call.index());
  }

  private static String shown(DirectCall call, @Nullable Tool tool) {
    var args = call.args();
    if (args == null) {
      return call.written();
    }
    var masked = masked(args, tool);
    return masked.equals(args) ? call.written() : masked.toString();
  }

  /** Arguments as anybody may see them. */
  static ObjectNode masked(ObjectNode args, @Nullable Tool tool) {
    var schema = tool == null ? MissingNode.getInstance() : tool.spec().inputSchema();
    return Sensitive.masked(args, schema);
  }

  /** A call has come to its end; the output is whole. */
  static ObjectNode ended(DirectCall call, CallEnd end, long durationMs) {
    var data =
        JSON.objectNode()
            .put("phase", "result")
            .put("id", call.id())
            .put("name", call.name())
            .put("success", end.success())
            .put("output", end.output());
    if (end.code() != null) {
      data.put("code", end.code());
    }
    if (!end.blockedBy().isEmpty()) {
      var by = data.putArray("blocked_by");
      end.blockedBy().forEach(by::add);
    }
    return data.put("index", call.index()).put("durationMs", durationMs);
  }

  /**
   * What a call came to.
   *
   * @param output the result, or why there is none
   * @param code why the tool was not called; null when it was
   * @param blockedBy ids of the calls before it that did not succeed
   */
  record CallEnd(boolean success, String output, @Nullable String code, List<String> blockedBy) {

    static CallEnd refused(String code, String why) {
      return new CallEnd(false, why, code, List.of());
    }

    static CallEnd of(ToolOutcome outcome) {
      return switch (outcome) {
        case ToolOutcome.Answered(var text, var value) -> new CallEnd(true, text, null, List.of());
        case ToolOutcome.Refused(var error, var state) ->
            new CallEnd(false, error, null, List.of());
      };
    }

    /** Not made: something it would have waited for did not succeed. */
    static CallEnd blocked(List<String> by) {
      var output = JSON.objectNode().put("success", false).put("code", "TOOL_DEPENDENCY_BLOCKED");
      var ids = output.putArray("blocked_by");
      by.forEach(ids::add);
      output.put(
          "error",
          "Not executed: it depends on "
              + String.join(", ", by)
              + ", which did not succeed. Submit it again if it is still needed.");
      return new CallEnd(false, output.toString(), "TOOL_DEPENDENCY_BLOCKED", by);
    }
  }
}
