package io.fengyu.workflow.authoring;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fengyu.contract.problem.ProblemException;
import io.fengyu.workflow.WorkflowProblems;
import io.fengyu.workflow.definition.Definition;
import io.fengyu.workflow.definition.Definitions;
import io.fengyu.workflow.json.ExactJson;
import io.fengyu.workflow.tool.ToolDirectory;
import io.smallrye.mutiny.Uni;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.List;
import java.util.Map;

/** What a model may do with the canvas that somebody has open. Nothing here writes. */
@ApplicationScoped
class FlowAuthoring {

  private final Definitions definitions;
  private final ObjectMapper json;

  FlowAuthoring(Definitions definitions, ObjectMapper json) {
    this.definitions = definitions;
    this.json = json;
  }

  /**
   * Checks that a turn may be about a workflow, and says whether it may run it as it is stored.
   *
   * @param body {@code flowContext}, which may be missing, and {@code tools} of the catalog
   */
  Uni<ObjectNode> binding(String id, String owner, JsonNode body) {
    return definition(id, owner)
        .map(
            definition ->
                ExactJson.object()
                    .put("workflowId", definition.id())
                    .put("revision", definition.revision())
                    .put("name", definition.name())
                    .put("description", definition.description())
                    .put("runnable", runnable(definition, body))
                    .set("inputSchema", ExactJson.stored(definition.inputSchema())));
  }

  private boolean runnable(Definition definition, JsonNode body) {
    var sent = body.path("flowContext");
    if (sent.isMissingNode() || sent.isNull()) {
      return definition.stepCount() > 0;
    }
    var context = FlowContext.of(definition.id(), sent);
    var issues = Diagnosis.of(context, tools(body), definition.revision());
    return definition.stepCount() > 0
        && !context.dirty()
        && issues.stream().noneMatch(Issue::isError);
  }

  Uni<ObjectNode> inspect(String id, String owner, JsonNode body) {
    return definition(id, owner).map(definition -> inspection(definition, body));
  }

  private ObjectNode inspection(Definition definition, JsonNode body) {
    var context = FlowContext.of(definition.id(), body.get("flowContext"));
    var answer = ExactJson.object().put("kind", "flow_inspection");
    answer.set("context", context.sent().deepCopy().put("serverRevision", definition.revision()));
    var available = answer.putArray("availableTools");
    tools(body)
        .forEach(
            (name, tool) -> {
              if (Diagnosis.offered(name)) {
                var entry = available.addObject().put("name", name);
                for (var member :
                    List.of("description", "inputSchema", "outputSchema", "flowNode")) {
                  entry.set(member, tool.get(member));
                }
              }
            });
    return answer;
  }

  Uni<ObjectNode> diagnose(String id, String owner, JsonNode body) {
    return definition(id, owner).map(definition -> diagnosis(definition, body));
  }

  private ObjectNode diagnosis(Definition definition, JsonNode body) {
    var context = FlowContext.of(definition.id(), body.get("flowContext"));
    var answer =
        ExactJson.object().put("kind", "flow_diagnostics").put("workflowId", definition.id());
    answer.set("snapshotId", context.sent().get("snapshotId"));
    var issues = Diagnosis.of(context, tools(body), definition.revision());
    answer.set("issues", json.valueToTree(issues));
    answer.set("graph", context.graph().isMissingNode() ? ExactJson.object() : context.graph());
    return answer;
  }

  Uni<ObjectNode> edit(String id, String owner, JsonNode body) {
    return definition(id, owner).map(definition -> proposal(definition, body));
  }

  private ObjectNode proposal(Definition definition, JsonNode body) {
    var context = FlowContext.of(definition.id(), body.get("flowContext"));
    var wish = body.path("arguments") instanceof ObjectNode object ? object : ExactJson.object();
    try {
      return proposed(definition, context, wish, tools(body));
    } catch (Proposal.RefusedException refused) {
      return ExactJson.object()
          .put("kind", "flow_proposal_error")
          .put("error", refused.getMessage());
    }
  }

  private ObjectNode proposed(
      Definition definition, FlowContext context, ObjectNode wish, Map<String, JsonNode> tools)
      throws Proposal.RefusedException {
    var schema = wish.path("inputSchema").isObject() ? wish.get("inputSchema") : noInputs();
    var goal = wish.path("goal").asText("");
    var graph = Proposal.graph(context, wish, tools);
    var issues = Diagnosis.of(context.with(graph, goal, schema), tools, definition.revision());
    var base = context.revision();
    var answer = ExactJson.object().put("kind", "flow_proposal");
    answer.put("baseWorkflowId", definition.id());
    answer.put("baseRevision", base == null ? definition.revision() : base);
    answer.set("baseSnapshotId", context.sent().get("snapshotId"));
    answer.put("name", orElse(wish.path("name").asText(""), context.text("name")));
    answer.put(
        "description", orElse(wish.path("description").asText(""), context.text("description")));
    answer.put("goal", goal);
    answer.set("inputSchema", schema);
    answer.set("graph", graph);
    answer.put("summary", wish.path("summary").asText(""));
    answer.set("diagnostics", json.valueToTree(issues));
    return answer.put("applicable", issues.stream().noneMatch(Issue::isError));
  }

  private static ObjectNode noInputs() {
    var schema = ExactJson.object().put("type", "object");
    schema.putObject("properties");
    return schema;
  }

  private static String orElse(String text, String otherwise) {
    return text.isEmpty() ? otherwise : text;
  }

  private static Map<String, JsonNode> tools(JsonNode body) {
    return ToolDirectory.byName(body.path("tools"));
  }

  private Uni<Definition> definition(String id, String owner) {
    return definitions
        .get(id, owner)
        .onFailure(FlowAuthoring::unknown)
        .transform(gone -> refusal());
  }

  private static boolean unknown(Throwable failure) {
    return failure instanceof ProblemException known && known.problem().status() == 404;
  }

  private static Throwable refusal() {
    return WorkflowProblems.flowContextInvalid("workflow_unknown");
  }
}
