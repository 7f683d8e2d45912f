package io.fengyu.webhook.trigger;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fengyu.contract.client.Answer;
import io.fengyu.contract.client.InternalClient;
import io.fengyu.contract.client.Service;
import io.fengyu.contract.problem.Problem;
import io.fengyu.contract.problem.ProblemException;
import io.smallrye.mutiny.Uni;
import jakarta.enterprise.context.ApplicationScoped;

/** What workflow-service says about a workflow that deliveries start. */
@ApplicationScoped
public class HookedWorkflows {

  private final InternalClient client;

  HookedWorkflows(InternalClient client) {
    this.client = client;
  }

  /** Fails when there is no such workflow. */
  Uni<Void> known(String owner, String workflowId) {
    return client
        .get(Service.WORKFLOW, "/internal/workflows/" + workflowId + "/published")
        .as(owner)
        .send()
        .replaceWithVoid()
        .onFailure(failure -> status(failure) == 409)
        .recoverWithNull();
  }

  /** What a run with these and further inputs would do; fails when there can be none. */
  Uni<JsonNode> foreseen(String owner, String workflowId, ObjectNode defaults, String mode) {
    return client
        .post(Service.WORKFLOW, path(workflowId))
        .as(owner)
        .query("partial", "true")
        .json(wish(defaults, mode))
        .patient()
        .send()
        .map(Answer::body);
  }

  /** Fails when a run with exactly these inputs cannot begin. */
  public Uni<Void> runnable(String owner, String workflowId, ObjectNode inputs, String mode) {
    return client
        .post(Service.WORKFLOW, path(workflowId))
        .as(owner)
        .query("judge", "false")
        .json(wish(inputs, mode))
        .send()
        .replaceWithVoid()
        .onFailure(HookedWorkflows::filesMeanwhile)
        .transform(failure -> conflict((ProblemException) failure));
  }

  // A version that was published after the trigger was made.
  private static boolean filesMeanwhile(Throwable failure) {
    return failure instanceof ProblemException known
        && known.problem().code().equals("EPHEMERAL_FILE_INPUT");
  }

  private static ProblemException conflict(ProblemException failure) {
    var problem = failure.problem();
    return new Problem(
            409,
            problem.code(),
            problem.params(),
            problem.members(),
            problem.errors(),
            problem.retryAfter())
        .asFailure();
  }

  private static int status(Throwable failure) {
    return failure instanceof ProblemException known ? known.problem().status() : 0;
  }

  private static String path(String workflowId) {
    return "/internal/workflows/" + workflowId + "/unattended";
  }

  private static ObjectNode wish(ObjectNode inputs, String mode) {
    var wish = JsonNodeFactory.instance.objectNode();
    wish.set("inputs", inputs);
    wish.putObject("config").put("permissionMode", mode);
    return wish;
  }
}
