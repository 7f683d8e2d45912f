package io.fengyu.workflow.transfer;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.util.RawValue;
import io.fengyu.contract.plan.AgentPlan;
import io.fengyu.contract.plan.AgentStep;
import io.fengyu.contract.plan.PlanReader;
import io.fengyu.contract.problem.Problem;
import io.fengyu.contract.problem.ProblemException;
import io.fengyu.workflow.WorkflowProblems;
import io.fengyu.workflow.definition.Definition;
import io.fengyu.workflow.definition.Definitions;
import io.fengyu.workflow.json.ExactJson;
import io.fengyu.workflow.json.RawBody;
import io.fengyu.workflow.tool.ToolDirectory;
import io.fengyu.workflow.validation.Draft;
import io.fengyu.workflow.validation.DraftChecks;
import io.fengyu.workflow.validation.RetrySafety;
import io.smallrye.mutiny.Uni;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Clock;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;

/** Writes workflows as files and makes drafts of such files. */
@ApplicationScoped
public class Transfer {

  private static final String FORMAT = "fengyu-workflow/1";

  private final Definitions definitions;
  private final DraftChecks checks;
  private final RetrySafety retries;
  private final ToolDirectory tools;
  private final Clock clock;

  Transfer(
      Definitions definitions,
      DraftChecks checks,
      RetrySafety retries,
      ToolDirectory tools,
      Clock clock) {
    this.definitions = definitions;
    this.checks = checks;
    this.retries = retries;
    this.tools = tools;
    this.clock = clock;
  }

  /**
   * What stands in the way of a file.
   *
   * @param missingTools tools that the owner does not have now, in the order of the plan
   * @param problems why it could not be stored; empty when it could
   */
  public record Findings(List<String> missingTools, List<Finding> problems) {}

  /** One reason against a file. */
  public record Finding(String code, Map<String, Object> params, List<Problem.FieldError> errors) {}

  /** A workflow as a file. Effects of tools are left out while the runtime does not answer. */
  Uni<String> export(String id, String owner) {
    return definitions
        .get(id, owner)
        .chain(
            definition ->
                tools
                    .of(owner)
                    .onFailure(ProblemException.class)
                    .recoverWithItem(Map.of())
                    .map(known -> file(definition, known)));
  }

  /** What a file needs and what is wrong with it; stores nothing. */
  Uni<Findings> check(String owner, RawBody file) {
    var draft = Uni.createFrom().item(() -> draft(file));
    return tools
        .of(owner)
        .chain(
            known ->
                draft
                    .call(read -> retries.check(owner, read.checked()))
                    .map(read -> new Findings(missing(read.checked(), known), List.of()))
                    .onFailure(ProblemException.class)
                    .recoverWithItem(refusal -> refused(file, known, refusal)));
  }

  /** A new draft. */
  Uni<Definition> imported(String owner, RawBody file) {
    known(file);
    return definitions.create(owner, file);
  }

  private Draft draft(RawBody file) {
    known(file);
    return checks.check(file);
  }

  private static void known(RawBody file) {
    var format = file.string("format");
    if (format != null && !format.equals(FORMAT)) {
      throw WorkflowProblems.unknownFormat(format, FORMAT);
    }
  }

  private static Findings refused(
      RawBody file, Map<String, JsonNode> known, ProblemException refusal) {
    var problem = refusal.problem();
    var plan = file.tree("plan");
    var missing =
        plan == null || !plan.path("steps").isArray()
            ? List.<String>of()
            : missing(PlanReader.read(plan).plan(), known);
    return new Findings(
        missing, List.of(new Finding(problem.code(), problem.params(), problem.errors())));
  }

  private static List<String> missing(AgentPlan plan, Map<String, JsonNode> known) {
    return names(plan).stream().filter(name -> !known.containsKey(name)).toList();
  }

  private static List<String> names(AgentPlan plan) {
    return plan.steps().stream()
        .map(AgentStep::toolName)
        .filter(name -> !name.isBlank())
        .distinct()
        .toList();
  }

  private String file(Definition definition, Map<String, JsonNode> known) {
    var file = ExactJson.object().put("format", FORMAT);
    file.put("name", definition.name()).put("description", definition.description());
    file.put("exportedAt", clock.instant().truncatedTo(ChronoUnit.MILLIS).toString());
    file.putObject("source")
        .put("workflowId", definition.id())
        .put("revision", definition.revision());
    var plan = PlanReader.read(ExactJson.stored(definition.plan())).plan();
    required(file.putArray("requiredTools"), plan, known);
    file.putRawValue("inputSchema", new RawValue(definition.inputSchema()));
    file.putRawValue("plan", new RawValue(definition.plan()));
    file.putRawValue("layout", new RawValue(definition.layout()));
    if (!ExactJson.stored(definition.graph()).isEmpty()) {
      file.putRawValue("graph", new RawValue(definition.graph()));
    }
    return ReadableJson.of(written(file));
  }

  private static String written(ObjectNode file) {
    try {
      return new ObjectMapper().writeValueAsString(file);
    } catch (JsonProcessingException impossible) {
      throw new IllegalStateException(impossible);
    }
  }

  private static void required(ArrayNode list, AgentPlan plan, Map<String, JsonNode> known) {
    for (var name : names(plan)) {
      var tool = known.get(name);
      var entry = list.addObject().put("name", name);
      if (tool != null) {
        entry.put("effect", tool.path("effect").asText());
        entry.put("pluginId", tool.path("pluginId").textValue());
        entry.put("retrySafe", tool.path("retrySafe").asBoolean());
      }
    }
  }
}
