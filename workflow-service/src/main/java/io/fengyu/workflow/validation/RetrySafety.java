package io.fengyu.workflow.validation;

import com.fasterxml.jackson.databind.JsonNode;
import io.fengyu.contract.plan.AgentPlan;
import io.fengyu.contract.plan.AgentStep;
import io.fengyu.contract.problem.ProblemException;
import io.fengyu.workflow.WorkflowProblems;
import io.fengyu.workflow.tool.ToolDirectory;
import io.smallrye.mutiny.Uni;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * Keeps people from saving retries that could do something twice. The runtime refuses them in any
 * case before a run; here they are refused early, when the tool is known and the runtime answers.
 */
@ApplicationScoped
public class RetrySafety {

  private static final Logger LOG = Logger.getLogger(RetrySafety.class);
  private static final Duration PATIENCE = Duration.ofSeconds(2);

  private final ToolDirectory tools;

  RetrySafety(ToolDirectory tools) {
    this.tools = tools;
  }

  /** Fails for a step that is tried again although its tool is known not to be safe to repeat. */
  public Uni<Void> check(String owner, AgentPlan plan) {
    var retried = plan.steps().stream().filter(RetrySafety::retried).toList();
    return retried.isEmpty()
        ? Uni.createFrom().voidItem()
        : known(owner).invoke(known -> refuse(retried, known)).replaceWithVoid();
  }

  private static boolean retried(AgentStep step) {
    return step.retryPolicy() != null && step.retryPolicy().maxAttempts() > 1;
  }

  private static void refuse(List<AgentStep> retried, Map<String, JsonNode> known) {
    retried.stream()
        .filter(step -> unsafe(known.get(step.toolName())))
        .findFirst()
        .ifPresent(
            step -> {
              throw WorkflowProblems.retryUnsafe(step.index(), step.toolName());
            });
  }

  private static boolean unsafe(@Nullable JsonNode tool) {
    return tool != null && !tool.path("retrySafe").asBoolean(true);
  }

  private Uni<Map<String, JsonNode>> known(String owner) {
    return tools
        .of(owner)
        .ifNoItem()
        .after(PATIENCE)
        .fail()
        .onFailure()
        .recoverWithItem(RetrySafety::unknown);
  }

  private static Map<String, JsonNode> unknown(Throwable failure) {
    var cause = failure instanceof ProblemException known ? known.problem().code() : failure;
    LOG.infof("Retries are saved unchecked, the tools are not known: %s", cause);
    return Map.of();
  }
}
