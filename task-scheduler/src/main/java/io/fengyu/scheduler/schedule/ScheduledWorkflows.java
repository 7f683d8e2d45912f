package io.fengyu.scheduler.schedule;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fengyu.contract.client.Answer;
import io.fengyu.contract.client.InternalClient;
import io.fengyu.contract.client.Service;
import io.fengyu.contract.problem.ProblemException;
import io.smallrye.mutiny.Uni;
import jakarta.enterprise.context.ApplicationScoped;
import org.jspecify.annotations.Nullable;

/** What workflow-service says about a workflow that is to run unattended. */
@ApplicationScoped
class ScheduledWorkflows {

  private static final String NOT_PUBLISHED = "WORKFLOW_NOT_PUBLISHED";

  private final InternalClient client;

  ScheduledWorkflows(InternalClient client) {
    this.client = client;
  }

  /** The refusal of a workflow that is not published; null when it is. Fails for unknown ones. */
  Uni<@Nullable ProblemException> unpublished(String owner, String workflowId) {
    return client
        .get(Service.WORKFLOW, path(workflowId) + "/published")
        .as(owner)
        .send()
        .<@Nullable ProblemException>map(answer -> null)
        .onFailure(ScheduledWorkflows::notPublished)
        .recoverWithItem(refusal -> (ProblemException) refusal);
  }

  private static boolean notPublished(Throwable failure) {
    return failure instanceof ProblemException known
        && known.problem().code().equals(NOT_PUBLISHED);
  }

  /**
   * What a run of the published snapshot would do. Fails when it could not run: not published,
   * inputs missing or wrong, inputs that are files.
   */
  Uni<JsonNode> foreseen(String owner, String workflowId, ObjectNode inputs, String mode) {
    return client
        .post(Service.WORKFLOW, path(workflowId) + "/unattended")
        .as(owner)
        .json(wish(inputs, mode))
        .patient()
        .send()
        .map(Answer::body);
  }

  /** Fails like {@link #foreseen}, without asking what the steps would do. */
  Uni<Void> runnable(String owner, String workflowId, ObjectNode inputs, String mode) {
    return client
        .post(Service.WORKFLOW, path(workflowId) + "/unattended")
        .as(owner)
        .query("judge", "false")
        .json(wish(inputs, mode))
        .send()
        .replaceWithVoid();
  }

  private static String path(String workflowId) {
    return "/internal/workflows/" + workflowId;
  }

  private static ObjectNode wish(ObjectNode inputs, String mode) {
    var wish = JsonNodeFactory.instance.objectNode();
    wish.set("inputs", inputs);
    wish.putObject("config").put("permissionMode", mode);
    return wish;
  }
}
