package io.fengyu.workflow.run;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.util.RawValue;
import io.fengyu.contract.client.Answer;
import io.fengyu.contract.client.InternalClient;
import io.fengyu.contract.client.Service;
import io.fengyu.workflow.WorkflowProblems;
import io.fengyu.workflow.definition.Definition;
import io.fengyu.workflow.definition.Definitions;
import io.fengyu.workflow.json.ExactJson;
import io.smallrye.mutiny.Uni;
import jakarta.enterprise.context.ApplicationScoped;
import org.jspecify.annotations.Nullable;

/**
 * Starts a run of the current draft.
 *
 * <p>The plan goes to the runtime as it was saved, beside the checked inputs: the runtime puts
 * values in place of references in one pass, so a text that somebody typed into an input can never
 * be read as a reference.
 */
@ApplicationScoped
class RunWorkflow {

  private final Definitions definitions;
  private final InternalClient client;

  RunWorkflow(Definitions definitions, InternalClient client) {
    this.definitions = definitions;
    this.client = client;
  }

  Uni<JsonNode> run(String id, String owner, RunWish wish, @Nullable String language) {
    return definitions
        .get(id, owner)
        .map(definition -> start(definition, wish))
        .chain(start -> send(start, owner, language))
        .map(Answer::body);
  }

  private Uni<Answer> send(ObjectNode start, String owner, @Nullable String language) {
    return client
        .post(Service.AGENT, "/api/agent/run")
        .as(owner)
        .header("Accept-Language", language)
        .json(start)
        .send();
  }

  private static ObjectNode start(Definition definition, RunWish wish) {
    if (definition.stepCount() == 0) {
      throw WorkflowProblems.empty();
    }
    var schema = ExactJson.stored(definition.inputSchema());
    var contract = new InputContract(schema);
    var inputs = contract.complete(wish.files().fill(contract, schema, wish.inputs()));
    var start = ExactJson.object();
    start.putRawValue("workflow", new RawValue(definition.plan()));
    start.set("inputs", inputs);
    start.set("config", wish.config());
    start.set("files", wish.files().entries());
    put(start, "start_request_id", wish.startRequestId());
    put(start, "session_id", wish.sessionId());
    return start;
  }

  private static void put(ObjectNode start, String name, @Nullable String value) {
    if (value != null) {
      start.put(name, value);
    }
  }
}
