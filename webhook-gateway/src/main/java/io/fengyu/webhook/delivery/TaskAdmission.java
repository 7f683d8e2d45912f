package io.fengyu.webhook.delivery;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fengyu.contract.client.Answer;
import io.fengyu.contract.client.InternalClient;
import io.fengyu.contract.client.Service;
import io.fengyu.contract.problem.ProblemException;
import io.fengyu.webhook.trigger.Trigger;
import io.smallrye.mutiny.Uni;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.Collection;
import java.util.Optional;
import java.util.UUID;

/** Has task-scheduler make tasks of deliveries. */
@ApplicationScoped
class TaskAdmission {

  private static final int NOT_FOUND = 404;

  private final InternalClient client;

  TaskAdmission(InternalClient client) {
    this.client = client;
  }

  /** Stores the task of a delivery, once however often it is sent. */
  Uni<Void> admit(UUID delivery, Trigger trigger, ObjectNode inputs) {
    var task =
        JsonNodeFactory.instance
            .objectNode()
            .put("taskId", delivery.toString())
            .put("origin", "webhook")
            .put("workflowId", trigger.workflowId())
            .put("description", "webhook " + trigger.name())
            .put("permissionMode", trigger.permissionMode());
    task.set("inputs", inputs);
    return client
        .post(Service.SCHEDULER, "/internal/tasks")
        .as(trigger.owner())
        .operation(delivery.toString())
        .json(task)
        .send()
        .replaceWithVoid();
  }

  /** True when the task is stored; fails when nobody can tell. */
  Uni<Boolean> knows(UUID delivery, String owner) {
    return client
        .get(Service.SCHEDULER, "/internal/tasks/" + delivery)
        .as(owner)
        .send()
        .map(answer -> true)
        .onFailure(TaskAdmission::unknown)
        .recoverWithItem(false);
  }

  private static boolean unknown(Throwable failure) {
    return failure instanceof ProblemException known && known.problem().status() == NOT_FOUND;
  }

  /** Those of the tasks that are stored, each with {@code taskId, status, errorCode, output}. */
  Uni<JsonNode> states(Collection<UUID> deliveries) {
    var asked = JsonNodeFactory.instance.objectNode();
    var ids = asked.putArray("taskIds");
    deliveries.forEach(id -> ids.add(id.toString()));
    return client
        .post(Service.SCHEDULER, "/internal/tasks/states")
        .json(asked)
        .send()
        .map(Answer::body);
  }

  /** What certainly did not happen: nothing was sent, or it was refused. */
  static boolean nothingAdmitted(Throwable failure) {
    if (!(failure instanceof ProblemException known)) {
      return false;
    }
    var problem = known.problem();
    return problem.status() < 500
        || Optional.ofNullable(problem.params().get("outcome"))
            .filter(outcome -> outcome.toString().equals("none"))
            .isPresent();
  }
}
