package io.fengyu.workflow.validation;

import com.fasterxml.jackson.databind.JsonNode;
import io.fengyu.contract.client.InternalClient;
import io.fengyu.contract.client.Service;
import io.fengyu.contract.plan.AgentPlan;
import io.fengyu.contract.plan.AgentStep;
import io.fengyu.contract.problem.ProblemException;
import io.fengyu.workflow.WorkflowProblems;
import io.smallrye.mutiny.Uni;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jboss.logging.Logger;

/**
 * Keeps people from saving retries that could do something twice. The runtime refuses them in any
 * case before a run; here they are refused early, when the tool is known and the runtime answers.
 */
@ApplicationScoped
public class RetrySafety {

  private static final Logger LOG = Logger.getLogger(RetrySafety.class);
  private static final Duration PATIENCE = Duration.ofSeconds(2);

  private final InternalClient client;

  RetrySafety(InternalClient client) {
    this.client = client;
  }

  /** Fails for a step that is tried again although its tool is known not to be safe to repeat. */
  public Uni<Void> check(String owner, AgentPlan plan) {
    var retried = plan.steps().stream().filter(RetrySafety::retried).toList();
    return retried.isEmpty()
        ? Uni.createFrom().voidItem()
        : unsafeTools(owner).invoke(unsafe -> refuse(retried, unsafe)).replaceWithVoid();
  }

  private static boolean retried(AgentStep step) {
    return step.retryPolicy() != null && step.retryPolicy().maxAttempts() > 1;
  }

  private static void refuse(List<AgentStep> retried, Set<String> unsafe) {
    retried.stream()
        .filter(step -> unsafe.contains(step.toolName()))
        .findFirst()
        .ifPresent(
            step -> {
              throw WorkflowProblems.retryUnsafe(step.index(), step.toolName());
            });
  }

  private Uni<Set<String>> unsafeTools(String owner) {
    return client
        .get(Service.AGENT, "/api/agent/tools")
        .as(owner)
        .send()
        .ifNoItem()
        .after(PATIENCE)
        .fail()
        .map(answer -> unsafe(answer.body()))
        .onFailure()
        .recoverWithItem(RetrySafety::unknown);
  }

  private static Set<String> unsafe(JsonNode tools) {
    var names = new HashSet<String>();
    for (var tool : tools) {
      if (!tool.path("retrySafe").asBoolean(true)) {
        names.add(tool.path("name").asText());
      }
    }
    return names;
  }

  private static Set<String> unknown(Throwable failure) {
    var cause = failure instanceof ProblemException known ? known.problem().code() : failure;
    LOG.infof("Retries are saved unchecked, the tools are not known: %s", cause);
    return Set.of();
  }
}
