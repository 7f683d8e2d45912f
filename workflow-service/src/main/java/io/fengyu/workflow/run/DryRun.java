package io.fengyu.workflow.run;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.util.RawValue;
import io.fengyu.contract.client.InternalClient;
import io.fengyu.contract.client.Service;
import io.fengyu.contract.problem.Problem;
import io.fengyu.workflow.WorkflowProblems;
import io.fengyu.workflow.definition.Definition;
import io.fengyu.workflow.definition.Definitions;
import io.fengyu.workflow.json.ExactJson;
import io.smallrye.mutiny.Uni;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Tells what a run of the current draft would do. The runtime judges the plan; what is wrong with
 * the inputs is told beside it, and refuses nothing here.
 */
@ApplicationScoped
class DryRun {

  private final Definitions definitions;
  private final InternalClient client;

  DryRun(Definitions definitions, InternalClient client) {
    this.definitions = definitions;
    this.client = client;
  }

  Uni<JsonNode> of(String id, String owner, RunWish wish, @Nullable String language) {
    return definitions.get(id, owner).chain(definition -> of(definition, owner, wish, language));
  }

  private Uni<JsonNode> of(
      Definition definition, String owner, RunWish wish, @Nullable String language) {
    if (definition.stepCount() == 0) {
      throw WorkflowProblems.empty();
    }
    var schema = ExactJson.stored(definition.inputSchema());
    var contract = new InputContract(schema);
    var inputs = contract.filled(wish.files().fill(contract, schema, wish.inputs()));
    var start = ExactJson.object();
    start.putRawValue("workflow", new RawValue(definition.plan()));
    start.set("inputs", inputs);
    start.set("config", wish.config());
    return client
        .post(Service.AGENT, "/api/agent/dry-run")
        .as(owner)
        .header("Accept-Language", language)
        .json(start)
        .send()
        .map(answer -> with(contract.problems(inputs), answer.body()));
  }

  private static JsonNode with(List<Problem> problems, JsonNode answer) {
    if (problems.isEmpty() || !(answer instanceof ObjectNode foreseen)) {
      return answer;
    }
    var all = foreseen.arrayNode();
    problems.forEach(problem -> add(all, problem));
    foreseen.path("problems").forEach(all::add);
    foreseen.set("problems", all);
    return foreseen.put("valid", false).put("unattendedOk", false);
  }

  private static void add(ArrayNode all, Problem problem) {
    var entry = all.addObject().putNull("step").put("code", problem.code());
    var params = entry.putObject("params");
    problem.params().forEach(params::putPOJO);
  }
}
