package io.fengyu.workflow.run;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.util.RawValue;
import io.fengyu.contract.client.Answer;
import io.fengyu.contract.client.InternalClient;
import io.fengyu.contract.client.Service;
import io.fengyu.workflow.WorkflowProblems;
import io.fengyu.workflow.definition.Definition;
import io.fengyu.workflow.json.ExactJson;
import io.fengyu.workflow.publication.Publications;
import io.smallrye.mutiny.Uni;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Whether the active snapshot can run without a person: inputs that are files of a session cannot
 * be given, the others keep the contract, and the runtime tells what each step would do.
 */
@ApplicationScoped
class Unattended {

  private static final Set<String> FILES = Set.of("fengyu-file", "fengyu-directory");

  private final Publications publications;
  private final InternalClient client;

  Unattended(Publications publications, InternalClient client) {
    this.publications = publications;
    this.client = client;
  }

  Uni<JsonNode> check(
      String id,
      String owner,
      RunWish wish,
      boolean partial,
      boolean judge,
      @Nullable String language) {
    return publications
        .active(id, owner)
        .map(snapshot -> start(snapshot, wish, partial))
        .chain(start -> judge ? judged(start, owner, language) : nothing());
  }

  private static Uni<JsonNode> nothing() {
    return Uni.createFrom().item(ExactJson.object());
  }

  private static ObjectNode start(Definition snapshot, RunWish wish, boolean partial) {
    var schema = ExactJson.stored(snapshot.inputSchema());
    refuseFiles(schema);
    var contract = new InputContract(schema);
    var start = ExactJson.object();
    start.putRawValue("workflow", new RawValue(snapshot.plan()));
    start.set("inputs", partial ? contract.begun(wish.inputs()) : contract.complete(wish.inputs()));
    start.set("config", wish.config());
    return start;
  }

  private static void refuseFiles(JsonNode schema) {
    for (var input : schema.path("properties").properties()) {
      var declared = input.getValue();
      if (FILES.contains(declared.path("format").asText(""))
          || declared.path("x-fengyu-auto").asText("").equals("shared-directory")) {
        throw WorkflowProblems.ephemeralInput(input.getKey());
      }
    }
  }

  private Uni<JsonNode> judged(ObjectNode start, String owner, @Nullable String language) {
    return client
        .post(Service.AGENT, "/api/agent/dry-run")
        .as(owner)
        .header("Accept-Language", language)
        .json(start)
        .send()
        .map(Answer::body);
  }
}
