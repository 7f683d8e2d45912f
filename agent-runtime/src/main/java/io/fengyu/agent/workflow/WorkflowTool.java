package io.fengyu.agent.workflow;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fengyu.agent.tool.Effect;
import io.fengyu.agent.tool.Tool;
import io.fengyu.agent.tool.ToolCall;
import io.fengyu.agent.tool.ToolSpec;

/** A published workflow as a tool: a call runs the snapshot that is active then. */
final class WorkflowTool implements Tool {

  private final ToolSpec spec;
  private final String workflowId;
  private final WorkflowCalls calls;

  WorkflowTool(JsonNode published, WorkflowCalls calls) {
    this.workflowId = published.path("id").asText();
    this.calls = calls;
    this.spec =
        spec(
            "run_workflow_" + workflowId.replace('-', '_'),
            published,
            "workflow:" + workflowId,
            "r" + published.path("revision").asInt());
  }

  /** What a model sees of a workflow. */
  static ToolSpec spec(String name, JsonNode workflow, String id, String revision) {
    return new ToolSpec(
        name,
        description(workflow.path("name").asText(), workflow.path("description").asText("")),
        schema(workflow.path("inputSchema")),
        null,
        Effect.EXTERNAL,
        false,
        null,
        id,
        "workflow",
        revision,
        null);
  }

  private static String description(String name, String description) {
    return description.isBlank() ? name : name + ": " + description;
  }

  private static ObjectNode schema(JsonNode declared) {
    return declared instanceof ObjectNode object ? object : JsonNodeFactory.instance.objectNode();
  }

  @Override
  public ToolSpec spec() {
    return spec;
  }

  @Override
  public String call(ToolCall call) throws InterruptedException {
    return calls.published(workflowId, call);
  }
}
