package io.fengyu.scheduler.workflow;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fengyu.contract.client.InternalClient;
import io.fengyu.contract.client.Service;
import io.smallrye.mutiny.Uni;
import jakarta.enterprise.context.ApplicationScoped;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/** Active snapshots of workflows: bound to inputs, and judged. */
@ApplicationScoped
public class Snapshots {

  private static final Logger LOG = Logger.getLogger(Snapshots.class);

  private final InternalClient client;

  Snapshots(InternalClient client) {
    this.client = client;
  }

  /**
   * Plan and completed inputs of the snapshot that is active now. Fails as the workflow's owner is
   * told: 404, 409 while nothing is published, 400 for inputs.
   *
   * @param request what was submitted: {@code inputs}, {@code files}, {@code permissionMode}
   * @param operation makes a repetition harmless
   */
  public Uni<ObjectNode> bound(
      String owner, String workflowId, ObjectNode request, String operation) {
    return client
        .post(Service.WORKFLOW, "/internal/workflows/" + path(workflowId) + "/bound")
        .as(owner)
        .operation(operation)
        .patient()
        .json(wish(request))
        .send()
        .map(answer -> (ObjectNode) answer.body());
  }

  // Ids that could be something else in a path are no ids of workflows.
  private static String path(String id) {
    return id.matches("[A-Za-z0-9_-]{1,100}") ? id : "none";
  }

  /** What is bound: nobody reviews a plan, and steps that ask for a person wait for one. */
  private static ObjectNode wish(ObjectNode request) {
    var wish = request.objectNode();
    wish.set("inputs", request.path("inputs"));
    if (request.hasNonNull("files")) {
      wish.set("files", request.get("files"));
    }
    wish.putObject("config")
        .put("requirePlanApproval", false)
        .put("requireStepApproval", true)
        .put("permissionMode", request.path("permissionMode").asText("ask-for-approval"));
    return wish;
  }

  /**
   * What the guard would say about each step, as a dry run tells; null while nobody can be asked:
   * it informs, and decides nothing.
   */
  public Uni<@Nullable JsonNode> judged(String owner, ObjectNode bound) {
    var start = bound.objectNode();
    for (var member : new String[] {"workflow", "inputs", "config"}) {
      start.set(member, bound.get(member));
    }
    return client
        .post(Service.AGENT, "/api/agent/dry-run")
        .as(owner)
        .json(start)
        .send()
        .<@Nullable JsonNode>map(answer -> answer.body().get("steps"))
        .onFailure()
        .invoke(failure -> LOG.debugf("A task is submitted without a judgement: %s", failure))
        .onFailure()
        .recoverWithNull();
  }
}
