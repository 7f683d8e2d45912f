package io.fengyu.agent.workflow;

import com.fasterxml.jackson.databind.JsonNode;
import io.fengyu.agent.tool.Declaration;
import io.fengyu.agent.tool.Declaration.Field;
import io.fengyu.agent.tool.Effect;
import io.fengyu.agent.tool.ToolSpec;
import java.util.List;

/** Declarations of the tools that a turn about a workflow has. */
final class FlowSpecs {

  static final String RUN = "run_current_flow";

  private static final ToolSpec INSPECT =
      read(
              "inspect_current_flow",
              "Returns the canvas that the person has open right now, saved or not, with its input"
                  + " contract, the editor's diagnostics, and the contracts of all tools that may"
                  + " stand on it.")
          .spec();

  private static final ToolSpec DIAGNOSE =
      read(
              "diagnose_current_flow",
              "Checks the open canvas for unavailable tools, missing or wrong arguments, wrong"
                  + " references, dangling edges, cycles, undeclared inputs and the error of the"
                  + " last run. Changes nothing.")
          .spec();

  private static final ToolSpec EDIT =
      read(
              "edit_current_flow",
              "Proposes a complete replacement of the open canvas; the person decides about it. A"
                  + " node that keeps its id and tool keeps what is not named. Arguments may refer"
                  + " to {{inputs.name}} and to {{node.<id>.result.<path>}} of nodes that edges"
                  + " lead from. Nothing is saved.")
          .in(
              Field.required("name", "string", "Name of the flow."),
              Field.required("goal", "string", "What the flow is for."),
              Field.required("inputSchema", "object", "JSON Schema of its inputs."),
              Field.required("nodes", "array", "All nodes, at most 64.")
                  .of(
                      Field.required("id", "string", "A letter, then letters, digits, _ or -."),
                      Field.required("toolName", "string", "A tool of the catalog."),
                      Field.required("args", "object", "Its arguments."),
                      Field.optional("title", "string", "Title on the canvas."),
                      Field.optional("description", "string", "What the step does."),
                      Field.optional("requiresApproval", "boolean", "Pauses before it."),
                      Field.optional("x", "number", "Place on the canvas."),
                      Field.optional("y", "number", "Place on the canvas.")),
              Field.required("edges", "array", "What comes before what.")
                  .of(
                      Field.required("source", "string", "Id of a node."),
                      Field.required("target", "string", "Id of a node."),
                      Field.optional("sourceHandle", "string", "The branch that leads on.")),
              Field.optional("description", "string", "What the flow does."),
              Field.optional("summary", "string", "What is changed, for the person."))
          .spec();

  static final List<ToolSpec> AUTHORING = List.of(INSPECT, DIAGNOSE, EDIT);

  private FlowSpecs() {}

  /** The stored workflow as a tool of this turn. */
  static ToolSpec run(JsonNode binding) {
    return WorkflowTool.spec(
        RUN,
        binding,
        "workflow:" + binding.path("workflowId").asText(),
        "r" + binding.path("revision").asInt());
  }

  private static Declaration read(String name, String description) {
    return Declaration.of(name, description).effect(Effect.READ).resources(List.of(), List.of());
  }
}
