package io.fengyu.agent.run;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fengyu.agent.guard.PermissionMode;
import io.fengyu.agent.journal.RunStatus;
import io.fengyu.agent.journal.RunStore;
import io.fengyu.agent.tool.ToolCall;
import io.smallrye.mutiny.Uni;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * Runs inside of tool calls: ordinary runs with a history of their own, which the call waits for.
 * They take the permission of the call along and never pause; a call that is stopped stops its run.
 */
@ApplicationScoped
public class InnerRuns {

  private static final Logger LOG = Logger.getLogger(InnerRuns.class);
  private static final Duration STORED_WITHIN = Duration.ofSeconds(30);
  private static final Duration STOPPED_WITHIN = Duration.ofSeconds(30);
  private static final Duration LIMIT = Duration.ofMinutes(15);

  private final Runs runs;
  private final RunStore store;
  private final Executions executions;
  private final StepHistory history;

  InnerRuns(Runs runs, RunStore store, Executions executions, StepHistory history) {
    this.runs = runs;
    this.store = store;
    this.executions = executions;
    this.history = history;
  }

  /**
   * Runs a plan and waits for its end.
   *
   * @param start {@code workflow}, {@code inputs} and {@code files} of an ordinary start
   * @return the result of the last completed step, or the summary; {@code success:false} otherwise
   * @throws io.fengyu.contract.problem.ProblemException for a start that is refused
   */
  public String result(ToolCall call, ObjectNode start) throws InterruptedException {
    var owner = call.owner();
    start.set("config", config(call));
    var runId = started(owner, runs.startInside(owner, StartRequest.read(start), call.sessionId()));
    var over = executions.over(runId);
    try {
      over.get(LIMIT.toMillis(), TimeUnit.MILLISECONDS);
    } catch (InterruptedException stopped) {
      stop(owner, runId, over);
      throw stopped;
    } catch (TimeoutException late) {
      stop(owner, runId, over);
      return failure(runId, "The workflow was stopped: it did not end within 15 minutes", null);
    } catch (ExecutionException never) {
      throw new IllegalStateException(never);
    }
    return answer(owner, runId);
  }

  /** A stop that comes while the run is being stored waits for the run and stops it, too. */
  private UUID started(String owner, Uni<RunStarted> start) throws InterruptedException {
    var starting = start.map(RunStarted::runId).subscribe().asCompletionStage();
    try {
      return stored(starting);
    } catch (InterruptedException stopped) {
      var runId = stored(starting);
      stop(owner, runId, executions.over(runId));
      throw stopped;
    }
  }

  private static UUID stored(CompletableFuture<UUID> starting) throws InterruptedException {
    try {
      return starting.get(STORED_WITHIN.toMillis(), TimeUnit.MILLISECONDS);
    } catch (ExecutionException refused) {
      throw refused.getCause() instanceof RuntimeException why
          ? why
          : new IllegalStateException(refused.getCause());
    } catch (TimeoutException late) {
      throw new IllegalStateException("A run inside of a call was not stored in time", late);
    }
  }

  private static ObjectNode config(ToolCall call) {
    var mode = call.unconfined() ? PermissionMode.FULL_ACCESS : PermissionMode.ASK_FOR_APPROVAL;
    return JsonNodeFactory.instance
        .objectNode()
        .put("requirePlanApproval", false)
        .put("permissionMode", mode.wire());
  }

  // The call's own branch is open as long as this thread is here.
  private void stop(String owner, UUID runId, CompletableFuture<Void> over) {
    runs.cancel(owner, runId).await().atMost(STORED_WITHIN);
    try {
      over.get(STOPPED_WITHIN.toMillis(), TimeUnit.MILLISECONDS);
    } catch (TimeoutException | ExecutionException stillThere) {
      LOG.warnf("Run %s inside a stopped call has not ended yet", runId);
    } catch (InterruptedException again) {
      Thread.currentThread().interrupt();
    }
  }

  private String answer(String owner, UUID runId) {
    var run = store.find(owner, runId).await().atMost(STORED_WITHIN);
    if (run == null) {
      return failure(runId, "The run is gone", null);
    }
    if (run.status() != RunStatus.COMPLETED) {
      var why = run.error() == null ? "The run was " + run.status().runStatus() : run.error();
      return failure(runId, why, code(why));
    }
    var last = lastResult(runId);
    return last == null ? Objects.requireNonNullElse(run.summary(), "") : last;
  }

  /** A step that only a person could have let through says so in words. */
  private static @Nullable String code(String why) {
    return why.contains("eeds approval") ? "APPROVAL_REQUIRED" : null;
  }

  private @Nullable String lastResult(UUID runId) {
    var done =
        StepHistory.completed(history.of(runId).await().atMost(STORED_WITHIN)).entrySet().stream()
            .max(Map.Entry.comparingByKey());
    return done.map(step -> text(step.getValue().data().path("result"))).orElse(null);
  }

  private static String text(JsonNode result) {
    return result.isTextual() ? result.textValue() : result.toString();
  }

  private static String failure(UUID runId, String error, @Nullable String code) {
    var answer = JsonNodeFactory.instance.objectNode().put("success", false).put("error", error);
    if (code != null) {
      answer.put("code", code);
    }
    return answer.put("runId", runId.toString()).toString();
  }
}
