package io.fengyu.scheduler.execution;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fengyu.contract.client.Answer;
import io.fengyu.contract.client.InternalClient;
import io.fengyu.contract.client.Service;
import io.smallrye.mutiny.Uni;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.Collection;
import java.util.UUID;

/** Runs of tasks at the runtime: started once for each task, and stopped by the task's id. */
@ApplicationScoped
class AgentRuns {

  private static final String PATH = "/internal/task-runs";

  private final InternalClient client;

  AgentRuns(InternalClient client) {
    this.client = client;
  }

  /** Starts the run of a task, or finds the one that was started before; emits its id. */
  Uni<UUID> start(String owner, UUID task, ObjectNode start) {
    return client
        .post(Service.AGENT, PATH + "/" + task)
        .as(owner)
        .operation("task " + task)
        .json(start)
        .send()
        .map(answer -> UUID.fromString(answer.body().path("runId").asText()));
  }

  /** Stops the run of a task, and makes sure that none begins later. */
  Uni<Answer> stop(String owner, UUID task) {
    return client
        .post(Service.AGENT, PATH + "/" + task + "/cancel")
        .as(owner)
        .operation("task cancel " + task)
        .send();
  }

  /** What ended runs came to; those that have not ended are missing in the answer. */
  Uni<JsonNode> ends(Collection<UUID> runs) {
    var body = JsonNodeFactory.instance.objectNode();
    var ids = body.putArray("runIds");
    runs.forEach(id -> ids.add(id.toString()));
    return client
        .post(Service.AGENT, PATH + "/ends")
        .operation("ends " + UUID.randomUUID())
        .json(body)
        .send()
        .map(answer -> answer.body().path("ends"));
  }
}
